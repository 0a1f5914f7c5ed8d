import { assertEquals } from "@std/assert";
import { createTimestamps } from "../../src/wiring/timestamps.ts";

Deno.test("createTimestamps() returns each millisecond as ISO 8601", () => {
  let now = 0;
  const timestamp = createTimestamps(() => now);
  assertEquals([timestamp(), timestamp()], Array(2).fill("1970-01-01T00:00:00.000Z"));
  now = 1_234;
  assertEquals(timestamp(), "1970-01-01T00:00:01.234Z");
});
