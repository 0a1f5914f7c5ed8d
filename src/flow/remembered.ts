import { createBoundedMap } from "./bounded_map.ts";
import { type Keep, type Kept, latest } from "./cached.ts";

/** Puts a bounded memory in front of a store: the values used last, at most `max` of them. */
export function remembered<V>(
  store: Keep<V>,
  { max, now }: { max: number; now: () => number },
): Keep<V> {
  const memory = createBoundedMap<Kept<V>>(max);

  /** What is in memory may have been asked for later than what the store had when it was read. */
  function remember(key: string, kept: Kept<V>): Kept<V> {
    const newest = latest(memory.get(key), kept, now());
    memory.set(key, newest);
    return newest;
  }

  async function get(key: string): Promise<Kept<V> | undefined> {
    const known = memory.get(key);
    if (known !== undefined && known.expiresAt > now()) return known;
    const kept = await store.get(key);
    return kept === undefined ? undefined : remember(key, kept);
  }

  async function set(key: string, kept: Kept<V>): Promise<Kept<V>> {
    return remember(key, await store.set(key, kept));
  }

  return { recall: memory.get, get, set };
}
