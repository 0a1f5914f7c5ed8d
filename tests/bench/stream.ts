import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import { type Benchmark, interleave } from "./benchmark.ts";
import { canariesPassed, freshLabel, timedCheck, timedStream } from "./service_checks.ts";
import { median, medianMs, pairedRatios } from "./statistics.ts";
import { recoveryMs } from "./host_pace.ts";

const DNS_MS = 20;
const FIRSTS = 15;
const LASTS = 3;
const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld);

/** How soon a stream's first row arrives, and whether its last one arrives later than the JSON answer. */
export const stream: Benchmark = {
  name: "stream",
  about: `NDJSON of ${TLDS.length} TLDs on a cold name, DNS ${DNS_MS} ms, and DNS or JSON alone`,
  async *rows() {
    await using lab = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
    await using service = await startProcess(lab, { TLDS: TLDS.join(",") });
    await canariesPassed(service, TLDS);
    const firstMs: number[] = [];
    for (let round = 0; round <= FIRSTS; round++) {
      // DNS alone decides a delegated name: the first row of any other waits for a registry.
      const label = freshLabel();
      lab.script(label, { dns: "delegated", rdap: "registered" });
      const { firstMs: ms } = await timedStream(service, label);
      if (round > 0) firstMs.push(ms);
    }
    yield {
      what: `first row, ${FIRSTS} names that are delegated everywhere`,
      measured: { first: medianMs(firstMs), "beyond DNS": `${beyond(firstMs)} ms` },
      target: "≤ 25 ms beyond DNS",
    };
    const { streamed, json } = await interleave({
      streamed: () => rested(async () => (await timedStream(service, freshLabel())).lastMs),
      json: () => rested(async () => (await timedCheck(service)).tookMs),
    }, LASTS);
    yield {
      what: `last row and JSON answer, ${LASTS} available names each`,
      measured: { stream: medianMs(streamed), JSON: medianMs(json) },
      ratios: pairedRatios(streamed, json),
      target: "≤ 1.05",
    };
  },
};

function beyond(samples: readonly number[]): string {
  return (median(samples) - DNS_MS).toFixed(1);
}

/** Measures once every registry's full burst is available again. */
async function rested(measure: () => Promise<number>): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, recoveryMs(TLDS, 2)));
  return await measure();
}
