/** What was found out of one name, whoever answered. */
import type { DomainResult } from "../lookup/check_domain.ts";
import type { EnsCheckResult } from "../lookup/ens_lookups.ts";

/** A result as the API gives it, or why there is none. */
export type Row =
  | { kind: "domain"; domain: string; result: DomainResult }
  | { kind: "eth"; domain: string; result: EnsCheckResult }
  | { kind: "failed"; domain: string; why: string };

/** The words for a person. */
export const VERDICTS = ["free", "premium", "taken", "reserved", "unknown"] as const;

/** A word of `VERDICTS`; `premium` is free too, at a price of its own. */
export type RowVerdict = typeof VERDICTS[number];

/** The row's verdict in one word. */
export function verdictOf(row: Row): RowVerdict {
  if (row.kind === "failed") return "unknown";
  if (row.kind === "eth") {
    const { available, registrationPrice } = row.result;
    if (!available) return "taken";
    return registrationPrice?.premiumWei === undefined ? "free" : "premium";
  }
  const { available, premium, status } = row.result;
  if (available) return premium ? "premium" : "free";
  if (status.includes("unknown")) return "unknown";
  return status.includes("active") ? "taken" : "reserved";
}

/** Whether the name can be registered. */
export function isFree(row: Row): boolean {
  return row.kind !== "failed" && row.result.available;
}

/** The row as a program reads it: with the API's own fields, and every one with its domain and TLD. */
export function recordOf(row: Row): Readonly<Record<string, unknown>> {
  if (row.kind === "domain") return { ...row.result };
  const { domain } = row;
  const tld = domain.slice(domain.lastIndexOf(".") + 1);
  if (row.kind === "eth") return { domain, tld, ...row.result };
  const unknown = { state: "unknown", available: false, status: ["unknown"], premium: false };
  return { domain, tld, ...unknown, error: row.why };
}
