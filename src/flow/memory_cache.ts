import { createBoundedMap } from "./bounded_map.ts";
import { type Cache, type CacheEntry, newerEntry } from "./cached.ts";

/** Puts a bounded memory in front of a store: the values used last, at most `max` of them. */
export function withMemory<V>(
  store: Cache<V>,
  { max, now }: { max: number; now: () => number },
): Cache<V> {
  const memory = createBoundedMap<CacheEntry<V>>(max);

  /** What is in memory may have been asked for later than what the store had when it was read. */
  function remember(key: string, kept: CacheEntry<V>): CacheEntry<V> {
    const newest = newerEntry(memory.get(key), kept, now());
    memory.set(key, newest);
    return newest;
  }

  async function get(key: string): Promise<CacheEntry<V> | undefined> {
    const known = memory.get(key);
    if (known !== undefined && known.expiresAt > now()) return known;
    const kept = await store.get(key);
    return kept === undefined ? undefined : remember(key, kept);
  }

  async function set(key: string, kept: CacheEntry<V>): Promise<CacheEntry<V>> {
    return remember(key, await store.set(key, kept));
  }

  return { peek: memory.get, get, set, flush: (key) => store.flush?.(key) };
}
