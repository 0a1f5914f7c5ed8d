/** Slots of subjects that are too many to be remembered one by one. */
import { append, countOf, type Slots, unexpired, type Window } from "../rules/window.ts";

/** Windows that subjects share by a hash of their names: they may be refused early for each other, and never late. */
export interface Crowd {
  count(subject: string, now: number): number;
  add(subject: string, slots: Slots): void;
}

/** Enough that a few subjects seldom share one, and few enough to need no bound; a power of two. */
const SHARED_WINDOWS = 1_024;

/** Creates a crowd in which nothing is taken. */
export function createCrowd(windowMs: number): Crowd {
  const windows = new Map<number, Window>();
  return {
    count(subject, now) {
      if (windows.size === 0) return 0;
      const place = placeOf(subject);
      const window = unexpired(windows.get(place) ?? [], now, windowMs);
      if (window.length === 0) windows.delete(place);
      else windows.set(place, window);
      return countOf(window);
    },
    add(subject, slots) {
      const place = placeOf(subject);
      windows.set(place, append(windows.get(place) ?? [], slots));
    },
  };
}

/** FNV-1a: addresses that differ in few characters must not share a window for that. */
function placeOf(subject: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < subject.length; n++) {
    hash = Math.imul(hash ^ subject.charCodeAt(n), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (SHARED_WINDOWS - 1);
}
