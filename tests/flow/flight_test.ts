import { assertEquals, assertRejects } from "@std/assert";
import { startFlight } from "../../src/flow/flight.ts";

/** Work that ends when told to, and whether it was told that nobody waits. */
function workOf() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let told: AbortSignal | undefined;
  const work = (abandoned: AbortSignal) => (told = abandoned, promise);
  return { work, resolve, reject, isAbandoned: () => told?.aborted };
}

Deno.test("a flight is abandoned once the last of its askers has left, and not before", async () => {
  const { work, resolve, isAbandoned } = workOf();
  const flight = startFlight(work);
  const [one, two] = [new AbortController(), new AbortController()];
  const waiting = [flight.join(one), flight.join(two)];
  one.abort();
  assertEquals([isAbandoned(), flight.isAbandoned()], [false, false]);
  two.abort();
  assertEquals([isAbandoned(), flight.isAbandoned()], [true, true]);
  resolve("landed");
  assertEquals(await Promise.all(waiting), ["landed", "landed"]);
});

Deno.test("a flight that somebody waits for to the end is never abandoned", async () => {
  const { work, resolve, isAbandoned } = workOf();
  const flight = startFlight(work);
  const waiter = new AbortController();
  const waiting = [flight.join(waiter), flight.join()];
  waiter.abort();
  assertEquals(isAbandoned(), false);
  resolve("landed");
  await Promise.all(waiting);
});

Deno.test("who has left already does not keep a flight up, and who leaves after it does no harm", async () => {
  const { work, resolve, isAbandoned } = workOf();
  const flight = startFlight(work);
  const late = new AbortController();
  const waiting = flight.join(late);
  resolve("landed");
  await waiting;
  late.abort();
  assertEquals(isAbandoned(), false);
  const left = startFlight(() => Promise.resolve("anyway"));
  assertEquals(await left.join({ signal: AbortSignal.abort() }), "anyway");
  assertEquals(left.isAbandoned(), true);
});

Deno.test("a flight tells all who wait what was thrown", async () => {
  const { work, reject } = workOf();
  const flight = startFlight(work);
  const waiting = [flight.join(), flight.join(new AbortController())];
  reject(new RangeError("bug"));
  for (const one of waiting) await assertRejects(() => one, RangeError, "bug");
});
