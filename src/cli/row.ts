/** The result for one domain, from either checker. */
import { ethStateOf, STATE_ENTRIES } from "../../static/vocabulary.js";
import type { DomainResult } from "../lookup/check_domain.ts";
import type { EnsCheckResult } from "../lookup/ens_lookups.ts";
import type { DescribedDetails } from "../rules/describe_details.ts";
import type { CostUsd } from "../rules/prices.ts";
import { type State, stateOf } from "../rules/verdict.ts";

/** A result as the API returns it, or the error message when there is none. */
export type Row =
  | {
    kind: "domain";
    domain: string;
    result: DomainResult;
    details?: DescribedDetails;
    /** The estimate of an available name at the priced registrar. */
    cost?: CostUsd | undefined;
  }
  | { kind: "eth"; domain: string; result: EnsCheckResult; details?: DescribedDetails }
  | { kind: "failed"; domain: string; error: string };

/** The row's state. A service's own word for it is not trusted: it may be of another version. */
export function rowState(row: Row): State {
  switch (row.kind) {
    case "domain":
      return stateOf(row.result);
    case "eth":
      return ethStateOf(row.result);
    case "failed":
      return "unknown";
  }
}

/** Whether the name can be registered. */
export function isAvailable(row: Row): boolean {
  return STATE_ENTRIES[rowState(row)].isAvailable;
}

/** The row as a record for programs: the API's fields, always with domain and TLD. */
export function recordOf(row: Row): Readonly<Record<string, unknown>> {
  const details = row.kind !== "failed" && row.details && { details: row.details };
  if (row.kind === "domain") return { ...row.result, ...details };
  const { domain } = row;
  const { tld } = partsOf(domain);
  if (row.kind === "eth") return { domain, tld, ...row.result, ...details };
  const unknown = { state: "unknown", available: false, status: ["unknown"], premium: false };
  return { domain, tld, ...unknown, error: row.error };
}

/** A domain's label, which has no dot, and what it is registered under. */
export function partsOf(domain: string): { label: string; tld: string } {
  const dot = domain.indexOf(".");
  return { label: domain.slice(0, dot), tld: domain.slice(dot + 1) };
}

/** The row with its details if it is taken; `find` gets the name. */
export async function withDetails(
  row: Row,
  find: (domain: string) => Promise<DescribedDetails>,
): Promise<Row> {
  if (row.kind === "failed" || rowState(row) !== "taken") return row;
  return { ...row, details: await find(row.domain) };
}
