/** How much of a key's burst is used: it is learnt from the answers, between one and the burst of the pace. */
import type { Pace } from "./pace.ts";

/** What processes share of what they learnt. All times are schedule time (`shared_schedule.ts`), in ms. */
export interface LearntPace {
  /** When it was learnt: of two values the later one counts. */
  readonly at: number;
  readonly burst: number;
  /** Until then the burst is 1 and the pace is half as fast. */
  readonly slowUntil: number;
}

/** How the other side took a task: `clean`, or `limited`, by asking for fewer. */
export type Reception = "clean" | "limited";

/** How long a host that asked for fewer requests is asked carefully. */
const SLOW_MS = 3_600_000;

/** The pace in force at a time; that of a key which learns nothing is the pace itself. */
export function paceInForce(pace: Pace, learnt: LearntPace | undefined, time: number): Pace {
  if (pace.firstBurst === undefined) return pace;
  if (learnt !== undefined && learnt.slowUntil > time) {
    return { ...pace, burst: 1, everyMs: 2 * pace.everyMs };
  }
  return { ...pace, burst: Math.min(pace.burst, learnt?.burst ?? pace.firstBurst) };
}

/** What is known after one more task; the same value where nothing changed. */
export function learn(
  pace: Pace,
  learnt: LearntPace | undefined,
  reception: Reception,
  time: number,
): LearntPace | undefined {
  if (pace.firstBurst === undefined) return learnt;
  switch (reception) {
    case "limited":
      return { at: time, burst: 1, slowUntil: time + SLOW_MS };
    case "clean": {
      const { burst } = paceInForce(pace, learnt, time);
      const isSlow = learnt !== undefined && learnt.slowUntil > time;
      if (isSlow || burst >= pace.burst) return learnt;
      return { at: time, burst: burst + 1, slowUntil: 0 };
    }
    default:
      return reception satisfies never;
  }
}

/** The one of two that was learnt later. */
export function newerPace(
  one: LearntPace | undefined,
  other: LearntPace | undefined,
): LearntPace | undefined {
  return (other?.at ?? -Infinity) > (one?.at ?? -Infinity) ? other : one;
}
