/**
 * The exact sliding window: never more than `limit` slots taken in any `windowMs`, in a clock of whole milliseconds.
 * A slot taken at t counts in [t, t + windowMs) and is free again at t + windowMs itself.
 */

/** Slots taken at one time. */
export interface Slots {
  /** The time, in ms since 1970; for a large limit the last ms of its second. */
  readonly at: number;
  readonly count: number;
}

/** The slots that count, oldest first; no two at one time. */
export type Window = readonly Slots[];

/** What is asked for: `cost` slots (1) of `limit` in `windowMs` (a minute). */
export interface Claim {
  readonly limit: number;
  readonly cost?: number;
  readonly windowMs?: number;
}

/** What is left, and when the next slot comes free (now, where none is taken). */
export interface Standing {
  readonly remaining: number;
  readonly resetAt: number;
}

/** Let in, and since when that counts; or refused, and when the same claim would be let in. */
export type Admission =
  | Standing & { readonly kind: "admitted"; readonly at: number }
  | Standing & { readonly kind: "refused"; readonly retryAfterMs: number };

/** The length of a window unless told otherwise. */
export const WINDOW_MS = 60_000;

/** Up to here every admission is kept with its own time; a log of more would make each commit heavy. */
const LARGEST_EXACT_LIMIT = 300;
/** Beyond it those of a second share an entry at the second's end: a slot comes back late, by less than this. */
const TICK_MS = 1_000;

/** Takes the slots if they are free; a refusal takes none. */
export function admit(
  window: Window,
  now: number,
  { limit, cost = 1, windowMs = WINDOW_MS }: Claim,
): { admission: Admission; window: Window } {
  const before = live(window, now, windowMs);
  const free = limit - countOf(before);
  if (cost > free) {
    const retryAfterMs = timeOfRelease(before, cost - free, now) + windowMs - now;
    const standing = peek(before, now, { limit, windowMs });
    return { admission: { kind: "refused", ...standing, retryAfterMs }, window: before };
  }
  const at = Math.max(timeOf(now, limit), before.at(-1)?.at ?? 0);
  const after = append(before, { at, count: cost });
  const standing = peek(after, now, { limit, windowMs });
  return { admission: { kind: "admitted", ...standing, at }, window: after };
}

/** How a window stands; takes nothing. */
export function peek(
  window: Window,
  now: number,
  { limit, windowMs = WINDOW_MS }: Omit<Claim, "cost">,
): Standing {
  const slots = live(window, now, windowMs);
  const [oldest] = slots;
  return {
    remaining: Math.max(0, limit - countOf(slots)),
    resetAt: oldest === undefined ? now : oldest.at + windowMs,
  };
}

/**
 * The slots that still count. Where the newest lies more than a window ahead, the clock was set back since: nobody knows
 * how old they are, so all count as taken now. That frees none early, and keeps nobody out until the old time is back.
 */
export function live(window: Window, now: number, windowMs: number = WINDOW_MS): Window {
  const newest = window.at(-1);
  if (newest === undefined) return window;
  if (newest.at > now + windowMs) return [{ at: now, count: countOf(window) }];
  const first = window.findIndex(({ at }) => at + windowMs > now);
  if (first === 0) return window;
  return first < 0 ? [] : window.slice(first);
}

/** All slots of two windows. */
export function merge(one: Window, other: Window): Window {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const merged: Slots[] = [];
  for (const slots of [...one, ...other].sort((a, b) => a.at - b.at)) {
    const last = merged.at(-1);
    if (last?.at !== slots.at) merged.push(slots);
    else merged[merged.length - 1] = { at: last.at, count: last.count + slots.count };
  }
  return merged;
}

/** Adds slots that are not older than any: most windows grow by one at a time. */
function append(window: Window, slots: Slots): Window {
  const last = window.at(-1);
  if (last?.at !== slots.at) return [...window, slots];
  return window.with(-1, { at: last.at, count: last.count + slots.count });
}

/** How many slots there are. */
export function countOf(window: Window): number {
  let sum = 0;
  for (const { count } of window) sum += count;
  return sum;
}

function timeOf(now: number, limit: number): number {
  if (limit <= LARGEST_EXACT_LIMIT) return now;
  return Math.floor(now / TICK_MS) * TICK_MS + TICK_MS - 1;
}

/** When the last of the first `missing` slots was taken; a claim beyond the limit waits for all, and in vain. */
function timeOfRelease(window: Window, missing: number, now: number): number {
  let time = now;
  let freed = 0;
  for (const { at, count } of window) {
    time = at;
    freed += count;
    if (freed >= missing) break;
  }
  return time;
}
