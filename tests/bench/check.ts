import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { type HostPolicy, hostPolicy } from "../../src/rules/tables/hosts.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { REGISTRIES } from "../lab/registries.ts";
import { startProcess } from "../support/process.ts";
import { canariesPassed, median, print, printRow } from "./benchmark.ts";

const DNS_MS = 20;
const ROUNDS = 3;
const ALL = BUILT_IN_TLDS.map(({ tld }) => tld);
const QUICK = BUILT_IN_TLDS.filter(({ rdapBase }) => !rdapBase.includes("identitydigital"))
  .map(({ tld }) => tld);

/** How long a check of a cold name under all TLDs takes. */
export async function check(): Promise<void> {
  print(
    `all TLDs on a cold name, DNS ${DNS_MS} ms and the registries' latencies, and the slowest ` +
      "chain of questions that the politeness rules allow",
  );
  await using lab = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
  await measure(lab, ALL, `${ALL.length} TLDs, canaries known`);
  await measure(lab, QUICK, `${QUICK.length} TLDs, without the one host of one a second`);
  await measure(lab, ALL, `${ALL.length} TLDs, first check after a start with no canary`, true);
}

/** Checks a fresh name by a fresh process each round, whose registries have passed their tests unless it is to test them. */
async function measure(lab: Lab, tlds: readonly string[], what: string, withCanary = false) {
  const tookMs: number[] = [];
  /** A check that skips questions is quick. */
  const unknown: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await using service = await startProcess(lab, { TLDS: tlds.join(",") });
    if (!withCanary) {
      await canariesPassed(service);
      await new Promise((resolve) => setTimeout(resolve, recoveryMs(tlds)));
    }
    const startedAt = performance.now();
    const response = await fetch(`${service.url}/check?name=bench-${crypto.randomUUID()}`);
    const { results }: { results: DomainResult[] } = await response.json();
    tookMs.push(performance.now() - startedAt);
    unknown.push(results.filter(({ state }) => state === "unknown").length);
  }
  const allowedMs = slowestChainMs(tlds, withCanary);
  printRow(`${what}, ${ROUNDS} rounds`, {
    answer: `${Math.round(median(tookMs))} ms`,
    allowed: `${allowedMs} ms`,
    "rows unknown": unknown.join(", "),
  }, tookMs.map((ms) => ms / allowedMs));
}

/** When a host has answered the last of the questions that are ready to be asked at these times. */
function lastAnswerMs(
  readyMs: readonly number[],
  latencyMs: number,
  { concurrency, burst, everyMs }: HostPolicy,
): number {
  const starts: number[] = [];
  let spentUntil = 0;
  for (const ready of readyMs.toSorted((a, b) => a - b)) {
    const before = starts[starts.length - concurrency];
    const placeAt = before === undefined ? 0 : before + latencyMs;
    const start = Math.max(ready, placeAt, spentUntil - (burst - 1) * everyMs);
    spentUntil = Math.max(spentUntil, start) + everyMs;
    starts.push(start);
  }
  return Math.max(0, ...starts.map((start) => start + latencyMs));
}

/** Time, in ms, after which the slowest registry has answered all questions of a check at the pace of its policy. */
function slowestChainMs(tlds: readonly string[], withCanary: boolean): number {
  const chains = REGISTRIES.map(({ host, bases, latencyMs }) => {
    const served = tlds.filter((tld) => tld in bases);
    // A test asks for two random names, then for one that DNS shows delegated: the question for the name comes beside it.
    const recordMs = DNS_MS + Math.max(DNS_MS, latencyMs);
    const readyMs = served.flatMap(() => (
      withCanary ? [DNS_MS, DNS_MS, DNS_MS, recordMs] : [DNS_MS]
    ));
    return lastAnswerMs(readyMs, latencyMs, hostPolicy(host));
  });
  return Math.max(...chains);
}

/** Time, in ms, after which every host's full burst is available again: a canary takes three questions. */
function recoveryMs(tlds: readonly string[]): number {
  const pauses = REGISTRIES.map(({ host, bases }) =>
    tlds.filter((tld) => tld in bases).length * 3 * hostPolicy(host).everyMs
  );
  return Math.max(...pauses);
}
