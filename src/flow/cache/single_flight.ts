/** Work by key, of which no two of one key run at once. */
interface SingleFlight<T> {
  /** The result of `work`, or of the work that is in flight under the key. */
  run(key: string, work: () => Promise<T>): Promise<T>;
  isRunning(key: string): boolean;
}

/** Creates it. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Promise<T>>();
  return {
    isRunning: (key) => running.has(key),
    run(key, work) {
      const known = running.get(key);
      if (known !== undefined) return known;
      const started = work().finally(() => running.delete(key));
      running.set(key, started);
      return started;
    },
  };
}
