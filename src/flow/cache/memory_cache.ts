import { createBoundedMap } from "./bounded_map.ts";
import { type Cache, type CacheEntry, newerEntry, type Yields } from "./cached.ts";

/** A store that keeps nothing. */
const NO_STORE: Cache<never> = {
  get: () => Promise.resolve(undefined),
  set: (_key, entry) => Promise.resolve(entry),
};

/** For how long memory serves an entry of another process that this may still correct. */
const FRESH_MS = 3_000;

/** `readAt`: when it was read from the store (ms since 1970), if the process that stored it may still correct it. */
interface Kept<V> extends CacheEntry<V> {
  readAt?: number;
}

/** The size and the clock of a memory cache, and what it takes to keep the order of entries of several processes. */
interface MemoryOptions<V> {
  max: number;
  /** See `newerEntry`. */
  yields?: Yields<V> | undefined;
  /** For how many ms after its query the process that found a value may correct or withdraw it; 0 if absent. */
  correctableMs?: (value: V) => number;
  now: () => number;
}

/** An in-memory LRU cache of at most `max` entries, of this process alone. */
export function createMemoryCache<V>(options: MemoryOptions<V>): Cache<V> {
  return withMemoryCache<V>(NO_STORE as Cache<V>, options);
}

/** Puts an in-memory LRU cache of at most `max` entries in front of a store. */
export function withMemoryCache<V>(
  store: Cache<V>,
  { max, yields, correctableMs = () => 0, now }: MemoryOptions<V>,
): Cache<V> {
  const memory = createBoundedMap<Kept<V>>(max);

  /** The entry in memory; undefined if the store is to be read again. */
  function peek(key: string): Kept<V> | undefined {
    const kept = memory.get(key);
    // Math.abs: a clock that was set back must not keep an old copy in use.
    const isDue = kept?.readAt !== undefined && Math.abs(now() - kept.readAt) >= FRESH_MS;
    return isDue ? undefined : kept;
  }

  /** The entry in memory may be newer than the one that the store has. */
  function remember(key: string, entry: Kept<V>): CacheEntry<V> {
    const newest = newerEntry(memory.get(key), entry, now(), yields);
    memory.set(key, newest);
    return newest;
  }

  /** The same for an entry that another process has stored. */
  function rememberOther(key: string, entry: CacheEntry<V>): CacheEntry<V> {
    const readAt = now();
    const forMs = correctableMs(entry.value);
    // Read twice at least: a look-up that went on from earlier answers stores what was asked long before.
    const isKnown = memory.get(key)?.askedAt === entry.askedAt;
    const isFinal = forMs === 0 || isKnown && readAt >= entry.askedAt + forMs;
    return remember(key, isFinal ? entry : { ...entry, readAt });
  }

  async function get(key: string): Promise<CacheEntry<V> | undefined> {
    const known = peek(key);
    if (known !== undefined && known.expiresAt > now()) return known;
    const kept = memory.get(key);
    const stored = await store.get(key);
    if (stored !== undefined) return rememberOther(key, stored);
    // It was withdrawn, unless the store fails.
    if (kept?.readAt !== undefined && memory.get(key) === kept) memory.delete(key);
    return undefined;
  }

  async function set(key: string, entry: CacheEntry<V>): Promise<CacheEntry<V>> {
    const winner = await store.set(key, entry);
    return winner === entry ? remember(key, entry) : rememberOther(key, winner);
  }

  return { ...store, peek, get, set };
}
