import type { Pace } from "./schedule.ts";

/** How many questions may be under way at once, learnt from how long their answers take. */
export interface LearntConcurrency {
  /** The pace of a gate, whose concurrency changes. */
  readonly pace: Pace;
  /** Learns from a question that took `ms`. */
  note(ms: number): void;
}

/** Answers count as slow when they take so many times as long as the fastest; a burst of look-ups alone doubles their time. */
const SLOW = 3;
/** How the fastest time is forgotten, by round: a resolver may become slower for good. */
const FORGETTING = 1.001;
const GROWTH = 4;
const SHRINKING = 0.75;

/**
 * Learns it, from `least` up to `most`. A round is as many questions as may be under way: after one whose answers were fast
 * on average the number grows, after a slow one it shrinks.
 */
export function createLearntConcurrency(
  { least, most }: { least: number; most: number },
): LearntConcurrency {
  let current = least;
  let fastest = Infinity;
  let count = 0;
  let sum = 0;
  return {
    pace: {
      get concurrency() {
        return current;
      },
      burst: most,
      everyMs: 0,
    },
    note(ms) {
      count++;
      sum += ms;
      if (count < current) return;
      const average = sum / count;
      count = sum = 0;
      fastest = Math.min(average, fastest * FORGETTING);
      current = average < SLOW * fastest
        ? Math.min(most, current + GROWTH)
        : Math.max(least, Math.floor(current * SHRINKING));
    },
  };
}
