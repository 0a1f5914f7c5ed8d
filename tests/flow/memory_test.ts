import { assert, assertEquals, assertThrows } from "@std/assert";
import { createBoundedMap, createPolledCopy, memoized } from "../../src/flow/cache/memory.ts";

Deno.test("createBoundedMap() keeps the half used last, and evicts the least recently used", () => {
  const map = createBoundedMap<number>(8);
  for (let n = 0; n < 100; n++) {
    map.set(`key ${n}`, n);
    assertEquals(map.get("key 0"), 0, "used again and again");
    assert(map.values().toArray().length <= 8);
  }
  assertEquals([97, 98, 99].map((n) => map.get(`key ${n}`)), [97, 98, 99]);
  assertEquals(map.get("key 50"), undefined);
});

Deno.test("createBoundedMap() returns the last value set and all values, whichever generation they are in", () => {
  const map = createBoundedMap<string>(4);
  map.set("a", "old");
  map.set("b", "fills a generation");
  map.set("a", "new");
  assertEquals(map.get("a"), "new");
  const all = createBoundedMap<number>(8);
  for (let n = 0; n < 6; n++) all.set(`key ${n}`, n);
  assertEquals(all.values().toArray().toSorted(), [0, 1, 2, 3, 4, 5]);
});

Deno.test("memoized() reads a text of up to 256 characters once, a longer one and one that threw again", () => {
  const texts: string[] = [];
  const read = memoized((text) => {
    texts.push(text);
    if (text === "invalid") throw new Error("cannot be read");
    return { text };
  }, 8);
  const [longest, tooLong] = ["x".repeat(256), "x".repeat(257)];
  for (const text of ["a", "b", longest]) {
    const first = read(text);
    assertEquals(first, { text });
    assert(read(text) === first);
  }
  for (const _ of [1, 2]) {
    assertEquals(read(tooLong), { text: tooLong });
    assertThrows(() => read("invalid"), Error, "cannot be read");
  }
  assertEquals(texts, ["a", "b", longest, tooLong, "invalid", tooLong, "invalid"]);
});

Deno.test("polledCopy.refresh() reads again when the clock was set back further, and ageMs() counts from the start of a read, because the data may be as old", async () => {
  let time = 0;
  let reads = 0;
  const read = () => Promise.resolve(void (time += 2_000, reads++));
  const copy = createPolledCopy(read, { maxAgeMs: 3_000, now: () => time });
  assertEquals(copy.ageMs(), Infinity);
  await copy.read();
  assertEquals(copy.ageMs(), 2_000);
  time = -1_000_000;
  await copy.refresh();
  assertEquals(reads, 2);
});
