import { type Flight, startFlight, type Waiter } from "./flight.ts";
import type { WaitOptions } from "../upstream_host.ts";

/** A cached value, when its query was sent and when it expires, both in ms since 1970. */
export interface CacheEntry<V> {
  value: V;
  askedAt: number;
  expiresAt: number;
}

/** A store of values. Must not throw; a failing store counts as a miss. */
export interface Cache<V> {
  /** The entry in memory, if any: most answers need no flight. */
  peek(key: string): CacheEntry<V> | undefined;
  get(key: string): Promise<CacheEntry<V> | undefined>;
  /** Stores the entry, from the call on in memory, unless a newer one (by `askedAt`) is stored. Returns the newer one. */
  set(key: string, entry: CacheEntry<V>): Promise<CacheEntry<V>>;
}

/** A value, and whether it came from the cache. */
export interface Answer<V> {
  value: V;
  isCached: boolean;
}

/** The outcome of a renewal. */
export type Renewal =
  | "renewed"
  /** The cached value lives long enough, or is newer. */
  | "fresh"
  /** A look-up for a client is in flight. */
  | "busy"
  /** The found value is not cacheable; the cached one stays. */
  | "unfounded";

/** A time that is later than now by more was written by a wrong clock. */
const SKEW_MS = 30_000;

/** A look-up with a cache. */
export type CachedLookup<Input, V> = ReturnType<typeof cached<Input, V>>;

/**
 * The entry with the later query: a slow look-up must not replace a newer result. A stored entry from the future comes from
 * a wrong clock and loses.
 */
export function newerEntry<V>(
  stored: CacheEntry<V> | undefined,
  found: CacheEntry<V>,
  now: number,
): CacheEntry<V> {
  if (stored === undefined || stored.askedAt > now + SKEW_MS) return found;
  return found.askedAt < stored.askedAt ? stored : found;
}

/**
 * Wraps a look-up with a cache and in-flight coalescing: equal keys share one flight and one entry. `lifetimeMs` is the
 * TTL, counted from the query (0: not cached). The look-up gets its priority, its clients, a signal that is aborted once all
 * of them have disconnected, and the last value if the cache still has it.
 */
export function cached<Input, V>(
  lookup: (input: Input, wait: WaitOptions, last: V | undefined) => Promise<V>,
  { keyOf, cache, askedAtOf, lifetimeMs, now }: {
    keyOf: (input: Input) => string;
    cache: Cache<V>;
    /** When the query behind a value was sent, in ms since 1970. */
    askedAtOf: (value: V) => number;
    lifetimeMs: (value: V) => number;
    now: () => number;
  },
) {
  const flights = new Map<string, Flight<Answer<V>> & Pick<WaitOptions, "priority">>();

  /** An entry that lives longer than its TTL allows was stored by a wrong clock, or before ours was set back. */
  function isCurrent(entry: CacheEntry<V> | undefined): entry is CacheEntry<V> {
    if (entry === undefined) return false;
    const leftMs = entry.expiresAt - now();
    return leftMs > 0 && leftMs <= lifetimeMs(entry.value) + SKEW_MS;
  }

  /** Looks up, and caches the value if it is cacheable. */
  async function find(input: Input, wait: WaitOptions, last: V | undefined): Promise<Answer<V>> {
    const value = await lookup(input, wait, last);
    const lifetime = lifetimeMs(value);
    if (lifetime > 0) {
      const key = keyOf(input);
      const askedAt = askedAtOf(value);
      const found = { value, askedAt, expiresAt: askedAt + lifetime };
      // Another look-up, with a later query, may have found a value meanwhile.
      const known = cache.peek(key);
      if (isCurrent(known) && newerEntry(known, found, now()) === known) {
        return { value: known.value, isCached: true };
      }
      void cache.set(key, found);
    }
    return { value, isCached: false };
  }

  function start(key: string, input: Input, waiter: Waiter | undefined) {
    const { client, site, isList, priority } = waiter ?? {};
    const started = startFlight(async (signal, clients, onPending) => {
      try {
        const stored = await cache.get(key);
        const last = stored?.value;
        if (isCurrent(stored)) return { value: stored.value, isCached: true };
        const wait = { signal, client, site, isList, priority, clients, onPending };
        return await find(input, wait, last);
      } finally {
        flights.delete(key);
      }
    });
    const flight = { ...started, priority };
    flights.set(key, flight);
    return flight;
  }

  /**
   * Refreshes an entry that expires before `until` (ms since 1970), with background priority. Clients never wait for
   * this.
   */
  async function renew(input: Input, until: number): Promise<Renewal> {
    const key = keyOf(input);
    const stored = await cache.get(key);
    if (isCurrent(stored) && stored.expiresAt >= until) return "fresh";
    if (flights.has(key)) return "busy";
    const { value, isCached } = await find(input, { priority: "background" }, stored?.value);
    if (isCached) return "fresh";
    return lifetimeMs(value) > 0 ? "renewed" : "unfounded";
  }

  /** The answer in memory. */
  function peek(input: Input): Answer<V> | undefined {
    const entry = cache.peek(keyOf(input));
    return isCurrent(entry) ? { value: entry.value, isCached: true } : undefined;
  }

  /** The answer in memory, or that of the look-up in flight, which this starts if there is none. */
  async function answer(input: Input, waiter?: Waiter): Promise<Answer<V>> {
    const known = peek(input);
    if (known !== undefined) return known;
    const key = keyOf(input);
    for (;;) {
      const flight = flights.get(key) ?? start(key, input, waiter);
      // A cancelled flight may have skipped queries, and that of a job waits for no pause: a client that joins it starts a new one.
      const isPartial = flight.isCancelled() ||
        flight.priority === "background" && waiter?.priority !== "background";
      const found = await flight.join(waiter);
      if (!isPartial || found.isCached || lifetimeMs(found.value) > 0) return found;
    }
  }

  return { peek, answer, renew };
}
