/** The result for one domain, from either checker. */
import type { DomainResult } from "../lookup/check.ts";
import type { EnsCheckResult } from "../lookup/ens.ts";

/** A result as the API returns it, or the error message when there is none. */
export type Row =
  | { kind: "domain"; domain: string; result: DomainResult }
  | { kind: "eth"; domain: string; result: EnsCheckResult }
  | { kind: "failed"; domain: string; error: string };

/** The words for a person. */
export const VERDICTS = ["free", "premium", "taken", "reserved", "unknown"] as const;

/** A word of `VERDICTS`; `premium` is free too, at a price of its own. */
export type RowVerdict = typeof VERDICTS[number];

/** The row's verdict in one word. */
export function verdictOfRow(row: Row): RowVerdict {
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
export function isAvailable(row: Row): boolean {
  return row.kind !== "failed" && row.result.available;
}

/** The row as a record for programs: the API's fields, always with domain and TLD. */
export function recordOf(row: Row): Readonly<Record<string, unknown>> {
  if (row.kind === "domain") return { ...row.result };
  const { domain } = row;
  const tld = domain.slice(domain.lastIndexOf(".") + 1);
  if (row.kind === "eth") return { domain, tld, ...row.result };
  const unknown = { state: "unknown", available: false, status: ["unknown"], premium: false };
  return { domain, tld, ...unknown, error: row.error };
}
