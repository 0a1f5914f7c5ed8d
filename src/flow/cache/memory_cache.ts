import { createBoundedMap } from "./bounded_map.ts";
import { type Cache, type CacheEntry, newerEntry } from "./cached.ts";

/** What survives the process. */
export type Store<V> = Pick<Cache<V>, "get" | "set">;

/** A store that keeps nothing. */
const NO_STORE: Store<never> = {
  get: () => Promise.resolve(undefined),
  set: (_key, entry) => Promise.resolve(entry),
};

interface MemoryOptions {
  readonly max: number;
  readonly now: () => number;
}

/** An in-memory LRU cache of at most `max` entries, of this process alone. */
export function createMemoryCache<V>(options: MemoryOptions): Cache<V> {
  return withMemoryCache<V>(NO_STORE as Store<V>, options);
}

/** Puts an in-memory LRU cache of at most `max` entries in front of a store. */
export function withMemoryCache<V>(store: Store<V>, { max, now }: MemoryOptions): Cache<V> {
  const memory = createBoundedMap<CacheEntry<V>>(max);

  /** The entry in memory may be newer than the one that the store has. */
  function remember(key: string, entry: CacheEntry<V>): CacheEntry<V> {
    const newest = newerEntry(memory.get(key), entry, now());
    memory.set(key, newest);
    return newest;
  }

  return {
    peek: memory.get,
    async get(key) {
      const known = memory.get(key);
      if (known !== undefined && known.expiresAt > now()) return known;
      const stored = await store.get(key);
      return stored === undefined ? known : remember(key, stored);
    },
    async set(key, entry) {
      const newest = remember(key, entry);
      return newest === entry ? remember(key, await store.set(key, entry)) : newest;
    },
  };
}
