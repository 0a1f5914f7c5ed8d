/** Retry-After (RFC 9110 §10.2.3): seconds, or a date. */

const SECONDS = /^\d{1,9}$/;

/** Milliseconds to wait from `now`, or undefined where the header is absent or makes no sense. */
export function readRetryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (text === "") return undefined;
  if (SECONDS.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
