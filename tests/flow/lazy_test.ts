import { assertEquals, assertRejects } from "@std/assert";
import { lazy } from "../../src/flow/lazy.ts";

Deno.test("lazy() makes the value at its first use, once for all who need it at once", async () => {
  let made = 0;
  const value = lazy(() => Promise.resolve(++made));
  assertEquals([made, value.made()], [0, undefined]);
  assertEquals(await Promise.all([value.get(), value.get()]), [1, 1]);
  assertEquals([made, value.made()], [1, 1]);
});

Deno.test("lazy() tries again after a failure", async () => {
  let tries = 0;
  const value = lazy(() =>
    ++tries === 1 ? Promise.reject(new Error("busy")) : Promise.resolve(tries)
  );
  await assertRejects(() => value.get(), Error, "busy");
  assertEquals(await value.get(), 2);
});
