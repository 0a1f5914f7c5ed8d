import { assertEquals, assertRejects } from "@std/assert";
import { createSingleFlight } from "../../src/flow/cache/flight.ts";

Deno.test("singleFlight.run() shares the work in flight under a key, and starts anew after it", async () => {
  const flights = createSingleFlight<number>();
  let started = 0;
  const work = () => Promise.resolve(++started);
  const together = [flights.run("a", work), flights.run("a", work), flights.run("b", work)];
  assertEquals([flights.isRunning("a"), flights.isRunning("c")], [true, false]);
  assertEquals(await Promise.all(together), [1, 1, 2]);
  assertEquals(flights.isRunning("a"), false);
  assertEquals(await flights.run("a", work), 3);
});

Deno.test("singleFlight.run() rejects for all that share the work when it fails, and starts anew after it", async () => {
  const flights = createSingleFlight<string>();
  const failing = () => Promise.reject(new RangeError("bug"));
  const together = [flights.run("a", failing), flights.run("a", () => Promise.resolve("value"))];
  for (const one of together) await assertRejects(() => one, RangeError, "bug");
  assertEquals(await flights.run("a", () => Promise.resolve("value")), "value");
});
