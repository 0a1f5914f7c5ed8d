/** Suffixes for look-ups that are tested alone: every one is served by one RDAP server. */
import type { Suffixes } from "../../src/lookup/suffixes.ts";

/** The suffixes; without a base none has a server. */
export function suffixesAt(
  rdapBase?: string,
): Pick<Suffixes, "rowOf" | "closedBy" | "coverageOf" | "isUnlisted"> {
  return {
    rowOf: (tld) => Promise.resolve(rdapBase === undefined ? undefined : { tld, rdapBase }),
    closedBy: () => Promise.resolve(undefined),
    isUnlisted: () => Promise.resolve(false),
    coverageOf: () => Promise.resolve(undefined),
  };
}
