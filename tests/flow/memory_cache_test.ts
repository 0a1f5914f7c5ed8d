import { assertEquals } from "@std/assert";
import { type Cache, type CacheEntry, newerEntry } from "../../src/flow/cache/cached.ts";
import { withMemoryCache } from "../../src/flow/cache/memory_cache.ts";

const START = 1e12;
/** Values from 1 on may be corrected for a minute, and yield; 0 is final. */
const yields = (value: number) => value > 0;
const correctableMs = (value: number) => yields(value) ? 60_000 : 0;

/** Two processes on one store, which counts its reads. */
function openProcesses() {
  const stored = new Map<string, CacheEntry<number>>();
  const clock = { ms: START };
  const now = () => clock.ms;
  const store = {
    reads: 0,
    get(key: string) {
      store.reads++;
      return Promise.resolve(stored.get(key));
    },
    set(key: string, found: CacheEntry<number>) {
      const winner = newerEntry(stored.get(key), found, now(), yields);
      stored.set(key, winner);
      return Promise.resolve(winner);
    },
  };
  const open = (): Cache<number> => withMemoryCache(store, { max: 10, yields, correctableMs, now });
  return { stored, store, clock, finder: open(), reader: open() };
}

function entryOf(value: number, askedAt = START): CacheEntry<number> {
  return { value, askedAt, expiresAt: askedAt + 300_000 };
}

Deno.test("memoryCache.get() reads again after three seconds what another process may still correct", async () => {
  const { store, clock, finder, reader } = openProcesses();
  await finder.set("a", entryOf(1));
  assertEquals((await reader.get("a"))?.value, 1);
  clock.ms += 2_999;
  assertEquals([reader.peek?.("a")?.value, (await reader.get("a"))?.value], [1, 1]);
  assertEquals(store.reads, 1);
  await finder.set("a", entryOf(0));
  clock.ms += 1;
  assertEquals(reader.peek?.("a"), undefined);
  assertEquals((await reader.get("a"))?.value, 0);
  assertEquals(reader.peek?.("a")?.value, 0);
});

Deno.test("memoryCache.get() forgets what another process has withdrawn from the store", async () => {
  const { stored, clock, finder, reader } = openProcesses();
  await finder.set("a", entryOf(1));
  await reader.get("a");
  stored.delete("a");
  clock.ms += 3_000;
  assertEquals(await reader.get("a"), undefined);
  clock.ms -= 3_000;
  assertEquals(reader.peek?.("a"), undefined);
});

Deno.test("memoryCache.get() reads an entry again until it can no longer be corrected, and twice at least", async () => {
  const { store, clock, finder, reader } = openProcesses();
  await finder.set("old", entryOf(1, START - 100_000));
  await finder.set("young", entryOf(1));
  await finder.set("final", entryOf(0));
  for (const key of ["old", "young", "final"]) await reader.get(key);
  assertEquals(store.reads, 3);
  clock.ms += 3_000;
  for (const key of ["old", "young", "final"]) await reader.get(key);
  assertEquals(store.reads, 5, "the old one and the young one");
  clock.ms += 3_000;
  for (const key of ["old", "young", "final"]) await reader.get(key);
  assertEquals(store.reads, 6, "the young one");
  clock.ms = START + 60_000;
  await reader.get("young");
  clock.ms += 100_000;
  for (const key of ["old", "young", "final"]) await reader.get(key);
  assertEquals(store.reads, 7, "a last time when it was a minute old");
});

Deno.test("memoryCache.get() reads no entry again that this process has stored", async () => {
  const { store, clock, finder } = openProcesses();
  await finder.set("a", entryOf(1));
  clock.ms += 30_000;
  assertEquals([finder.peek?.("a")?.value, (await finder.get("a"))?.value], [1, 1]);
  assertEquals(store.reads, 0);
});

Deno.test("memoryCache.set() reads again what won against its entry and another process may still correct", async () => {
  const { store, clock, finder, reader } = openProcesses();
  await finder.set("a", entryOf(1, START + 5));
  assertEquals((await reader.set("a", entryOf(2))).value, 1);
  clock.ms += 3_000;
  await reader.get("a");
  assertEquals(store.reads, 1);
});

Deno.test("memoryCache.get() keeps in memory what was found while the store was read again", async () => {
  const { stored, store, clock, finder, reader } = openProcesses();
  await finder.set("a", entryOf(1));
  await reader.get("a");
  clock.ms += 3_000;
  const reading = Promise.withResolvers<undefined>();
  store.get = () => reading.promise;
  const again = reader.get("a");
  stored.clear();
  await reader.set("a", entryOf(0, START + 1));
  reading.resolve(undefined);
  await again;
  assertEquals(reader.peek?.("a")?.value, 0);
});
