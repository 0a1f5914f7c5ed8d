/** A one-shot timer that can be stopped. */
export interface Alarm {
  stop(): void;
}

/**
 * Calls `ring` once, after `ms`. For timers at start-up: the first `setTimeout` of a process makes Deno load Node's
 * timers, a twelfth of the whole start (measured, Deno 2.9.6). The runtime keeps even a stopped alarm until its time, so
 * per-request timers must use `deadlines.ts` instead.
 */
export function startAlarm(ring: () => void, ms: number): Alarm {
  const signal = AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
  signal.addEventListener("abort", ring);
  return { stop: () => signal.removeEventListener("abort", ring) };
}
