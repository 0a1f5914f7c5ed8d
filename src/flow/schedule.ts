/** When tasks of one key may start: GCRA (a token bucket that keeps one time), with two lanes. */

import type { Reception } from "./learnt_pace.ts";

/** How fast tasks of one key may start. */
export interface Pace {
  /** Tasks at the same time. */
  readonly concurrency: number;
  /** Tasks that may start without a pause between them. */
  readonly burst: number;
  /** Where it is given, the burst is learnt (`learnt_pace.ts`): it starts here and grows up to `burst`. */
  readonly firstBurst?: number;
  /** Time after which one more may start, in ms; 0: `concurrency` is the only limit. */
  readonly everyMs: number;
}

/**
 * Which task goes first: `background` tasks start only where no `foreground` task waits, and use at most half of the places and of
 * the burst, so that a `foreground` task that comes meanwhile seldom finds a key used up.
 */
export type Priority = "foreground" | "background";

/** The start times of one key's tasks. */
export interface Schedule {
  /**
   * Takes a start that is due now for the first of the `waiting` tasks of a lane: 0. Otherwise the time in ms after which
   * to ask again; `Infinity`: the schedule calls its `wake` then.
   */
  take(priority: Priority, waiting: number): number;
  /** Learns from how a task was received, where the pace is learnt. */
  note?(reception: Reception): void;
}

/** The pace of each lane. */
export function pacesByPriority(pace: Pace): Readonly<Record<Priority, Pace>> {
  const background = {
    ...pace,
    concurrency: Math.ceil(pace.concurrency / 2),
    burst: Math.floor(pace.burst / 2),
  };
  return { foreground: pace, background };
}

/** Creates a schedule that one gate has for itself. */
export function createOwnSchedule(
  pace: Pace,
  { monotonic }: { monotonic: () => number },
): Schedule {
  const paces = pacesByPriority(pace);
  /** When the starts so far are used up (GCRA's theoretical arrival time), in monotonic ms. */
  let spentUntil = 0;
  return {
    take(priority) {
      const { burst, everyMs } = paces[priority];
      const time = monotonic();
      const pauseMs = spentUntil - (burst - 1) * everyMs - time;
      if (pauseMs > 0) return pauseMs;
      spentUntil = Math.max(spentUntil, time) + everyMs;
      return 0;
    },
  };
}
