import type { DomainResult } from "../../src/lookup/check_domain.ts";

/** The row of a taken name, as the look-up that a test puts in place of the service's returns it. */
export function takenRow(label: string, tld: string): DomainResult {
  const taken = { state: "taken", available: false, status: ["active"], premium: false } as const;
  const found = { source: "dns", checkedAt: "2026-01-01T00:00:00.000Z", responseMs: 1 } as const;
  return { domain: `${label}.${tld}`, tld, ...taken, ...found };
}
