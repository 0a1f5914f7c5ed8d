/** How fast tasks of one key may start. */
import { evenIntervalMs, type PublishedWindow } from "./published_window.ts";

/** The limits of a key. */
export interface Pace {
  /** Concurrent tasks. */
  readonly concurrency: number;
  /** Tasks that may start without a pause between them. */
  readonly burst: number;
  /** Where given, the burst is learnt (`learnt_pace.ts`): it starts here and grows up to `burst`. */
  readonly firstBurst?: number;
  /** After so many tasks a client counts as a list. Where given, a list may use only so much of the burst; if absent, all of it. */
  readonly headStart?: number;
  /** Interval after which one more may start, in ms; 0: `concurrency` is the only limit. */
  readonly everyMs: number;
  /** Where given, the interval is learnt: it starts at `everyMs` and falls to this. */
  readonly fastestEveryMs?: number;
  /** Where given, a shared schedule starts no more tasks than it allows, and so few at once as the interval does. */
  readonly window?: PublishedWindow;
}

/** The interval at which tasks may start for ever. */
export function lastingIntervalMs({ everyMs, window }: Pace): number {
  return window === undefined ? everyMs : Math.max(everyMs, evenIntervalMs(window));
}
