/** Checks of a running service: timed, and until its canaries have passed. */
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import type { ServiceProcess } from "../support/process.ts";
import { openConnection } from "./connection.ts";

/** A label that is in no cache. */
export function freshLabel(): string {
  return `bench-${crypto.randomUUID()}`;
}

/** A check of a name that is in no cache. */
export interface TimedCheck {
  tookMs: number;
  /** Rows that are "unknown": a check that skips questions is quick. */
  unknown: number;
}

/** Checks a fresh name under every TLD of the service, or under one. */
export async function timedCheck({ url }: { url: string }, tld?: string): Promise<TimedCheck> {
  const path = `/check?name=${freshLabel()}${tld === undefined ? "" : `&tld=${tld}`}`;
  using connection = await openConnection(Number(new URL(url).port), path);
  const startedAt = performance.now();
  const answer = await connection.exchange();
  const tookMs = performance.now() - startedAt;
  const results: DomainResult[] = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))).results;
  return { tookMs, unknown: results.filter(({ status }) => status.includes("unknown")).length };
}

const CANARY_LIMIT_MS = 20_000;
const TRIES = 3;

/** Settles once the service has logged that the canary of every TLD passed. */
export async function canariesPassed(
  service: ServiceProcess,
  tlds: readonly string[],
): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    // On a busy machine a test may stay undecided; only another check repeats it.
    if (tried > 0) await timedCheck(service);
    const until = performance.now() + CANARY_LIMIT_MS;
    while (performance.now() < until) {
      if (missing(service, tlds).length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  const undecided = service.events.filter(({ event, kind }) =>
    event === "canary" && kind !== "passed"
  );
  throw new Error(
    `Cannot measure: no canary has passed for ${missing(service, tlds).join(", ")}: ` +
      JSON.stringify(undecided),
  );
}

function missing({ events }: ServiceProcess, tlds: readonly string[]): string[] {
  const passed = events.filter(({ event, kind }) => event === "canary" && kind === "passed");
  return tlds.filter((tld) => !passed.some((canary) => canary.tld === tld));
}
