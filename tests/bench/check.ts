import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import { type Benchmark, canariesPassed, medianMs } from "./benchmark.ts";
import { openConnection } from "./connection.ts";

const DNS_MS = 20;
const ROUNDS = 3;
/** After which every host's full burst is available again. */
const REST_MS = 5_000;

/** How long a check of a cold name under all TLDs takes: an answer in which rows are unknown is quick. */
export const check: Benchmark = {
  name: "check",
  about: `all TLDs on a cold name, DNS ${DNS_MS} ms and the registries' latencies`,
  async *rows() {
    for (const isFirst of [false, true]) {
      const checks = [];
      for (let round = 0; round < ROUNDS; round++) checks.push(await timedCheck(isFirst));
      const what = isFirst ? "first check after a start with no canary" : "canaries known";
      yield {
        what: `${BUILT_IN_TLDS.length} TLDs, ${what}, ${ROUNDS} rounds`,
        measured: {
          answer: medianMs(checks.map(({ tookMs }) => tookMs)),
          "rows unknown": checks.map(({ unknown }) => unknown).join(", "),
        },
      };
    }
  },
};

/** Checks a fresh name under every TLD of a fresh process, whose registries have passed their tests unless it is its first. */
async function timedCheck(isFirst: boolean): Promise<{ tookMs: number; unknown: number }> {
  await using lab = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
  await using service = await startProcess(lab);
  if (!isFirst) {
    await canariesPassed(service);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  const path = `/check?name=bench-${crypto.randomUUID()}`;
  using connection = await openConnection(Number(new URL(service.url).port), path);
  const startedAt = performance.now();
  const answer = await connection.exchange();
  const tookMs = performance.now() - startedAt;
  const results: DomainResult[] = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))).results;
  return { tookMs, unknown: results.filter(({ state }) => state === "unknown").length };
}
