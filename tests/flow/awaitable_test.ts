import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { allReady, recover, stopwatch, whenReady } from "../../src/flow/awaitable.ts";

Deno.test("whenReady() passes a value on at once, and that of a promise once it is fulfilled", async () => {
  const double = (value: number) => 2 * value;
  assertEquals(whenReady(2, double), 4);
  const later = whenReady(Promise.resolve(2), double);
  assertEquals(later instanceof Promise, true);
  assertEquals(await later, 4);
});

Deno.test("whenReady() passes on what its value rejects with, and what the function throws", async () => {
  const fail = () => {
    throw new RangeError("bug");
  };
  assertThrows(() => whenReady(1, fail), RangeError, "bug");
  await assertRejects(async () => await whenReady(Promise.resolve(1), fail), RangeError, "bug");
  const rejected = Promise.reject(new RangeError("bug"));
  await assertRejects(async () => await whenReady(rejected, () => 1), RangeError, "bug");
});

Deno.test("allReady() returns a list without a promise, and a promise of the list where one of its values is", async () => {
  assertEquals(allReady([1, 2]), [1, 2]);
  assertEquals(allReady([]), []);
  const later = allReady([1, Promise.resolve(2), 3]);
  assertEquals(later instanceof Promise, true);
  assertEquals(await later, [1, 2, 3]);
});

Deno.test("recover() handles an error that is thrown and one that a promise rejects with", async () => {
  const thrown = () => {
    throw new RangeError("bug");
  };
  const rejected = () => Promise.reject(new RangeError("bug"));
  assertEquals(recover(() => "fine", String), "fine");
  assertEquals(recover(thrown, String), "RangeError: bug");
  assertEquals(await recover(() => Promise.resolve("fine"), String), "fine");
  assertEquals(await recover(rejected, String), "RangeError: bug");
});

Deno.test("stopwatch() measures how long a promise is waited for, and reads no clock for a value", () => {
  let time = 10;
  let readings = 0;
  const monotonic = () => (readings++, time);
  const atOnce = stopwatch("value", monotonic);
  const later = stopwatch(Promise.resolve("value"), monotonic);
  time += 5.6;
  assertEquals([atOnce(), later()], [0, 6]);
  assertEquals(readings, 2);
});
