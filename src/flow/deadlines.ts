import type { Alarm } from "./alarm.ts";

/** Deadlines that are all equally long. */
export interface Deadlines {
  /** The promise's value, or `late` once the time has passed; the promise itself goes on. */
  meet<T, Late>(promise: Promise<T>, late: Late): Promise<T | Late>;
  /** Stops watching: nothing is late any more. A process may end then. */
  stop(): void;
}

/** The event loop may have stood still: what came in meanwhile is heard before anybody is late. */
const GRACE_MS = 10;

interface Waiting {
  readonly until: number;
  lastCallAt?: number;
  giveUp(): void;
}

/** A monotonic clock, in ms, and what waits by it. */
export interface Timing {
  readonly monotonic: () => number;
  readonly startAlarm: (ring: () => void, ms: number) => Alarm;
}

/** Creates deadlines of `ms`. They end in the order in which they began, so one alarm does for all of them. */
export function createDeadlines(
  ms: number,
  { monotonic, startAlarm }: Timing,
): Deadlines {
  const waiting = new Set<Waiting>();
  let alarm: Alarm | undefined;

  function ring(): void {
    const now = monotonic();
    for (const one of waiting) {
      if (one.until > now) break;
      one.lastCallAt ??= now;
      if (now - one.lastCallAt < GRACE_MS) continue;
      waiting.delete(one);
      one.giveUp();
    }
    const [first] = waiting;
    alarm = first && startAlarm(ring, Math.max(GRACE_MS, first.until - now));
  }

  async function meet<T, Late>(promise: Promise<T>, late: Late): Promise<T | Late> {
    const { promise: over, resolve } = Promise.withResolvers<Late>();
    const one: Waiting = { until: monotonic() + ms, giveUp: () => resolve(late) };
    waiting.add(one);
    alarm ??= startAlarm(ring, ms);
    try {
      return await Promise.race([promise, over]);
    } finally {
      waiting.delete(one);
    }
  }

  function stop(): void {
    alarm?.stop();
    alarm = undefined;
  }

  return { meet, stop };
}
