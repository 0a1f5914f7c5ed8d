import { assertEquals, assertRejects } from "@std/assert";
import { asSettled } from "../../src/flow/as_settled.ts";

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

Deno.test("asSettled() throws a rejection at its turn, and leaves none unhandled when the consumer stops", async () => {
  const values = asSettled([Promise.resolve(1), Promise.reject(new RangeError("bug"))]);
  assertEquals((await values.next()).value, 1);
  await assertRejects(() => values.next(), RangeError, "bug");
  const left = asSettled([Promise.resolve(1), Promise.reject(new RangeError("bug"))]);
  await left.next();
  await left.return(undefined);
});
