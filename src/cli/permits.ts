/** A counting semaphore for each key. */
export interface Permits {
  /** Waits until there is a permit for each of the keys, which may repeat, and takes all of them at once. */
  take(keys: readonly string[]): Promise<void>;
  giveBack(key: string): void;
}

/** Creates the semaphores, with `mostOf(key)` permits each. A caller must not need more of a key at once. */
export function createPermits(mostOf: (key: string) => number): Permits {
  const taken = new Map<string, number>();
  const waiting: { needs: ReadonlyMap<string, number>; start: () => void }[] = [];

  /** In order of arrival: else callers that need few would overtake one that needs many for ever. */
  function startWaiting(): void {
    for (;;) {
      const [first] = waiting;
      if (first === undefined) return;
      const { needs, start } = first;
      const fits = needs.entries().every(([key, need]) => countOf(key) + need <= mostOf(key));
      if (!fits) return;
      waiting.shift();
      for (const [key, need] of needs) taken.set(key, countOf(key) + need);
      start();
    }
  }

  const countOf = (key: string) => taken.get(key) ?? 0;

  return {
    take(keys) {
      if (keys.length === 0) return Promise.resolve();
      const needs = new Map<string, number>();
      for (const key of keys) needs.set(key, (needs.get(key) ?? 0) + 1);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ needs, start: resolve });
      startWaiting();
      return promise;
    },
    giveBack(key) {
      taken.set(key, countOf(key) - 1);
      startWaiting();
    },
  };
}
