import { assertEquals, assertRejects } from "@std/assert";
import { merged } from "../../src/flow/merged.ts";

async function* after<T>(value: Promise<T>): AsyncGenerator<T> {
  yield await value;
}

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
