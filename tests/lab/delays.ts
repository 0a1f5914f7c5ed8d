/** The delays of one server, all of which are cancelled when it closes. */
export type Delays = ReturnType<typeof createDelays>;

/** Makes an empty set of delays. */
export function createDelays() {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  return {
    /** Runs `run` after `ms`; at once, without a timer, if `ms` is 0. */
    after(ms: number, run: () => void): void {
      if (ms <= 0) return run();
      const timer = setTimeout(() => {
        timers.delete(timer);
        run();
      }, ms);
      timers.add(timer);
    },
    /** Cancels every delay that has not run. */
    clear(): void {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** The same behaviour, `ms` later than it would be. */
export function later<T extends { delayMs?: number }>(behaviour: T, ms: number): T {
  return ms === 0 ? behaviour : { ...behaviour, delayMs: ms + (behaviour.delayMs ?? 0) };
}
