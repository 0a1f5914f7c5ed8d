import { assertEquals, assertRejects } from "@std/assert";
import { asSettled } from "../../src/flow/as_settled.ts";
import { createBackground } from "../../src/flow/background.ts";
import { withFallbackAfter } from "../../src/flow/with_fallback_after.ts";
import { FakeTime } from "../support/fake_time.ts";

Deno.test("deadline() gives the value in time, the fallback after it, and what was thrown", async () => {
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

Deno.test("asSettled() yields in the order of settling", async () => {
  const [a, b, c] = [1, 2, 3].map(() => Promise.withResolvers<string>());
  const yielded: string[] = [];
  const reading = (async () => {
    for await (const value of asSettled([a!.promise, b!.promise, c!.promise])) yielded.push(value);
  })();
  c!.resolve("c");
  await c!.promise;
  a!.resolve("a");
  await a!.promise;
  b!.resolve("b");
  await reading;
  assertEquals(yielded, ["c", "a", "b"]);
});

Deno.test("asSettled() throws a rejection at its turn, and none that nobody waits for", async () => {
  const values = asSettled([Promise.resolve(1), Promise.reject(new RangeError("bug"))]);
  assertEquals((await values.next()).value, 1);
  await assertRejects(() => values.next(), RangeError, "bug");
  const left = asSettled([Promise.resolve(1), Promise.reject(new RangeError("bug"))]);
  await left.next();
  await left.return(undefined);
});

Deno.test("background.settled() waits for all that runs, and failures are reported", async () => {
  const errors: unknown[] = [];
  const background = createBackground((error) => errors.push(error));
  const first = Promise.withResolvers<void>();
  const order: string[] = [];
  background.run(first.promise.then(() => {
    order.push("first");
    background.run(Promise.resolve().then(() => order.push("second")));
  }));
  background.run(Promise.reject("fault"));
  first.resolve();
  await background.settled();
  assertEquals(order, ["first", "second"]);
  assertEquals(errors, ["fault"]);
});
