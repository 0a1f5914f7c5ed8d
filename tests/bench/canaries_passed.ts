import type { ServiceProcess } from "../support/process.ts";
import { timedCheck } from "./timed_check.ts";

const PATIENCE_MS = 20_000;
const TRIES = 3;

/** Settles once the service has logged that the canary of every TLD passed. */
export async function canariesPassed(
  service: ServiceProcess,
  tlds: readonly string[],
): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    // A test that stayed undecided, as on a busy machine, is only made again for somebody who asks.
    if (tried > 0) await timedCheck(service);
    const until = performance.now() + PATIENCE_MS;
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
