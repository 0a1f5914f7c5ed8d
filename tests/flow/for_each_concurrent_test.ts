import { assert, assertEquals, assertRejects } from "@std/assert";
import { forEachConcurrent } from "../../src/flow/for_each_concurrent.ts";

/** An endless source of numbers, and how many of them were read. */
function countUp() {
  const taken: number[] = [];
  async function* numbers(): AsyncGenerator<number> {
    for (let n = 0;; n++) {
      taken.push(n);
      yield await Promise.resolve(n);
    }
  }
  return { taken, numbers: numbers() };
}

Deno.test("forEachConcurrent() reads the next item only when a slot is free", async () => {
  const { taken, numbers } = countUp();
  const stop = new AbortController();
  const waiting: (() => void)[] = [];
  const working = forEachConcurrent(numbers, async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
  }, { atOnce: 7, stop: stop.signal });
  for (let round = 1; round <= 20; round++) {
    await new Promise((resolve) => setTimeout(resolve));
    assertEquals(waiting.length, 7);
    assertEquals(taken.length, 7 * round);
    for (const resolve of waiting.splice(0)) resolve();
  }
  stop.abort();
  await working;
});

Deno.test("forEachConcurrent() processes every item once and ends with its source", async () => {
  const worked: number[] = [];
  const source = ReadableStream.from([1, 2, 3, 4, 5]);
  const { signal: stop } = new AbortController();
  await forEachConcurrent(source, (n) => Promise.resolve(void worked.push(n)), { atOnce: 3, stop });
  assertEquals(worked.toSorted(), [1, 2, 3, 4, 5]);
});

Deno.test("forEachConcurrent() stops at once when the source and the work hang", async () => {
  const never = new Promise<never>(() => {});
  const silent: AsyncIterable<number> = { [Symbol.asyncIterator]: () => ({ next: () => never }) };
  const stop = new AbortController();
  const waiting = forEachConcurrent(silent, () => never, { atOnce: 2, stop: stop.signal });
  stop.abort();
  await waiting;
  const { numbers } = countUp();
  const again = new AbortController();
  const working = forEachConcurrent(numbers, () => (again.abort(), never), {
    atOnce: 2,
    stop: again.signal,
  });
  await working;
});

Deno.test("forEachConcurrent() rejects with the first failure and reads no further item", async () => {
  const { taken, numbers } = countUp();
  const { signal: stop } = new AbortController();
  const work = () => Promise.reject(new RangeError("bug"));
  await assertRejects(
    () => forEachConcurrent(numbers, work, { atOnce: 2, stop }),
    RangeError,
    "bug",
  );
  await new Promise((resolve) => setTimeout(resolve));
  assert(taken.length <= 4);
});
