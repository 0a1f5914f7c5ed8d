import { type Lab, startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import type { Benchmark, Row } from "./benchmark.ts";
import { startFar, timesOfReturning } from "./far_kv.ts";
import { percentile } from "./statistics.ts";

const RETURNING_MS = 30_000;
const FRESH_NAMES = 60;

/** What each way to run the service costs a client. */
export const topologies: Benchmark = {
  name: "topologies",
  about: "one process on a file, and three processes on KV Connect: the table of README",
  async *rows() {
    await using lab = await startLab();
    const folder = await Deno.makeTempDir();
    try {
      const env = { KV_PATH: `${folder}/kv.sqlite`, RATE_LIMIT: "60", TRUSTED_PROXIES: "1" };
      await using one = await startProcess(lab, env);
      yield await measure("one process, KV in a file", [one]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
    for (const roundTripMs of [1, 40, 94]) yield await onKvConnect(lab, roundTripMs);
  },
};

async function onKvConnect(lab: Lab, roundTripMs: number): Promise<Row> {
  const { stack, started } = await startFar(lab, roundTripMs, 3);
  await using _all = stack;
  return await measure(`three processes on KV Connect, ${roundTripMs} ms away`, started);
}

/** Cached answers to addresses that return, and first answers for names under .com, in the lab without delay. */
async function measure(
  what: string,
  started: Awaited<ReturnType<typeof startFar>>["started"],
): Promise<Row> {
  const fresh: number[] = [];
  for (let n = 0; n < FRESH_NAMES; n++) {
    const { url } = started[n % started.length] ?? {};
    const sentAt = performance.now();
    const answer = await fetch(`${url}/check?name=free-topology-${n}&tld=com`, {
      headers: { "x-forwarded-for": `10.1.0.${n}` },
    });
    await answer.body?.cancel();
    fresh.push(performance.now() - sentAt);
  }
  const cached = await timesOfReturning(started, RETURNING_MS);
  const ms = (times: number[], share: number) => `${percentile(times, share).toFixed(1)} ms`;
  return {
    what,
    measured: {
      "cached, p50": ms(cached, 0.5),
      "cached, p99": ms(cached, 0.99),
      "not cached, p50": ms(fresh, 0.5),
    },
  };
}
