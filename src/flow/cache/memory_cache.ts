import { createBoundedMap } from "./bounded_map.ts";
import { type Cache, type CacheEntry, newerEntry, type Yields } from "./cached.ts";

/** A store that keeps nothing. */
const NO_STORE: Cache<never> = {
  get: () => Promise.resolve(undefined),
  set: (_key, entry) => Promise.resolve(entry),
};

/** An in-memory LRU cache of at most `max` entries, of this process alone. */
export function createMemoryCache<V>(options: { max: number; now: () => number }): Cache<V> {
  return withMemoryCache<V>(NO_STORE as Cache<V>, options);
}

/** Puts an in-memory LRU cache of at most `max` entries in front of a store. */
export function withMemoryCache<V>(
  store: Cache<V>,
  { max, yields, now }: {
    max: number;
    /** See `newerEntry`. */
    yields?: Yields<V> | undefined;
    now: () => number;
  },
): Cache<V> {
  const memory = createBoundedMap<CacheEntry<V>>(max);

  /** The entry in memory may be newer than the one read from the store. */
  function remember(key: string, entry: CacheEntry<V>): CacheEntry<V> {
    const newest = newerEntry(memory.get(key), entry, now(), yields);
    memory.set(key, newest);
    return newest;
  }

  async function get(key: string): Promise<CacheEntry<V> | undefined> {
    const known = memory.get(key);
    if (known !== undefined && known.expiresAt > now()) return known;
    const stored = await store.get(key);
    return stored === undefined ? undefined : remember(key, stored);
  }

  async function set(key: string, entry: CacheEntry<V>): Promise<CacheEntry<V>> {
    return remember(key, await store.set(key, entry));
  }

  return {
    peek: memory.get,
    get,
    set,
    expect: (key) => store.expect?.(key),
    flush: (key) => store.flush?.(key),
  };
}
