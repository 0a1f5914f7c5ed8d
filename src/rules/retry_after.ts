/** Retry-After (RFC 9110 §10.2.3): seconds, or a date. */

/**
 * The longest pause that is made, and the longest that is passed on: a caller is not sent away for longer than the host
 * is left alone. A host that wants more says so again.
 */
const LONGEST_PAUSE_MS = 60 * 60_000;
const SECONDS = /^\d+$/;
/** All three forms of an HTTP date (RFC 9110 §5.6.7) begin with the day of the week; `Date.parse` takes much else. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;
/** Only the form of `asctime` ends with the year. It means UTC, and `Date.parse` would take it for local time. */
const ZONELESS_END = / \d{4}$/;

/** Milliseconds to wait from `now`, an hour at most; undefined where the header is absent or makes no sense. */
export function readRetryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  const ms = SECONDS.test(text)
    ? Number(text) * 1_000
    : DATE.test(text)
    ? Date.parse(ZONELESS_END.test(text) ? `${text} GMT` : text) - now
    : NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), LONGEST_PAUSE_MS);
}
