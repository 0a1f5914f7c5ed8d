/** Checks of a running service: timed, and until its registries have passed their tests. */
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { until } from "../support/until.ts";
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

/** Settles once the service says that every TLD's registry has passed its test. */
export async function canariesPassed({ url }: { url: string }): Promise<void> {
  await until("every registry has passed its test", async () => {
    const response = await fetch(`${url}/health`);
    return (await response.json()).canaries?.length === 0;
  }, 1_500);
}
