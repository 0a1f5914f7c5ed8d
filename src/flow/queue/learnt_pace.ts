/** What is learnt from the answers of a key: how much of its burst is used, or how long the interval is. */
import { lastingIntervalMs, type Pace } from "./pace.ts";

/** What processes share of what they learnt. All times are schedule time (`shared_schedule.ts`), in ms. */
export interface LearntPace {
  /** When it was learnt: of two values the later one counts. */
  readonly at: number;
  readonly burst: number;
  /** Until then the burst is 1 and the lasting pace is half as fast; or where the interval is learnt, it does not fall again. */
  readonly slowUntil: number;
  /** The interval in ms, where it is learnt. */
  readonly everyMs?: number;
}

/** How the other side took a task: `clean`, or `limited`, by asking for fewer. */
export type Reception = "clean" | "limited";

/** How long a host that asked for fewer requests is asked carefully. */
const SLOW_MS = 3_600_000;
/** After so many clean answers in a row, one more question a second may start; of less than one a second, a quarter more. */
const CLEAN_TO_GROW = 20;
const GROWTH_WHEN_SLOW = 1.25;
/** Answers to questions that were sent before the host asked for fewer arrive until then: they ask for the same. */
const IN_FLIGHT_MS = 10_000;
/** A host that limits even this is down for us; its pauses say for how long. */
const SLOWEST_EVERY_MS = 10_000;

/** The pace in force at a time; that of a key which learns nothing is the pace itself. */
export function paceInForce(
  pace: Pace,
  learnt: LearntPace | undefined,
  time: number,
): Pace {
  if (pace.fastestEveryMs !== undefined) {
    return { ...pace, everyMs: learnt?.everyMs ?? pace.everyMs };
  }
  if (pace.firstBurst === undefined) return pace;
  if (learnt !== undefined && learnt.slowUntil > time) {
    return { ...pace, burst: 1, everyMs: 2 * lastingIntervalMs(pace) };
  }
  return { ...pace, burst: Math.min(pace.burst, learnt?.burst ?? pace.firstBurst) };
}

/** What is known after one more task, of which `clean` in a row were clean; the same value where nothing changed. */
export function learn(
  pace: Pace,
  learnt: LearntPace | undefined,
  reception: Reception,
  time: number,
  clean = 1,
): LearntPace | undefined {
  if (pace.fastestEveryMs !== undefined) return learnInterval(pace, learnt, reception, time, clean);
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

function learnInterval(
  { burst, everyMs: firstMs, fastestEveryMs = 0 }: Pace,
  learnt: LearntPace | undefined,
  reception: Reception,
  time: number,
  clean: number,
): LearntPace | undefined {
  const everyMs = learnt?.everyMs ?? firstMs;
  const slowUntil = learnt?.slowUntil ?? 0;
  switch (reception) {
    case "limited":
      if (slowUntil > time) return learnt;
      return {
        at: time,
        burst,
        slowUntil: time + IN_FLIGHT_MS,
        everyMs: Math.min(2 * everyMs, SLOWEST_EVERY_MS),
      };
    case "clean": {
      if (clean % CLEAN_TO_GROW !== 0 || everyMs <= fastestEveryMs) return learnt;
      const soonerMs = everyMs > 1_000
        ? Math.max(1_000, everyMs / GROWTH_WHEN_SLOW)
        : 1_000 / (1_000 / everyMs + 1);
      return { at: time, burst, slowUntil, everyMs: Math.max(fastestEveryMs, soonerMs) };
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
