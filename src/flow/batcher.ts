/** Processes keys in batches. */
export interface Batcher {
  /** Queues the key; a key in a running batch is processed once more afterwards. */
  add(key: string): void;
  /** Settles once no key is waiting or running. */
  settled(): Promise<void>;
}

/**
 * Creates a batcher: keys that arrive while a batch is running wait and form the next one. A full batch of `size` keys
 * starts at once, up to `atOnce` concurrent batches; a partial one starts only while fewer than `partialAtOnce` (1) are
 * running. A key is never in two running batches. `work` must not reject.
 */
export function createBatcher(
  work: (keys: readonly string[]) => Promise<void>,
  { size, atOnce, partialAtOnce = () => 1 }: {
    size: number;
    atOnce: number;
    partialAtOnce?: () => number;
  },
): Batcher {
  const waiting = new Set<string>();
  const busy = new Set<string>();
  const running = new Set<Promise<void>>();
  let isStartQueued = false;

  function add(key: string): void {
    waiting.add(key);
    if (isStartQueued) return;
    isStartQueued = true;
    // Keys that arrive in the same turn of the event loop share the first batch too.
    queueMicrotask(() => {
      isStartQueued = false;
      start();
    });
  }

  function start(): void {
    while (running.size < atOnce) {
      const keys = next();
      if (keys.length === 0) return;
      if (keys.length < size && running.size >= partialAtOnce()) return;
      for (const key of keys) {
        waiting.delete(key);
        busy.add(key);
      }
      const run = work(keys).finally(() => {
        running.delete(run);
        for (const key of keys) busy.delete(key);
        start();
      });
      running.add(run);
    }
  }

  function next(): string[] {
    const keys: string[] = [];
    for (const key of waiting) {
      if (keys.length === size) break;
      if (!busy.has(key)) keys.push(key);
    }
    return keys;
  }

  async function settled(): Promise<void> {
    while (waiting.size > 0 || running.size > 0) await Promise.all([...running, undefined]);
  }

  return { add, settled };
}
