/** Work on keys that is cheaper together. */
export interface Batcher {
  /** Has the key worked on; a key that is being worked on has another turn after it. */
  add(key: string): void;
  /** Settles once no key waits and none is worked on. */
  settled(): Promise<void>;
}

/**
 * Groups keys: those that arrive while work is under way wait for it and go together. Only a full group of `size` does
 * not wait, up to `atOnce` of them; any other waits while as many as `partialAtOnce` (1) are under way. No key is in two
 * groups at a time. The work must not reject.
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
  let woken = false;

  function add(key: string): void {
    waiting.add(key);
    if (woken) return;
    woken = true;
    // All that arrive in the same turn of the event loop share the first group too.
    queueMicrotask(() => {
      woken = false;
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
