import { assertEquals, assertRejects } from "@std/assert";
import { once } from "../../src/flow/once.ts";

Deno.test("once() runs for the first caller only, and gives all the same", async () => {
  let runs = 0;
  const get = once(() => Promise.resolve({ run: ++runs }));
  const [one, other] = await Promise.all([get(), get()]);
  assertEquals([one === other, await get() === one, runs], [true, true, 1]);
});

Deno.test("once() keeps no failure: the next caller tries again", async () => {
  let runs = 0;
  const get = once(() =>
    ++runs === 1 ? Promise.reject(new Error("not yet")) : Promise.resolve(runs)
  );
  const [one, other] = [get(), get()];
  await assertRejects(() => one, Error, "not yet");
  await assertRejects(() => other, Error, "not yet");
  assertEquals([await get(), await get(), runs], [2, 2, 2]);
});
