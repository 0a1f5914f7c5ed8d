/** How long the rate limiter has been on its fallback, by the events that it reports. */
import type { Report } from "../flow/report.ts";

/** The time on the fallback, and the report function that measures it. */
export interface FallbackTime {
  report: Report;
  /** In ms, the current time on the fallback included. */
  totalMs(): number;
}

/** Passes reports on and measures from `limits.alone` to `limits.shared`; `monotonic` is in ms, never set back. */
export function measureFallbackTime(report: Report, monotonic: () => number): FallbackTime {
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
