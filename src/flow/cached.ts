import { type Flight, startFlight, type Waiter } from "./flight.ts";
import type { WaitOptions } from "./gate.ts";

/** A value, when it was asked for and until when it may be answered, both in ms since 1970. */
export interface CacheEntry<V> {
  value: V;
  askedAt: number;
  expiresAt: number;
}

/** Where values are kept. Must not throw; a store that fails counts as one without the value. */
export interface Cache<V> {
  /** What is at hand in memory: most answers need no flight. */
  peek?(key: string): CacheEntry<V> | undefined;
  get(key: string): Promise<CacheEntry<V> | undefined>;
  /**
   * Keeps the value unless one is kept that was asked for later, and gives the one that is kept then. Settles once that
   * would survive the end of the process.
   */
  set(key: string, kept: CacheEntry<V>): Promise<CacheEntry<V>>;
  /** A caller waits for a value that is being set: it is not to wait for other values. */
  flush?(key: string): void;
}

/** A value, and whether it came from the store. */
export interface Answer<V> {
  value: V;
  isCached: boolean;
}

/** What came of a renewal. */
export type Renewal =
  | "renewed"
  /** The kept value will do for longer, or was asked for later. */
  | "fresh"
  /** A client waits for it, and its look-up is under way. */
  | "busy"
  /** What was found is not to be kept; the value that was, stays. */
  | "unfounded";

/** By how much the clocks of processes differ that are synchronised at all. */
const SKEW_MS = 30_000;

/** The two ways to a value. */
export interface CachedLookup<Input, V> {
  answer(input: Input, waiter?: Waiter): Promise<Answer<V>>;
  /**
   * Looks up with background priority what is not kept until `until` (ms since 1970), and replaces it. Clients never wait for
   * this.
   */
  renew(input: Input, until: number): Promise<Renewal>;
}

/**
 * Of two values the one that was asked for later: a look-up that took long must not replace what was found out since. A
 * value from the future has the time of a wrong clock, and gives way.
 */
export function newerEntry<V>(
  kept: CacheEntry<V> | undefined,
  found: CacheEntry<V>,
  now: number,
): CacheEntry<V> {
  if (kept === undefined || kept.askedAt > now + SKEW_MS) return found;
  return kept.askedAt > found.askedAt ? kept : found;
}

/**
 * Wraps a look-up so that equal keys share one flight and one kept value, which sets its own lifetime from when it was
 * asked for (0: not kept). Callers that arrive while a found value is being stored wait for that: "kept" is only said of
 * what would survive a crash. The turn that the look-up gets tells it how to wait, and when all its clients have left.
 */
export function cached<Input, V>(
  lookup: (input: Input, wait: WaitOptions) => Promise<V>,
  { keyOf, cache, askedAtOf, lifetimeMs, now }: {
    keyOf: (input: Input) => string;
    cache: Cache<V>;
    /** When the question was sent that decided a value, in ms since 1970. */
    askedAtOf: (value: V) => number;
    lifetimeMs: (value: V) => number;
    now: () => number;
  },
): CachedLookup<Input, V> {
  const flights = new Map<string, Flight<Answer<V>>>();

  /** What has longer to live than it can have been given was kept by another clock, or before ours was set back. */
  function isCurrent(kept: CacheEntry<V> | undefined): kept is CacheEntry<V> {
    if (kept === undefined) return false;
    const leftMs = kept.expiresAt - now();
    return leftMs > 0 && leftMs <= lifetimeMs(kept.value) + SKEW_MS;
  }

  /** What is to be kept of a found value, if anything. */
  function toKept(value: V): CacheEntry<V> | undefined {
    const lifetime = lifetimeMs(value);
    const askedAt = askedAtOf(value);
    return lifetime > 0 ? { value, askedAt, expiresAt: askedAt + lifetime } : undefined;
  }

  async function run(key: string, input: Input, abandoned: AbortSignal): Promise<Answer<V>> {
    const kept = await cache.get(key);
    if (isCurrent(kept)) {
      flights.delete(key);
      return { value: kept.value, isCached: true };
    }
    const value = await lookup(input, { signal: abandoned });
    const found = toKept(value);
    if (found === undefined) {
      flights.delete(key);
      return { value, isCached: false };
    }
    const known = cache.peek?.(key);
    // A renewal that was asked later has landed meanwhile.
    if (isCurrent(known) && newerEntry(known, found, now()) === known) {
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

  function start(key: string, input: Input): Flight<Answer<V>> {
    const flight = startFlight(async (abandoned) => {
      try {
        return await run(key, input, abandoned);
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
      cache.flush?.(key);
      const flight = flights.get(key) ?? start(key, input);
      const wasAbandoned = flight.isAbandoned();
      const answer = await flight.join(waiter);
      // An abandoned flight may have left questions out: callers that joined it later ask them again.
      if (!wasAbandoned || answer.isCached || lifetimeMs(answer.value) > 0) return answer;
    }
  }

  async function renew(input: Input, until: number): Promise<Renewal> {
    const key = keyOf(input);
    const kept = await cache.get(key);
    if (kept !== undefined && kept.expiresAt >= until) return "fresh";
    if (flights.has(key)) return "busy";
    const found = toKept(await lookup(input, { priority: "background" }));
    if (found === undefined) return "unfounded";
    const storing = cache.set(key, found);
    cache.flush?.(key);
    return await storing === found ? "renewed" : "fresh";
  }

  function answer(input: Input, waiter?: Waiter): Promise<Answer<V>> {
    const key = keyOf(input);
    const cached = cache.peek?.(key);
    if (isCurrent(cached)) {
      return Promise.resolve({ value: cached.value, isCached: true });
    }
    return share(key, input, waiter);
  }

  return { answer, renew };
}
