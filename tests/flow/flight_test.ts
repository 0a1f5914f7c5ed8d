import { assertEquals, assertRejects } from "@std/assert";
import { createSingleFlight, lazy, startFlight } from "../../src/flow/cache/flight.ts";

/** Work that runs until the test ends it, and whether it was cancelled. */
function workOf() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let signal: AbortSignal | undefined;
  const work = (cancelled: AbortSignal) => (signal = cancelled, promise);
  return { work, resolve, reject, isCancelled: () => signal?.aborted };
}

Deno.test("flight.isCancelled() is true once the last waiter has left, and not before", async () => {
  const { work, resolve, isCancelled } = workOf();
  const flight = startFlight(work);
  const [one, two] = [new AbortController(), new AbortController()];
  const waiting = [flight.join(one), flight.join(two)];
  one.abort();
  assertEquals([isCancelled(), flight.isCancelled()], [false, false]);
  two.abort();
  assertEquals([isCancelled(), flight.isCancelled()], [true, true]);
  resolve("landed");
  assertEquals(await Promise.all(waiting), ["landed", "landed"]);
});

Deno.test("flight.join() ignores a waiter that has left before or leaves after the result", async () => {
  const { work, resolve, isCancelled } = workOf();
  const flight = startFlight(work);
  const late = new AbortController();
  const waiting = flight.join(late);
  resolve("landed");
  await waiting;
  late.abort();
  assertEquals(isCancelled(), false);
  const left = startFlight(() => Promise.resolve("anyway"));
  assertEquals(await left.join({ signal: AbortSignal.abort() }), "anyway");
  assertEquals(left.isCancelled(), true);
});

Deno.test("flight.join() tells the work of each client that comes, and of each that leaves with its last waiter", async () => {
  const events: string[] = [];
  const landing = Promise.withResolvers<string>();
  let watch: (() => () => void) | undefined;
  const flight = startFlight((_, clients) => {
    watch = () =>
      clients.watch(({ client, site }) => {
        events.push(`${client} of ${site} comes`);
        return () => events.push(`${client} leaves`);
      });
    watch();
    return landing.promise;
  });
  const names = ["one", "one", "other"];
  const leaving = names.map(() => new AbortController());
  const waiting = leaving.map(({ signal }, n) =>
    flight.join({ signal, client: names[n]!, site: "here" })
  );
  waiting.push(flight.join());
  leaving[0]?.abort();
  assertEquals(events, ["one of here comes", "other of here comes"]);
  leaving[1]?.abort();
  assertEquals(events.splice(0).at(-1), "one leaves");
  const stop = watch?.();
  assertEquals(events.splice(0), ["other of here comes"]);
  stop?.();
  const { signal } = new AbortController();
  waiting.push(flight.join({ signal, client: "late", site: "there" }));
  leaving[2]?.abort();
  assertEquals(events, ["late of there comes", "other leaves", "other leaves"]);
  landing.resolve("landed");
  await Promise.all(waiting);
});

Deno.test("singleFlight.run() shares the work in flight under a key, also when it fails, and starts anew after it", async () => {
  const flights = createSingleFlight<number>();
  let started = 0;
  const work = () => Promise.resolve(++started);
  const together = [flights.run("a", work), flights.run("a", work), flights.run("b", work)];
  assertEquals([flights.isRunning("a"), flights.isRunning("c")], [true, false]);
  assertEquals(await Promise.all(together), [1, 1, 2]);
  assertEquals(flights.isRunning("a"), false);
  const failing = () => Promise.reject(new RangeError("bug"));
  const failed = [flights.run("a", failing), flights.run("a", work)];
  for (const one of failed) await assertRejects(() => one, RangeError, "bug");
  assertEquals(await flights.run("a", work), 3);
});

Deno.test("lazy() creates the value once on first use, for concurrent callers too, and tries again after a failure", async () => {
  let made = 0;
  const value = lazy(() => Promise.resolve(++made));
  assertEquals([made, value.peek()], [0, undefined]);
  assertEquals(await Promise.all([value.get(), value.get()]), [1, 1]);
  assertEquals([made, value.peek()], [1, 1]);
  let tries = 0;
  const start = () => ++tries === 1 ? Promise.reject(new Error("busy")) : Promise.resolve(tries);
  const failing = lazy(start);
  await assertRejects(() => failing.get(), Error, "busy");
  assertEquals(await failing.get(), 2);
});
