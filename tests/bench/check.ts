import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { hostPolicy } from "../../src/rules/tables/hosts.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { REGISTRIES } from "../lab/registries.ts";
import { startProcess } from "../support/process.ts";
import { type Benchmark, canariesPassed, medianMs } from "./benchmark.ts";

const DNS_MS = 20;
const ROUNDS = 3;
const ALL = BUILT_IN_TLDS.map(({ tld }) => tld);
const QUICK = BUILT_IN_TLDS.filter(({ rdapBase }) => !rdapBase.includes("identitydigital"))
  .map(({ tld }) => tld);

/** How long a check of a cold name under all TLDs takes. */
export const check: Benchmark = {
  name: "check",
  about: `all TLDs on a cold name, DNS ${DNS_MS} ms and the registries' latencies`,
  async *rows() {
    await using lab = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
    yield await timed(lab, ALL, `${ALL.length} TLDs, canaries known`);
    yield await timed(lab, QUICK, `${QUICK.length} TLDs, without the one host of one a second`);
    const first = `${ALL.length} TLDs, first check after a start with no canary`;
    yield await timed(lab, ALL, first, true);
  },
};

/** Checks of a fresh process each, whose registries have passed their tests unless it is said to test them too. */
async function timed(lab: Lab, tlds: readonly string[], what: string, withCanary = false) {
  const checks: TimedCheck[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await using service = await startProcess(lab, { TLDS: tlds.join(",") });
    if (!withCanary) {
      await canariesPassed(service);
      await rest(recoveryMs(tlds));
    }
    checks.push(await timedCheck(service));
  }
  return {
    what: `${what}, ${ROUNDS} rounds`,
    measured: {
      answer: medianMs(checks.map(({ tookMs }) => tookMs)),
      "rows unknown": checks.map(({ unknown }) => unknown).join(", "),
    },
  };
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A check of a name that is in no cache. */
interface TimedCheck {
  tookMs: number;
  /** Rows that are "unknown": a check that skips questions is quick. */
  unknown: number;
}

/** Checks a fresh name under every TLD of the service. */
async function timedCheck({ url }: { url: string }): Promise<TimedCheck> {
  const startedAt = performance.now();
  const answer = await fetch(`${url}/check?name=bench-${crypto.randomUUID()}`);
  const { results }: { results: DomainResult[] } = await answer.json();
  const tookMs = performance.now() - startedAt;
  return { tookMs, unknown: results.filter(({ status }) => status.includes("unknown")).length };
}

/** Time, in ms, after which every host's full burst is available again: a canary takes three questions. */
function recoveryMs(tlds: readonly string[]): number {
  const pauses = REGISTRIES.map(({ host, bases }) =>
    tlds.filter((tld) => tld in bases).length * 3 * hostPolicy(host).everyMs
  );
  return Math.max(...pauses);
}
