import { assertEquals } from "@std/assert";
import { createBoundedMap } from "../../src/flow/bounded_map.ts";

Deno.test("createBoundedMap() forgets what was used longest ago", () => {
  const map = createBoundedMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  assertEquals(map.get("a"), 1);
  map.set("c", 3);
  assertEquals([map.get("a"), map.get("b"), map.get("c")], [1, undefined, 3]);
  assertEquals(map.size, 2);
  map.delete("c");
  assertEquals([map.get("c"), map.size], [undefined, 1]);
});
