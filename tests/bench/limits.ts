import { startLab } from "../lab/lab.ts";
import { freePort, startProcess } from "../support/process.ts";
import {
  type Answer,
  answerOf,
  type ConnectionOptions,
  firstAnswer,
  openConnection,
  requestsPerSecond,
} from "./connection.ts";
import { type Benchmark, interleave } from "./benchmark.ts";
import { startScript } from "./start_script.ts";
import { pairedRatios, perSecond } from "./statistics.ts";

const PATH = "/check?name=taken&tld=com";
const ROUNDS = 9;
const ROUND_MS = 1_000;

/** What the limiter costs: when each address is new, and when a request is rejected. */
export const limits: Benchmark = {
  name: "limits",
  about: "requests from a new address each, and rejections, on a KV file",
  async *rows() {
    await using lab = await startLab();
    const folder = await Deno.makeTempDir();
    const [port, barePort, naivePort, refusingPort] = [0, 0, 0, 0].map(freePort);
    const env = {
      PORT: `${port}`,
      KV_PATH: `${folder}/kv`,
      RATE_LIMIT: "60",
      TRUSTED_PROXIES: "1",
    };
    await using _service = await startProcess(lab, env);
    const fresh = { header: newAddresses() };
    const { body, headers } = await exchangeOnce(port, fresh, 2);
    const same = [body, JSON.stringify(headers)];
    await using _bare = startScript("bare_server.ts", [`${barePort}`, ...same]);
    await using _naive = startScript("naive_server.ts", [
      `${naivePort}`,
      `${folder}/naive`,
      ...same,
    ]);
    for (const port of [barePort, naivePort]) await firstAnswer(port!, PATH);
    const rate = (port: number | undefined) => () =>
      requestsPerSecond(port!, PATH, ROUND_MS, fresh);
    const { service, bare, naive } = await interleave({
      service: rate(port),
      bare: rate(barePort),
      naive: rate(naivePort),
    }, ROUNDS);
    const what = `GET ${PATH}, each from a new address, ${ROUNDS} rounds`;
    yield {
      what,
      measured: { service: perSecond(service), bare: perSecond(bare) },
      ratios: pairedRatios(service, bare),
      target: "≥ 0.20",
    };
    yield {
      what: `the same beside a limiter that reads and writes`,
      measured: { service: perSecond(service), naive: perSecond(naive) },
      ratios: pairedRatios(service, naive),
      target: "≥ 3",
    };
    yield await refusals(port!, refusingPort!);
  },
};

async function refusals(port: number, barePort: number) {
  const one: ConnectionOptions = { header: () => "x-forwarded-for: 198.51.100.1\r\n" };
  await exchangeOnce(port, one, 60);
  const refused = { ...one, status: 429 };
  const { body, headers } = await exchangeOnce(port, refused, 1);
  const same = [body, JSON.stringify(headers), "429"];
  await using _bare = startScript("bare_server.ts", [`${barePort}`, ...same]);
  await firstAnswer(barePort, PATH, refused);
  // Slots are released after a minute: the rounds must be over by then.
  const { service, bare } = await interleave({
    service: () => requestsPerSecond(port, PATH, ROUND_MS, refused),
    bare: () => requestsPerSecond(barePort, PATH, ROUND_MS, refused),
  }, ROUNDS);
  return {
    what: `429 to one address, ${ROUNDS} rounds`,
    measured: { service: perSecond(service), bare: perSecond(bare) },
    ratios: pairedRatios(service, bare),
    target: "≥ 0.45",
  };
}

/** Sends the request so many times and returns the last response. */
async function exchangeOnce(
  port: number | undefined,
  options: ConnectionOptions,
  times: number,
): Promise<Answer> {
  using connection = await openConnection(port ?? 0, PATH, options);
  let answer = "";
  for (let n = 0; n < times; n++) answer = await connection.exchange();
  return answerOf(answer);
}

function newAddresses(): () => string {
  let n = 0;
  return () => {
    n++;
    return `x-forwarded-for: 10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}\r\n`;
  };
}
