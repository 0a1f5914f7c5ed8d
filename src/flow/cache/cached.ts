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
  peek?(key: string): CacheEntry<V> | undefined;
  get(key: string): Promise<CacheEntry<V> | undefined>;
  /**
   * Stores the entry unless a newer one (by `askedAt`) is stored, and returns the stored one. Settles once it would
   * survive the end of the process.
   */
  set(key: string, entry: CacheEntry<V>): Promise<CacheEntry<V>>;
  /** Announces a `get()` of the key: what is read for one key may serve all that are expected. */
  expect?(key: string): void;
  /** Ends the collection of further values of a batch: a caller waits for the value that is being set. */
  flush?(key: string): void;
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

/** Whether a value loses to one that does not yield, where the order of their queries is unknown. */
export type Yields<V> = (value: V) => boolean;

/** The largest clock difference between synchronised processes. */
export const SKEW_MS = 30_000;

/** A look-up with a cache. */
export interface CachedLookup<Input, V> {
  /**
   * Announces an `answer()`, so that those of a request share reads and writes. Returns whether the cache has it in memory:
   * then it needs no look-up.
   */
  expect(input: Input): boolean;
  /** The answer in memory. */
  peek(input: Input): Answer<V> | undefined;
  answer(input: Input, waiter?: Waiter): Promise<Answer<V>>;
  /**
   * Refreshes an entry that expires before `until` (ms since 1970), with background priority. Clients never wait for
   * this.
   */
  renew(input: Input, until: number): Promise<Renewal>;
  /**
   * Replaces a found value by a correction, unless a value is stored whose query was sent after `askedAt`, that of the
   * corrected one. If the correction is not cacheable, the value is withdrawn.
   */
  correct(input: Input, correction: V, askedAt: number): Promise<void>;
}

/**
 * The entry with the later query: a slow look-up must not replace a newer result. Clocks of processes differ, so the order
 * of two queries may be unknown: then a value that `yields` loses. A stored entry from the future comes from a wrong clock
 * and loses.
 */
export function newerEntry<V>(
  stored: CacheEntry<V> | undefined,
  found: CacheEntry<V>,
  now: number,
  yields: Yields<V> = () => false,
): CacheEntry<V> {
  if (stored === undefined || stored.askedAt > now + SKEW_MS) return found;
  const laterMs = found.askedAt - stored.askedAt;
  const yielding = yields(found.value);
  if (Math.abs(laterMs) <= SKEW_MS && yielding !== yields(stored.value)) {
    return yielding ? stored : found;
  }
  return laterMs < 0 ? stored : found;
}

/**
 * Wraps a look-up with a cache and in-flight coalescing: equal keys share one flight and one entry. `lifetimeMs` is the
 * TTL, counted from the query (0: not cached). Callers that arrive while a value is being stored wait for the write, so
 * that `isCached` is true only for values that would survive a crash. The look-up gets its priority, its clients, a signal
 * that is aborted once all of them have disconnected, and the last value if the cache still has it.
 */
export function cached<Input, V>(
  lookup: (input: Input, wait: WaitOptions, last: V | undefined) => Promise<V>,
  { keyOf, cache, askedAtOf, lifetimeMs, yields, now }: {
    keyOf: (input: Input) => string;
    cache: Cache<V>;
    /** When the query behind a value was sent, in ms since 1970. */
    askedAtOf: (value: V) => number;
    lifetimeMs: (value: V) => number;
    yields?: Yields<V>;
    now: () => number;
  },
): CachedLookup<Input, V> {
  const flights = new Map<string, Flight<Answer<V>>>();

  /** An entry that lives longer than its TTL allows was stored by a wrong clock, or before ours was set back. */
  function isCurrent(entry: CacheEntry<V> | undefined): entry is CacheEntry<V> {
    if (entry === undefined) return false;
    const leftMs = entry.expiresAt - now();
    return leftMs > 0 && leftMs <= lifetimeMs(entry.value) + SKEW_MS;
  }

  /** The cache entry of a found value; undefined if it is not cacheable. */
  function toEntry(value: V): CacheEntry<V> | undefined {
    const lifetime = lifetimeMs(value);
    const askedAt = askedAtOf(value);
    return lifetime > 0 ? { value, askedAt, expiresAt: askedAt + lifetime } : undefined;
  }

  async function run(key: string, input: Input, wait: WaitOptions): Promise<Answer<V>> {
    const stored = await cache.get(key);
    const last = stored?.value;
    if (isCurrent(stored)) {
      flights.delete(key);
      return { value: stored.value, isCached: true };
    }
    const value = await lookup(input, wait, last);
    const found = toEntry(value);
    if (found === undefined) {
      flights.delete(key);
      return { value, isCached: false };
    }
    const known = cache.peek?.(key);
    // A renewal with a later query has finished meanwhile.
    if (isCurrent(known) && newerEntry(known, found, now(), yields) === known) {
      flights.delete(key);
      return { value: known.value, isCached: true };
    }
    const storing = store(key, found);
    flights.set(key, startFlight(() => storing));
    return { value, isCached: false };
  }

  async function store(key: string, found: CacheEntry<V>): Promise<Answer<V>> {
    const { value } = await cache.set(key, found);
    flights.delete(key);
    return { value, isCached: true };
  }

  function start(key: string, input: Input, waiter: Waiter | undefined): Flight<Answer<V>> {
    const { client, site, isList } = waiter ?? {};
    const flight = startFlight(async (signal, clients, { notePending }) => {
      const wait = { signal, client, site, isList, clients, onPending: notePending };
      try {
        return await run(key, input, wait);
      } catch (error) {
        flights.delete(key);
        throw error;
      }
    });
    flights.set(key, flight);
    return flight;
  }

  async function share(key: string, input: Input, waiter?: Waiter): Promise<Answer<V>> {
    for (;;) {
      const known = flights.get(key);
      if (known !== undefined) cache.flush?.(key);
      const flight = known ?? start(key, input, waiter);
      const wasCancelled = flight.isCancelled();
      const answer = await flight.join(waiter);
      // A cancelled flight may have skipped queries: callers that joined it later start a new one.
      if (!wasCancelled || answer.isCached || lifetimeMs(answer.value) > 0) return answer;
    }
  }

  async function renew(input: Input, until: number): Promise<Renewal> {
    const key = keyOf(input);
    const stored = await cache.get(key);
    if (stored !== undefined && stored.expiresAt >= until) return "fresh";
    if (flights.has(key)) return "busy";
    const found = toEntry(await lookup(input, { priority: "background" }, stored?.value));
    if (found === undefined) return "unfounded";
    const storing = cache.set(key, found);
    cache.flush?.(key);
    return await storing === found ? "renewed" : "fresh";
  }

  async function correct(input: Input, value: V, askedAt: number): Promise<void> {
    const key = keyOf(input);
    // The corrected value may still be on its way to the store, and would then replace the correction.
    for (let flight = flights.get(key); flight !== undefined; flight = flights.get(key)) {
      cache.flush?.(key);
      await flight.join();
    }
    const storing = cache.set(key, { value, askedAt, expiresAt: askedAt + lifetimeMs(value) });
    cache.flush?.(key);
    await storing;
  }

  function peek(input: Input): Answer<V> | undefined {
    const entry = cache.peek?.(keyOf(input));
    return isCurrent(entry) ? { value: entry.value, isCached: true } : undefined;
  }

  function answer(input: Input, waiter?: Waiter): Promise<Answer<V>> {
    const cached = peek(input);
    if (cached !== undefined) return Promise.resolve(cached);
    return share(keyOf(input), input, waiter);
  }

  function expect(input: Input): boolean {
    const isCached = peek(input) !== undefined;
    if (!isCached) cache.expect?.(keyOf(input));
    return isCached;
  }

  return { expect, peek, answer, renew, correct };
}
