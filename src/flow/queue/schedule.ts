/** When tasks of one key may start: GCRA (a token bucket stored as one time), with two priorities. */
import type { Clock } from "../clock.ts";
import type { Reception } from "./learnt_pace.ts";
import { lastingIntervalMs, type Pace } from "./pace.ts";

export type { Pace };

/**
 * `background` tasks start only if no `foreground` task waits, and use at most half of the concurrency and of the burst,
 * so that a `foreground` task that arrives meanwhile seldom finds them used up.
 */
export type Priority = "foreground" | "background";

/**
 * The priority of a start. `list` is for foreground tasks of a client that has used its head start (`fair_queue.ts`): it
 * leaves the last part of a published window to others, and of the burst what is more than a head start. `bulk` is for those
 * of a list while other clients are served: it waits until the burst is whole, and no start is taken ahead for it. The order
 * alone would not do: between the clients that come, lists would use up the burst, and a person waited 2.4 times as long as
 * alone (measured).
 */
export type StartPriority = Priority | "list" | "bulk";

/** The start times of one key's tasks. */
export interface Schedule {
  /**
   * Returns 0 if the first of `count` tasks of a priority may start now, and uses up that start. Otherwise returns the
   * time in ms after which to ask again; `Infinity`: the schedule will call its `wake`.
   */
  take(priority: StartPriority, count: number): number;
  /** The time in ms after which a task may start that has `ahead` others before it, as far as is known now. */
  expectedMs(priority: StartPriority, ahead: number): number;
  /** The interval at which tasks may start for ever, in ms, as far as is known now. */
  everyMs(): number;
  /** Learns from how a task was received, where the pace is learnt. */
  note?(reception: Reception): void;
}

/** The pace of each priority. */
export function pacesByPriority(pace: Pace): Readonly<Record<StartPriority, Pace>> {
  const background = {
    ...pace,
    concurrency: Math.ceil(pace.concurrency / 2),
    burst: Math.floor(pace.burst / 2),
  };
  const list = { ...pace, burst: pace.headStart ?? pace.burst };
  return { foreground: pace, list, bulk: { ...pace, burst: 1 }, background };
}

/** How long a task behind `ahead` others waits, in ms, where the starts so far are used up in `spentMs`. */
export function waitBehind(
  ahead: number,
  spentMs: number,
  { burst, everyMs }: Pick<Pace, "burst" | "everyMs">,
): number {
  return Math.max(0, Math.max(0, spentMs) + (ahead + 1 - burst) * everyMs);
}

/** Creates a schedule for one gate only. */
export function createOwnSchedule(
  pace: Pace,
  { monotonic }: Pick<Clock, "monotonic">,
): Schedule {
  const paces = pacesByPriority(pace);
  /** GCRA's theoretical arrival time, in monotonic ms. */
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
    expectedMs: (priority, ahead) => waitBehind(ahead, spentUntil - monotonic(), paces[priority]),
    everyMs: () => lastingIntervalMs(pace),
  };
}
