import { assertEquals } from "@std/assert";
import { type Cache, cached, type CacheEntry, newerEntry } from "../../src/flow/cache/cached.ts";
import { createMemoryCache } from "../../src/flow/cache/memory.ts";

function cacheIn(map: Map<string, CacheEntry<number>>): Cache<number> & { gets: number } {
  return {
    gets: 0,
    peek: (key) => map.get(key),
    get(key) {
      this.gets++;
      return Promise.resolve(map.get(key));
    },
    set(key, kept) {
      const winner = newerEntry(map.get(key), kept, 1_000);
      map.set(key, winner);
      return Promise.resolve(winner);
    },
  };
}

/** A value with the query time 1,000, as in all look-ups here. */
function keptOf(value: number, expiresAt: number, askedAt = 1_000): CacheEntry<number> {
  return { value, askedAt, expiresAt };
}

const options = { keyOf: (name: string) => name, askedAtOf: () => 1_000, now: () => 1_000 };

Deno.test("cached() renews only entries that expire too soon", async () => {
  const map = new Map([["a", keptOf(7, 2_000, 0)]]);
  const priorities: string[] = [];
  const { answer, renew } = cached(
    (_: string, { priority = "foreground" }) => (priorities.push(priority), Promise.resolve(8)),
    { ...options, cache: cacheIn(map), lifetimeMs: () => 5_000 },
  );
  assertEquals(await renew("a", 2_000), "fresh");
  assertEquals(await renew("a", 2_001), "renewed");
  assertEquals(map.get("a"), keptOf(8, 6_000));
  assertEquals(await renew("b", 0), "renewed");
  assertEquals(await answer("b"), { value: 8, isCached: true });
  assertEquals(priorities, ["background", "background"]);
});

Deno.test("cached() keeps the entry when a renewal's value is not cacheable", async () => {
  const cache = cacheIn(new Map([["a", keptOf(7, 2_000, 0)]]));
  const own = { ...options, cache, lifetimeMs: () => 0 };
  const { answer, renew } = cached(() => Promise.resolve(0), own);
  assertEquals(await renew("a", 9_000), "unfounded");
  assertEquals(await answer("a"), { value: 7, isCached: true });
});

/** A look-up whose values are their query times; each runs until the test ends it. */
function timedLookup() {
  const ends: (() => void)[] = [];
  let now = 1_000;
  const lookup = () => {
    const askedAt = now++;
    return new Promise<number>((resolve) => ends.push(() => resolve(askedAt)));
  };
  const askedAtOf = (value: number) => value;
  const own = { ...options, askedAtOf, cache: cacheIn(new Map()), lifetimeMs: () => 999 };
  return { ...cached(lookup, own), ends };
}

Deno.test("cached() does not renew a key while a look-up for a client is in flight", async () => {
  const { answer, renew, ends } = timedLookup();
  const waiting = answer("a");
  assertEquals(await renew("a", 9_000), "busy");
  while (ends.length === 0) await Promise.resolve();
  ends[0]?.();
  await waiting;
  assertEquals(ends.length, 1);
});

Deno.test("cached() makes no client wait for a renewal, and keeps a newer entry that was stored meanwhile", async () => {
  const { answer, renew, ends } = timedLookup();
  const renewing = renew("a", 9_000);
  while (ends.length < 1) await Promise.resolve();
  const waiting = answer("a");
  while (ends.length < 2) await Promise.resolve();
  ends[1]?.();
  assertEquals(await waiting, { value: 1_001, isCached: false });
  ends[0]?.();
  assertEquals(await renewing, "fresh");
  assertEquals(await answer("a"), { value: 1_001, isCached: true });
});

Deno.test("cached() looks up again for a client that joined a job's look-up, which found nothing", async () => {
  const priorities: string[] = [];
  const found = Promise.withResolvers<number>();
  const own = { ...options, cache: cacheIn(new Map()), lifetimeMs: (value: number) => value };
  const { answer } = cached((_: string, { priority = "foreground" }) => {
    priorities.push(priority);
    return priority === "background" ? found.promise : Promise.resolve(9);
  }, own);
  const { signal } = new AbortController();
  const job = answer("a", { signal, priority: "background" });
  const client = answer("a", { signal });
  found.resolve(0);
  assertEquals(await job, { value: 0, isCached: false });
  assertEquals(await client, { value: 9, isCached: false });
  assertEquals(priorities, ["background", "foreground"]);
});

Deno.test("newerEntry() returns the entry with the later query unless it is from the future", () => {
  const [older, newer] = [keptOf(1, 0, 10), keptOf(2, 0, 20)];
  assertEquals(newerEntry(undefined, older, 20), older);
  assertEquals(newerEntry(older, newer, 20), newer);
  assertEquals(newerEntry(newer, older, 20), newer);
  const equal = newerEntry(keptOf(3, 0, 10), older, 20);
  assertEquals(equal, older, "of two that are equally old the new one");
  // Clocks may differ by thirty seconds; an entry further ahead has a wrong clock's time.
  assertEquals(newerEntry(keptOf(3, 0, 30_020), older, 20).value, 3);
  assertEquals(newerEntry(keptOf(3, 0, 30_021), older, 20), older);
});

Deno.test("createMemoryCache() keeps the newer entry when the store has an older one", async () => {
  const store = cacheIn(new Map([["a", keptOf(1, 50, 10)]]));
  let now = 0;
  const older = { ...store, set: (_: string, kept: CacheEntry<number>) => Promise.resolve(kept) };
  const cache = createMemoryCache({ store: older, max: 5, now: () => now });
  await cache.set("a", keptOf(2, 30, 20));
  now = 40;
  assertEquals((await cache.get("a"))?.value, 2, "expired, and still newer than the store's");
  await cache.set("a", keptOf(3, 60, 15));
  assertEquals(cache.peek("a")?.value, 2);
});

Deno.test("createMemoryCache() reads memory first, and the store when the entry in memory has expired", async () => {
  let now = 0;
  const map = new Map([["a", keptOf(1, 10, 0)]]);
  const store = cacheIn(map);
  const cache = createMemoryCache({ store, max: 5, now: () => now });
  await cache.get("a");
  assertEquals(await cache.get("a"), keptOf(1, 10, 0));
  assertEquals(store.gets, 1);
  now = 10;
  map.set("a", keptOf(2, 20, 10));
  assertEquals(await cache.get("a"), keptOf(2, 20, 10));
  assertEquals(await cache.get("nothing"), undefined);
});

Deno.test("cached() distrusts an entry that expires later than its TTL allows", async () => {
  const map = new Map<string, CacheEntry<number>>([["a", keptOf(1, 3_601_000)]]);
  const cache = createMemoryCache({ store: cacheIn(map), max: 10, now: options.now });
  const own = { ...options, cache, lifetimeMs: () => 500 };
  const { answer, renew } = cached(() => Promise.resolve(2), own);
  assertEquals(await answer("a"), { value: 2, isCached: false });
  map.set("c", keptOf(1, 3_601_000));
  assertEquals(await renew("c", 1_400), "renewed");
  // Clocks of processes differ by a little.
  map.set("b", keptOf(1, 1_000 + 500 + 2_000));
  assertEquals(await answer("b"), { value: 1, isCached: true });
});

Deno.test("cached() answers from the cache as soon as a value is found, while the store is written", async () => {
  const writing = Promise.withResolvers<CacheEntry<number>>();
  const store = { get: () => Promise.resolve(undefined), set: () => writing.promise };
  let calls = 0;
  const cache = createMemoryCache({ store, max: 5, now: options.now });
  const own = { ...options, cache, lifetimeMs: () => 9 };
  const { answer } = cached(() => Promise.resolve(++calls), own);
  assertEquals(await answer("a"), { value: 1, isCached: false });
  assertEquals(await answer("a"), { value: 1, isCached: true });
  // Another process has asked later.
  writing.resolve(keptOf(7, 1_009, 1_001));
  await writing.promise;
  await Promise.resolve();
  assertEquals((await answer("a")).value, 7);
});
