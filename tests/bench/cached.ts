import { startLab } from "../lab/lab.ts";
import { START_ARGS } from "../lab/lab_env.ts";
import { freePort, startProcess } from "../support/process.ts";
import { until } from "../support/until.ts";
import {
  type Benchmark,
  canariesPassed,
  interleave,
  pairedRatios,
  perSecond,
} from "./benchmark.ts";
import { answerOf, openConnection, requestsPerSecond } from "./connection.ts";

const PATH = "/check?name=taken&tld=com";
const ROUNDS = 7;
const ROUND_MS = 2_000;
/** Of traffic before the rounds: V8 compiles what a cached answer runs during its first 60,000 or so (measured). */
const WARM_UP_MS = 4_000;
/** How many clients of a busy service ask within a minute. */
const ADDRESSES = 4_000;

/** How many cached answers a second, beside a server that does nothing but answer. */
export const cached: Benchmark = {
  name: "cached",
  about: "a cached one-TLD answer, beside a bare Deno.serve that sends the same",
  async *rows() {
    await using lab = await startLab();
    const [port, barePort] = [freePort(), freePort()];
    await using process = await startProcess(lab, { PORT: `${port}`, TRUSTED_PROXIES: "1" });
    // Canary tests would run during the first rounds.
    await canariesPassed(process);
    const { body, headers } = await cachedAnswer(port);
    await using _bare = await startServer(barePort, [body, JSON.stringify(headers)]);
    const from = (addresses: number) => {
      let n = 0;
      return () => `x-forwarded-for: ${addressOf(n++ % addresses)}\r\n`;
    };
    const rate = (port: number, header: () => string) => () =>
      requestsPerSecond(port, PATH, ROUND_MS, header);
    const sides = {
      one: rate(port, from(1)),
      many: rate(port, from(ADDRESSES)),
      fresh: rate(port, from(Infinity)),
      bare: rate(barePort, from(ADDRESSES)),
    };
    for (const one of [port, barePort]) {
      await requestsPerSecond(one, PATH, WARM_UP_MS, from(ADDRESSES));
    }
    const { one, many, fresh, bare } = await interleave(sides, ROUNDS);
    for (
      const [clients, service] of [
        ["one address", one],
        [`${ADDRESSES} addresses behind a proxy`, many],
        ["a new address each", fresh],
      ] as const
    ) {
      yield {
        what: `GET ${PATH} from ${clients}, ${ROUNDS} rounds`,
        measured: { service: perSecond(service), bare: perSecond(bare) },
        ratios: pairedRatios(service, bare),
      };
    }
  },
};

function addressOf(n: number): string {
  return `10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`;
}

async function cachedAnswer(port: number) {
  using connection = await openConnection(port, PATH);
  await connection.exchange();
  const answer = await connection.exchange();
  if (!answer.includes("+cache")) throw new Error(`Cannot measure: not from the cache: ${answer}`);
  return answerOf(answer);
}

/** Runs server.ts as a process of its own, with the flags of the service, until it is disposed of. */
async function startServer(port: number, answer: readonly string[]): Promise<AsyncDisposable> {
  const script = new URL("server.ts", import.meta.url);
  const child = new Deno.Command(Deno.execPath(), {
    args: [...START_ARGS.slice(0, -1), script.href, `${port}`, ...answer],
    cwd: new URL("../../", import.meta.url),
    stdin: "null",
    stdout: "null",
  }).spawn();
  const url = `http://127.0.0.1:${port}${PATH}`;
  const answers = () =>
    fetch(url).then(async ({ body }) => (await body?.cancel(), true), () => false);
  await until("the bare server answers", answers);
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}
