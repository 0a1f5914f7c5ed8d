import { assertEquals } from "@std/assert";
import { isLoopback } from "../../src/rules/loopback.ts";

Deno.test("isLoopback() knows the machine itself in each form in which a socket shows it", () => {
  for (const address of ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1", "::FFFF:127.0.0.1"]) {
    assertEquals(isLoopback(address), true, address);
  }
  for (
    const address of ["192.0.2.127", "10.0.0.1", "::", "::2", "127.0.0.1.example", "1127.0.0.1", ""]
  ) {
    assertEquals(isLoopback(address), false, address);
  }
});
