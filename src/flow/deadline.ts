import type { Clock } from "./process.ts";

/** A one-shot timer that can be stopped. */
export interface Alarm {
  stop(): void;
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

/** A timer that rings so much later than due shows that the event loop was blocked. */
const BLOCKED_MS = 200;

/**
 * The promise's value, or `fallback` once `ms` have passed; the promise itself continues. With a clock, for calls to a store, the
 * time starts once more where the event loop was blocked, or the store has answered another call meanwhile: a burst of calls,
 * which wait for each other, is no fault of the store.
 */
export async function withDeadline<T, Fallback>(
  promise: Promise<T>,
  ms: number,
  fallback: Fallback,
  { monotonic = () => 0, answeredAt = () => -Infinity, startAlarm = startTimer }: {
    /** Absent: it is not noticed where the event loop was blocked. */
    monotonic?: Clock["monotonic"];
    /** When the store last answered a call. */
    answeredAt?: () => number;
    startAlarm?: typeof startTimer;
  } = {},
): Promise<T | Fallback> {
  const { promise: expired, resolve } = Promise.withResolvers<Fallback>();
  const startedAt = monotonic();
  const ring = () => {
    const isBusy = monotonic() - startedAt >= ms + BLOCKED_MS || answeredAt() > startedAt;
    alarm = startAlarm(() => resolve(fallback), isBusy ? ms + GRACE_MS : GRACE_MS);
  };
  let alarm = startAlarm(ring, ms);
  try {
    return await Promise.race([promise, expired]);
  } finally {
    alarm.stop();
  }
}

/** Resolves after `ms`, or once one of the signals is aborted. */
export async function pause(ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
  using limit = startTimeLimit(ms, signals);
  const { signal } = limit;
  if (!signal.aborted) await new Promise((end) => signal.addEventListener("abort", end));
}

/**
 * Starts a time limit of one call, whose signal is also aborted with any of `others`. It listens to them until it is disposed
 * of, as it must be once the call has ended: what `AbortSignal.any()` keeps alive survives each collection of young objects,
 * half of a look-up's memory (measured).
 */
export function startTimeLimit(ms: number, others: readonly AbortSignal[]) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let isOver = false;
  const expire = () => {
    isOver = true;
    abort();
  };
  const timer = setTimeout(expire, ms);
  for (const other of others) {
    if (other.aborted) abort();
    else other.addEventListener("abort", abort);
  }
  return {
    /** Aborted once the time is over, or with another signal. */
    signal: controller.signal,
    /** Whether the time is over. */
    isOver: () => isOver,
    /** Ends the time now. */
    expire,
    [Symbol.dispose](): void {
      clearTimeout(timer);
      for (const other of others) other.removeEventListener("abort", abort);
    },
  };
}
