/** How long the limiter has been without KV, by the events that it reports. */
import type { Report } from "../flow/report.ts";

/** The time so far, and the report that measures it. */
export interface AloneTime {
  report: Report;
  /** All times together, the one that goes on included, in ms. */
  totalMs(): number;
}

/** Passes reports on and takes the time between the limiter's two; `monotonic` is a clock in ms that is never set back. */
export function measureAlone(report: Report, monotonic: () => number): AloneTime {
  let endedMs = 0;
  let since: number | undefined;
  return {
    report(event, fields) {
      if (event === "limits.alone") since ??= monotonic();
      if (event === "limits.shared" && since !== undefined) {
        endedMs += monotonic() - since;
        since = undefined;
      }
      report(event, fields);
    },
    totalMs: () => endedMs + (since === undefined ? 0 : monotonic() - since),
  };
}
