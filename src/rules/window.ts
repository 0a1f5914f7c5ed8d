/**
 * The used slots of a sliding window, in whole milliseconds. A slot used at t counts in [t, t + WINDOW_MS) and expires at
 * t + WINDOW_MS.
 */

/** Slots used at one time. */
interface Slots {
  /** The time, in ms since 1970. */
  readonly at: number;
  readonly count: number;
}

/** Slots, oldest first; one entry per time. */
export type Window = readonly Slots[];

/** The length of a window. */
export const WINDOW_MS = 60_000;

/** Up to this limit every slot has its exact time; a longer log would make each commit expensive. */
const LARGEST_EXACT_LIMIT = 300;
/** Above it, slots of one second share an entry at the second's end: a slot expires late, by less than this. */
const TICK_MS = 1_000;

/** The time to record for a slot: now, or for a large limit the last ms of the second. */
export function slotTime(now: number, limit: number): number {
  if (limit <= LARGEST_EXACT_LIMIT) return now;
  return Math.floor(now / TICK_MS) * TICK_MS + TICK_MS - 1;
}

/**
 * The slots that still count. If the newest is more than a window ahead, the clock was set back and their age is unknown:
 * all count as used now. So none expires early, and no client is refused until the old time returns.
 */
export function unexpired(window: Window, now: number): Window {
  const newest = window.at(-1);
  if (newest === undefined) return window;
  if (newest.at > now + WINDOW_MS) return [{ at: now, count: countOf(window) }];
  const first = window.findIndex(({ at }) => at + WINDOW_MS > now);
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

/** The window with further slots, which usually are the newest and go to the end. */
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

/** The slots of one window minus those of another, per time and not below zero. */
export function without(window: Window, other: Window): Window {
  if (other.length === 0) return window;
  const removed = new Map(other.map(({ at, count }) => [at, count]));
  return window.map(({ at, count }) => ({ at, count: count - (removed.get(at) ?? 0) }))
    .filter(({ count }) => count > 0);
}

/** All slots, each `ms` later. */
export function shift(window: Window, ms: number): Window {
  return window.map(({ at, count }) => ({ at: at + ms, count }));
}

/** The number of slots. */
export function countOf(window: Window): number {
  let sum = 0;
  for (const { count } of window) sum += count;
  return sum;
}

/** When `missing` slots will have expired, or all of them if there are fewer. */
export function releaseTime(window: Window, missing: number): number | undefined {
  let freed = 0;
  let time: number | undefined;
  for (const { at, count } of window) {
    time = at + WINDOW_MS;
    freed += count;
    if (freed >= missing) break;
  }
  return time;
}
