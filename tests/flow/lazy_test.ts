import { assertEquals, assertRejects } from "@std/assert";
import { lazy } from "../../src/flow/cache/lazy.ts";

Deno.test("lazy() creates the value once on first use, for concurrent callers too", async () => {
  let made = 0;
  const value = lazy(() => Promise.resolve(++made));
  assertEquals([made, value.peek()], [0, undefined]);
  assertEquals(await Promise.all([value.get(), value.get()]), [1, 1]);
  assertEquals([made, value.peek()], [1, 1]);
});

Deno.test("lazy() tries again after a failure", async () => {
  let tries = 0;
  const value = lazy(() =>
    ++tries === 1 ? Promise.reject(new Error("busy")) : Promise.resolve(tries)
  );
  await assertRejects(() => value.get(), Error, "busy");
  assertEquals(await value.get(), 2);
});
