/** Parses Retry-After (RFC 9110 §10.2.3): seconds, a date, or against the standard seconds since 1970. */

/**
 * The longest cooldown, and the longest Retry-After passed on to clients, so that a client never waits longer than the
 * host's cooldown. A host that needs more will send it again.
 */
const LONGEST_PAUSE_MS = 60 * 60_000;
const SECONDS = /^\d+$/;
/** So many seconds (31 years) are no pause but a time since 1970, as some servers send. */
const SINCE_1970 = 1e9;
/** All three forms of an HTTP date (RFC 9110 §5.6.7) begin with the weekday; `Date.parse` accepts much else. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;
/** Only the `asctime` form ends with the year. It means UTC, but `Date.parse` would read it as local time. */
const ZONELESS_END = / \d{4}$/;

/** Milliseconds to wait from `now`, at most an hour; undefined if the header is absent or invalid. */
export function readRetryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  const ms = SECONDS.test(text)
    ? Number(text) * 1_000 - (Number(text) < SINCE_1970 ? 0 : now)
    : DATE.test(text)
    ? Date.parse(ZONELESS_END.test(text) ? `${text} GMT` : text) - now
    : NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), LONGEST_PAUSE_MS);
}
