import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import type { Benchmark, Row } from "./benchmark.ts";
import { canariesPassed, type TimedCheck, timedCheck } from "./service_checks.ts";
import { medianMs } from "./statistics.ts";
import { recoveryMs, slowestChainMs } from "./host_pace.ts";

const DNS_MS = 20;
const ROUNDS = 3;
/** Of a TLD that is not enabled: what its registry of the lab takes, and DNS too, so that each round trip takes as long. */
const NEW_TLD = { tld: "fun", roundTripMs: 250 };
const ALL = BUILT_IN_TLDS.map(({ tld }) => tld);
const QUICK = BUILT_IN_TLDS.filter(({ rdapBase }) => !rdapBase.includes("identitydigital"))
  .map(({ tld }) => tld);

/** How long a check of a cold name under all TLDs takes. */
export const check: Benchmark = {
  name: "check",
  about:
    `all TLDs on a cold name, DNS ${DNS_MS} ms and the registries' latencies, and the slowest ` +
    "chain of questions that the politeness rules allow",
  async *rows() {
    await using lab = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
    yield await tested(lab, ALL, `${ALL.length} TLDs, canaries known`);
    yield await tested(lab, QUICK, `${QUICK.length} TLDs, without the one host of one a second`);
    yield await untested(lab, ALL, `${ALL.length} TLDs, first check after a start with no canary`);
    yield await firstOfTld();
  },
};

async function tested(lab: Lab, tlds: readonly string[], what: string): Promise<Row> {
  await using service = await startProcess(lab, { TLDS: tlds.join(",") });
  await canariesPassed(service);
  const checks: TimedCheck[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // A canary takes two questions, a check one.
    await rest(recoveryMs(tlds, 2));
    checks.push(await timedCheck(service));
  }
  return toRow(what, checks, slowestChainMs(tlds, { dnsMs: DNS_MS, withCanary: false }));
}

async function untested(lab: Lab, tlds: readonly string[], what: string): Promise<Row> {
  const checks: TimedCheck[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await using service = await startProcess(lab, { TLDS: tlds.join(",") });
    checks.push(await timedCheck(service));
  }
  return toRow(what, checks, slowestChainMs(tlds, { dnsMs: DNS_MS, withCanary: true }));
}

/** The first check under a TLD beside the second: the difference is the test of its registry. */
async function firstOfTld(): Promise<Row> {
  const { tld, roundTripMs } = NEW_TLD;
  const [firstMs, secondMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    await using lab = await startLab({ dnsDelayMs: roundTripMs, latency: "real" });
    await using service = await startProcess(lab, { TLDS: "com", ANY_TLD: "on" });
    await timedCheck(service);
    firstMs.push((await timedCheck(service, tld)).tookMs);
    await rest(recoveryMs([tld], 3));
    secondMs.push((await timedCheck(service, tld)).tookMs);
  }
  return {
    what: `a TLD that was never tested, ${ROUNDS} rounds`,
    measured: { first: medianMs(firstMs), second: medianMs(secondMs) },
    ratios: firstMs.map((ms, round) => (ms - (secondMs[round] ?? NaN)) / roundTripMs),
    target: "≤ 3 round trips more",
  };
}

function toRow(what: string, checks: readonly TimedCheck[], allowedMs: number): Row {
  const tookMs = checks.map(({ tookMs }) => tookMs);
  return {
    what: `${what}, ${ROUNDS} rounds`,
    measured: {
      answer: medianMs(tookMs),
      allowed: `${allowedMs} ms`,
      "rows unknown": checks.map(({ unknown }) => unknown).join(", "),
    },
    ratios: tookMs.map((ms) => ms / allowedMs),
    target: "≤ 1.15 with no row unknown",
  };
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
