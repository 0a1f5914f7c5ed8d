/** Something that will happen, unless it is stopped before. */
export interface Alarm {
  stop(): void;
}

/**
 * Calls `ring` once, after `ms`. For what a start sets going: the first `setTimeout` of a process makes Deno read Node's
 * timers, a twelfth of the whole start (measured, Deno 2.9.6). The runtime keeps even a stopped alarm until its time
 * has come, so what begins and ends with every request needs another way (`deadlines.ts`).
 */
export function startAlarm(ring: () => void, ms: number): Alarm {
  const signal = AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
  signal.addEventListener("abort", ring);
  return { stop: () => signal.removeEventListener("abort", ring) };
}
