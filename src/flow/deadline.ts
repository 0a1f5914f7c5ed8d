/** A one-shot timer that can be stopped. */
export interface Alarm {
  stop(): void;
}

/** A monotonic clock, in ms, and a timer on it. */
export interface Timing {
  readonly monotonic: () => number;
  readonly startAlarm: typeof startAlarm;
}

/** After a blocked event loop, answers that have arrived are processed before a deadline expires. */
const GRACE_MS = 10;

/**
 * Calls `ring` once, after `ms`; for pauses that a closing service leaves behind, which tests would report as leaks if
 * they were timers. The runtime keeps even a stopped alarm until its time, so deadlines of calls take timers.
 */
export function startAlarm(ring: () => void, ms: number): Alarm {
  const signal = AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
  signal.addEventListener("abort", ring);
  return { stop: () => signal.removeEventListener("abort", ring) };
}

/** Calls `ring` once, after `ms`. */
export function startTimer(ring: () => void, ms: number): Alarm {
  const timer = setTimeout(ring, ms);
  return { stop: () => clearTimeout(timer) };
}

/** The promise's value, or `fallback` once `ms` have passed; the promise itself continues. */
export async function withDeadline<T, Fallback>(
  promise: Promise<T>,
  ms: number,
  fallback: Fallback,
  start = startTimer,
): Promise<T | Fallback> {
  const { promise: expired, resolve } = Promise.withResolvers<Fallback>();
  let alarm = start(() => alarm = start(() => resolve(fallback), GRACE_MS), ms);
  try {
    return await Promise.race([promise, expired]);
  } finally {
    alarm.stop();
  }
}

/** A timer that rings so much later than due shows that the event loop was blocked. */
const BLOCKED_MS = 200;

/**
 * `withDeadline()` for a call to a store, which starts once more where the event loop was blocked, or where the store has
 * answered another call meanwhile: a burst of look-ups, behind which calls wait, is no fault of the store.
 */
export async function withRunningDeadline<T, Fallback>(
  promise: Promise<T>,
  ms: number,
  fallback: Fallback,
  { monotonic, answeredAt, startAlarm = startTimer }:
    & Pick<Timing, "monotonic">
    & Partial<Timing>
    & {
      /** When the store last answered a call. */
      answeredAt: () => number;
    },
): Promise<T | Fallback> {
  const late = Symbol();
  const startedAt = monotonic();
  const value = await withDeadline(promise, ms, late, startAlarm);
  if (value !== late) return value as T;
  const isBlocked = monotonic() - startedAt >= ms + GRACE_MS + BLOCKED_MS;
  if (!isBlocked && answeredAt() <= startedAt) return fallback;
  return await withDeadline(promise, ms, fallback, startAlarm);
}
