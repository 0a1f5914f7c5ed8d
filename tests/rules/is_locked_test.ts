import { assert, assertEquals } from "@std/assert";
import { isLocked } from "../../src/rules/is_locked.ts";

Deno.test("isLocked() is true only for SQLite's lock error", () => {
  assert(isLocked(new TypeError("database is locked")));
  assert(isLocked("Error: database is locked: Error code 5"));
  const others = [new TypeError("database disk image is malformed"), "", undefined];
  assertEquals(others.filter(isLocked), []);
});
