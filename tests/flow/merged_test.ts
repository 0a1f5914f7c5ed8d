import { assertEquals, assertRejects } from "@std/assert";
import { merged } from "../../src/flow/merged.ts";

async function* after<T>(value: Promise<T>): AsyncGenerator<T> {
  yield await value;
}

Deno.test("merged() ends no process when a value comes after its reader has left", async () => {
  const [first, second, end] = [1, 2, 3].map(() => Promise.withResolvers<string>());
  async function* source() {
    yield await first!.promise;
    yield await second!.promise;
    yield await end!.promise;
  }
  const values = merged([source()], (value) => Promise.resolve(value));
  await values.cancel();
  first!.resolve("a");
  second!.resolve("b");
  // A rejection that no code has taken up by then would fail this test.
  await new Promise((resolve) => setTimeout(resolve, 0));
  end!.resolve("c");
});

Deno.test("merged() yields in the order of arrival, and fails with its first failure", async () => {
  const [a, b, c] = [1, 2, 3].map(() => Promise.withResolvers<string>());
  const values = merged([a!, b!, c!].map(({ promise }) => after(promise))).values();
  for (const [source, value] of [[c, "c"], [a, "a"]] as const) {
    source!.resolve(value);
    assertEquals((await values.next()).value, value);
  }
  b!.reject(new RangeError("bug"));
  await assertRejects(() => values.next(), RangeError, "bug");
});
