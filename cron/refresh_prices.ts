import type { Outcome } from "../src/rules/lease.ts";
import type { JobDependencies } from "./job.ts";

/** Takes over the priced registrar's list; what it says of no TLD stays as it was. */
export function refreshPrices({ prices }: Pick<JobDependencies, "prices">): Promise<Outcome> {
  return prices.refresh();
}
