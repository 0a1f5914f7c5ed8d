/** Windows for keys beyond the number that is remembered one by one. */
import { append, countOf, type Slots, unexpired, type Window } from "../rules/window.ts";

/** Windows shared by keys with the same hash: a key may be refused early because of another, never late. */
export interface OverflowWindows {
  count(key: string, now: number): number;
  add(key: string, slots: Slots): void;
}

/** So many that a few keys seldom collide, and so few that memory is bounded; a power of two. */
const SHARED_WINDOWS = 1_024;

/** Creates empty windows. */
export function createOverflowWindows(windowMs: number): OverflowWindows {
  const windows = new Map<number, Window>();
  return {
    count(key, now) {
      if (windows.size === 0) return 0;
      const place = placeOf(key);
      const window = unexpired(windows.get(place) ?? [], now, windowMs);
      if (window.length === 0) windows.delete(place);
      else windows.set(place, window);
      return countOf(window);
    },
    add(key, slots) {
      const place = placeOf(key);
      windows.set(place, append(windows.get(place) ?? [], slots));
    },
  };
}

/** FNV-1a, so that addresses that differ in few characters do not collide. */
function placeOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < key.length; n++) {
    hash = Math.imul(hash ^ key.charCodeAt(n), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (SHARED_WINDOWS - 1);
}
