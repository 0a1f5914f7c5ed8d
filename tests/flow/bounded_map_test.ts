import { assert, assertEquals } from "@std/assert";
import { createBoundedMap } from "../../src/flow/cache/memory.ts";

Deno.test("createBoundedMap() keeps the half used last, and evicts the least recently used", () => {
  const map = createBoundedMap<number>(8);
  for (let n = 0; n < 100; n++) {
    map.set(`key ${n}`, n);
    assertEquals(map.get("key 0"), 0, "used again and again");
    assert(map.size <= 8);
  }
  assertEquals([97, 98, 99].map((n) => map.get(`key ${n}`)), [97, 98, 99]);
  assertEquals(map.get("key 50"), undefined);
});

Deno.test("createBoundedMap() returns the last value set, and undefined after delete()", () => {
  const map = createBoundedMap<string>(4);
  map.set("a", "old");
  map.set("b", "fills a generation");
  map.set("a", "new");
  assertEquals(map.get("a"), "new");
  map.delete("a");
  assertEquals(map.get("a"), undefined);
});

Deno.test("createBoundedMap() gives all values, whichever generation they are in", () => {
  const map = createBoundedMap<number>(8);
  for (let n = 0; n < 6; n++) map.set(`key ${n}`, n);
  assertEquals(map.values().toArray().toSorted(), [0, 1, 2, 3, 4, 5]);
});
