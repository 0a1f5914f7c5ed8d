/** Admissions that KV does not know of, made while it was out of reach or by a commit of which nobody knows the end. */
import { live, merge, type Slots, type Window } from "../rules/window.ts";

/** What this process owes to KV, at a time: whoever decides reads the clock once. */
export interface Debts {
  /** What is owed for a subject. */
  of(subject: string, time: number): Window;
  /** What subjects owe together that found no place of their own; each counts as this one's, never in KV. */
  common(subject: string, time: number): Window;
  owe(subject: string, slots: Slots, time: number): void;
  /** Takes what is to be written now; it stays owed until `paid`. */
  pay(subject: string, time: number): Window;
  paid(subject: string): void;
  /** Takes back all that was to be written: it may have been or not, and counts again. */
  unpaid(time: number): void;
  /** At most `max` subjects that owe. */
  some(max: number, time: number): string[];
}

/** Enough that a few strangers seldom meet, and few enough to be nothing; a power of two. */
const COMMON_WINDOWS = 1_024;
const NONE: Window = [];

/**
 * Creates the book of debts. It must forget nothing that still counts, or an outage would lift the limit; so once `max`
 * subjects owe, the others share windows by a hash of their name: they may be refused early, and never late.
 */
export function createDebts({ max, windowMs }: { max: number; windowMs: number }): Debts {
  const owed = new Map<string, Window>();
  const paying = new Map<string, Window>();
  const commons = new Map<number, Window>();

  function counting<K>(book: Map<K, Window>, key: K, time: number): Window {
    const before = book.get(key) ?? NONE;
    const after = live(before, time, windowMs);
    if (after !== before) book.set(key, after);
    return after;
  }

  /** What was owed last stands last, so what has lapsed stands first. */
  function sweep(time: number): void {
    for (const subject of owed.keys()) {
      if (counting(owed, subject, time).length > 0) return;
      owed.delete(subject);
    }
  }

  function owe(subject: string, slots: Slots, time: number): void {
    sweep(time);
    if (!owed.has(subject) && owed.size >= max) {
      const place = placeOf(subject);
      commons.set(place, merge(counting(commons, place, time), [slots]));
      return;
    }
    const window = merge(counting(owed, subject, time), [slots]);
    owed.delete(subject);
    owed.set(subject, window);
  }

  function pay(subject: string, time: number): Window {
    const window = merge(paying.get(subject) ?? NONE, counting(owed, subject, time));
    owed.delete(subject);
    if (window.length > 0) paying.set(subject, window);
    return window;
  }

  function unpaid(time: number): void {
    for (const [subject, window] of paying) {
      owed.set(subject, merge(window, counting(owed, subject, time)));
    }
    paying.clear();
  }

  function some(max: number, time: number): string[] {
    sweep(time);
    return owed.keys().take(max).toArray();
  }

  function common(subject: string, time: number): Window {
    return commons.size === 0 ? NONE : counting(commons, placeOf(subject), time);
  }

  return {
    of: (subject, time) => merge(paying.get(subject) ?? NONE, counting(owed, subject, time)),
    common,
    owe,
    pay,
    paid: (subject) => void paying.delete(subject),
    unpaid,
    some,
  };
}

/** FNV-1a: addresses differ in few characters, and must not meet for that. */
function placeOf(subject: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < subject.length; n++) {
    hash = Math.imul(hash ^ subject.charCodeAt(n), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (COMMON_WINDOWS - 1);
}
