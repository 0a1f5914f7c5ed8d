import type { Alarm } from "./alarm.ts";

/** Deadlines of one length that share one timer. */
export interface Deadlines {
  /** The promise's value, or `fallback` once the time has passed; the promise itself continues. */
  withFallback<T, Fallback>(promise: Promise<T>, fallback: Fallback): Promise<T | Fallback>;
  /** Stops the timer, so that the process can exit; pending deadlines no longer expire. */
  stop(): void;
}

/** After a blocked event loop, answers that have arrived are processed before a deadline expires. */
const GRACE_MS = 10;

interface PendingCall {
  readonly until: number;
  overdueSince?: number;
  giveUp(): void;
}

/** A monotonic clock, in ms, and a timer on it. */
export interface Timing {
  readonly monotonic: () => number;
  readonly startAlarm: (ring: () => void, ms: number) => Alarm;
}

/** Creates deadlines of `ms`. They expire in the order in which they started, so one alarm is enough. */
export function createDeadlines(
  ms: number,
  { monotonic, startAlarm }: Timing,
): Deadlines {
  const waiting = new Set<PendingCall>();
  let alarm: Alarm | undefined;

  function ring(): void {
    const now = monotonic();
    for (const one of waiting) {
      if (one.until > now) break;
      one.overdueSince ??= now;
      if (now - one.overdueSince < GRACE_MS) continue;
      waiting.delete(one);
      one.giveUp();
    }
    const [first] = waiting;
    alarm = first && startAlarm(ring, Math.max(GRACE_MS, first.until - now));
  }

  async function withFallback<T, Fallback>(
    promise: Promise<T>,
    fallback: Fallback,
  ): Promise<T | Fallback> {
    const { promise: expired, resolve } = Promise.withResolvers<Fallback>();
    const one: PendingCall = { until: monotonic() + ms, giveUp: () => resolve(fallback) };
    waiting.add(one);
    alarm ??= startAlarm(ring, ms);
    try {
      return await Promise.race([promise, expired]);
    } finally {
      waiting.delete(one);
    }
  }

  function stop(): void {
    alarm?.stop();
    alarm = undefined;
  }

  return { withFallback, stop };
}
