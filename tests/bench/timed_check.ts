import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { openConnection } from "./connection.ts";
import { freshLabel } from "./fresh_label.ts";

/** A check of a name that nobody has asked for before. */
export interface TimedCheck {
  tookMs: number;
  /** Rows that say "unknown": an answer that leaves questions out is soon given. */
  unknown: number;
}

/** Checks a fresh name under every TLD of the service. */
export async function timedCheck({ url }: { url: string }): Promise<TimedCheck> {
  const path = `/check?name=${freshLabel()}`;
  using connection = await openConnection(Number(new URL(url).port), path);
  const startedAt = performance.now();
  const answer = await connection.exchange();
  const tookMs = performance.now() - startedAt;
  const results: DomainResult[] = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))).results;
  return { tookMs, unknown: results.filter(({ status }) => status.includes("unknown")).length };
}
