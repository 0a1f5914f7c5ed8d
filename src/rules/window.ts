/**
 * Slots taken in a sliding window, in a clock of whole milliseconds. A slot taken at t counts in [t, t + windowMs) and is
 * free again at t + windowMs itself.
 */

/** Slots taken at one time. */
export interface Slots {
  /** The time, in ms since 1970. */
  readonly at: number;
  readonly count: number;
}

/** Slots, oldest first; no two at one time. */
export type Window = readonly Slots[];

/** The length of a window unless another is given. */
export const WINDOW_MS = 60_000;

/** Up to here every slot is kept with its own time; a log of more would make each commit heavy. */
const LARGEST_EXACT_LIMIT = 300;
/** Beyond it those of a second share an entry at the second's end: a slot comes back late, by less than this. */
const TICK_MS = 1_000;

/** The time under which a slot of such a limit is kept: now, or for a large limit the last ms of its second. */
export function stampOf(now: number, limit: number): number {
  if (limit <= LARGEST_EXACT_LIMIT) return now;
  return Math.floor(now / TICK_MS) * TICK_MS + TICK_MS - 1;
}

/**
 * The slots that still count. Where the newest lies more than a window ahead, the clock was set back since, and how old
 * they are cannot be known: all count as taken now. That frees none early, and refuses no caller until the old time is
 * back.
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
  for (const slots of [...one, ...other].sort((a, b) => a.at - b.at)) add(merged, slots);
  return merged;
}

/** One window with further slots; most are not older than any, and put at the end. */
export function append(window: Window, slots: Slots): Window {
  if ((window.at(-1)?.at ?? 0) > slots.at) return merge(window, [slots]);
  const longer = [...window];
  add(longer, slots);
  return longer;
}

function add(window: Slots[], slots: Slots): void {
  const last = window.at(-1);
  if (last?.at !== slots.at) window.push(slots);
  else window[window.length - 1] = { at: last.at, count: last.count + slots.count };
}

/** The slots of one window without those of another, of each time at most as many as there are. */
export function without(window: Window, other: Window): Window {
  if (other.length === 0) return window;
  const gone = new Map(other.map(({ at, count }) => [at, count]));
  return window.map(({ at, count }) => ({ at, count: count - (gone.get(at) ?? 0) }))
    .filter(({ count }) => count > 0);
}

/** All slots, each `ms` later. */
export function shift(window: Window, ms: number): Window {
  return window.map(({ at, count }) => ({ at: at + ms, count }));
}

/** How many slots there are. */
export function countOf(window: Window): number {
  let sum = 0;
  for (const { count } of window) sum += count;
  return sum;
}

/** When so many slots will have come free; the time of the last of them where there are fewer. */
export function releaseOf(window: Window, missing: number, windowMs: number): number | undefined {
  let freed = 0;
  let time: number | undefined;
  for (const { at, count } of window) {
    time = at + windowMs;
    freed += count;
    if (freed >= missing) break;
  }
  return time;
}
