import type { DomainResult } from "../../src/lookup/check_domain.ts";

/** The row of a taken name, as the look-up that a test puts in place of the service's returns it. */
export function takenRow(label: string, tld: string): DomainResult {
  return {
    domain: `${label}.${tld}`,
    tld,
    state: "taken",
    available: false,
    status: ["active"],
    premium: false,
    source: "dns",
    checkedAt: "2026-01-01T00:00:00.000Z",
    responseMs: 1,
  };
}
