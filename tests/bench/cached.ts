import { BUILT_IN_TLDS } from "../../src/rules/tlds.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { freePort, startProcess } from "../support/process.ts";
import {
  answerOf,
  type ConnectionOptions,
  firstAnswer,
  openConnection,
  requestsPerSecond,
} from "./connection.ts";
import { type Benchmark, interleave } from "./benchmark.ts";
import { canariesPassed } from "./service_checks.ts";
import { startScript } from "./start_script.ts";
import { pairedRatios, perSecond } from "./statistics.ts";

const PATH = "/check?name=taken&tld=com";
/** Two processes of the same code differ by up to a fifth, by where their memory lies. */
const PROCESSES = 5;
/** On a noisy machine single rounds differ by a factor of three (measured); their median needs this many. */
const ROUNDS = 15;
/** Short, so that both sides of a round meet the same machine. */
const ROUND_MS = 500;
/** Of traffic before the rounds: V8 compiles what a cached answer runs during its first 60,000 or so (measured). */
const WARM_UP_MS = 2_000;

/** How many cached answers a second, beside a server that does nothing but answer. */
export const cached: Benchmark = {
  name: "cached",
  about: "a cached one-TLD answer, and a bare Deno.serve with the same bytes and headers",
  async *rows() {
    await using lab = await startLab();
    const uncounted: number[] = [];
    const counted: number[] = [];
    const unseen: number[] = [];
    const bare: number[] = [];
    for (let n = 0; n < PROCESSES; n++) {
      const rates = await measureProcesses(lab);
      uncounted.push(...rates.uncounted);
      counted.push(...rates.counted);
      unseen.push(...rates.unseen);
      bare.push(...rates.bare);
    }
    yield {
      what: `GET ${PATH}, the answer itself, ${PROCESSES} processes with ${ROUNDS} rounds each`,
      measured: { service: perSecond(uncounted), bare: perSecond(bare) },
      ratios: pairedRatios(uncounted, bare),
      target: "≥ 0.45",
    };
    yield {
      what: "the same with each request counted, by slots that the process reserved in KV",
      measured: { service: perSecond(counted), bare: perSecond(bare) },
      ratios: pairedRatios(counted, bare),
      target: "≥ 0.50",
    };
    yield {
      what: "the same with a new query for each request, so that none is memoized",
      measured: { service: perSecond(unseen), bare: perSecond(bare) },
      ratios: pairedRatios(unseen, bare),
    };
  },
};

/** Starts a process of each kind, and measures them in turn. */
async function measureProcesses(lab: Lab) {
  const [port, uncountedPort, barePort] = [freePort(), freePort(), freePort()];
  await using process = await startProcess(lab, { PORT: `${port}` });
  await using _uncounted = startScript("variant_server.ts", ["uncounted"], {
    env: { ...labEnv(lab), ...proxyEnv(lab), PORT: `${uncountedPort}` },
  });
  // Canary tests would run during the first rounds.
  await canariesPassed(process, BUILT_IN_TLDS.map(({ tld }) => tld));
  await firstAnswer(uncountedPort, PATH);
  await cachedAnswer(uncountedPort);
  const { body, headers } = await cachedAnswer(port);
  await using _bare = startScript("bare_server.ts", [
    `${barePort}`,
    body,
    JSON.stringify(headers),
  ]);
  await firstAnswer(barePort, PATH);
  for (const one of [uncountedPort, port, barePort]) {
    await requestsPerSecond(one, PATH, WARM_UP_MS);
  }
  const rate = (port: number, options?: ConnectionOptions) => () =>
    requestsPerSecond(port, PATH, ROUND_MS, options);
  let queries = 0;
  return await interleave({
    uncounted: rate(uncountedPort),
    counted: rate(port),
    unseen: rate(port, { query: () => `&n=${queries++}` }),
    bare: rate(barePort),
  }, ROUNDS);
}

async function cachedAnswer(port: number) {
  using connection = await openConnection(port, PATH);
  await connection.exchange();
  const answer = await connection.exchange();
  if (!answer.includes("+cache")) throw new Error(`Cannot measure: not from the cache: ${answer}`);
  return answerOf(answer);
}
