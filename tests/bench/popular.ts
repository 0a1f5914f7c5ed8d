import { createTally } from "../../src/lookup/popular_counter.ts";
import { startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { type Benchmark, interleave } from "./benchmark.ts";
import { firstAnswer, requestsPerSecond } from "./connection.ts";
import { freePort } from "../support/process.ts";
import { startScript } from "./start_script.ts";
import { median, pairedRatios, perSecond, zipf } from "./statistics.ts";

const ROUNDS = 41;
/** Short, so that both sides of a round meet the same machine. */
const ROUND_MS = 500;

/** As many as a busy service counts in a minute. */
const COUNTS = 4_096;
const NAMES = 2_000;

const pathOf = (connection: number) => `/check?name=popular-${connection}&tld=com`;

/** What counting its name costs a cached answer. */
export const popular: Benchmark = {
  name: "popular",
  about: "cached one-TLD answers with and without the count of popular names, no limiter",
  async *rows() {
    await using lab = await startLab();
    const serve = async (variant: string) => {
      const port = freePort();
      const env = {
        ...labEnv(lab),
        ...proxyEnv(lab),
        PORT: `${port}`,
        TLDS: "com",
        LOG_LEVEL: "warn",
      };
      const server = startScript("variant_server.ts", [variant], { env });
      await firstAnswer(port, pathOf(0));
      const rate = () => requestsPerSecond(port, pathOf, ROUND_MS);
      return { rate, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
    };
    await using counting = await serve("uncounted");
    await using silent = await serve("unranked");
    const { on, off } = await interleave({ on: counting.rate, off: silent.rate }, ROUNDS);
    yield {
      what: `GET ${pathOf(0)} and 63 more names, ${ROUNDS} rounds`,
      measured: { counting: perSecond(on), "not counting": perSecond(off) },
      ratios: pairedRatios(on, off),
      target: "≥ 0.95",
    };
    const [countUs, answerUs] = [microsecondsACount(), 1e6 / median(on)];
    yield {
      what: "the count alone, as part of such an answer",
      measured: { count: `${countUs.toFixed(2)} µs`, answer: `${answerUs.toFixed(0)} µs` },
      ratios: [countUs / answerUs],
      target: "≤ 0.05",
    };
  },
};

/** What one count takes, of names by Zipf's law. */
function microsecondsACount(): number {
  const names = zipf(NAMES).take(COUNTS).map((rank) => `popular-${rank}`).toArray();
  const tally = createTally(NAMES);
  const startedAt = performance.now();
  for (const name of names) tally.count(name);
  return (performance.now() - startedAt) * 1e3 / COUNTS;
}
