/** The delays of one server, all of which are cancelled when it closes. */
export interface Delays {
  /** Runs `run` after `ms`; at once, without a timer, if `ms` is 0. */
  after(ms: number, run: () => void): void;
  /** Cancels every delay that has not run. */
  clear(): void;
}

/** Makes an empty set of delays. */
export function createDelays(): Delays {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  return {
    after(ms, run) {
      if (ms <= 0) return run();
      const timer = setTimeout(() => {
        timers.delete(timer);
        run();
      }, ms);
      timers.add(timer);
    },
    clear() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** The same behaviour, `ms` later than it would be. */
export function later<KvBehaviour extends { delayMs?: number }>(
  behaviour: KvBehaviour,
  ms: number,
): KvBehaviour {
  return ms === 0 ? behaviour : { ...behaviour, delayMs: ms + (behaviour.delayMs ?? 0) };
}
