import { assertEquals, assertRejects } from "@std/assert";
import { withFallbackAfter } from "../../src/flow/with_fallback_after.ts";
import { FakeTime } from "../support/fake_time.ts";

Deno.test("withFallbackAfter() returns the value in time, the fallback after it, and rejects with the error", async () => {
  using time = new FakeTime(0);
  const never = withFallbackAfter(new Promise(() => {}), 50, "late");
  time.tick(50);
  assertEquals(await never, "late");
  assertEquals(await withFallbackAfter(Promise.resolve("value"), 50, "late"), "value");
  await assertRejects(
    () => withFallbackAfter(Promise.reject(new RangeError("bug")), 50, 0),
    RangeError,
    "bug",
  );
});
