import { assert, assertEquals } from "@std/assert";
import { isLocked } from "../../src/rules/is_locked.ts";

Deno.test("isLocked() knows SQLite's answer while another process writes, and nothing else", () => {
  assert(isLocked(new TypeError("database is locked")));
  assert(isLocked("Error: database is locked: Error code 5"));
  const others = [new TypeError("database disk image is malformed"), "", undefined];
  assertEquals(others.filter(isLocked), []);
});
