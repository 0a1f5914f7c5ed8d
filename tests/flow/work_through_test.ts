import { assert, assertEquals, assertRejects } from "@std/assert";
import { workThrough } from "../../src/flow/work_through.ts";

/** Numbers without an end, and how many of them were taken. */
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

Deno.test("workThrough() takes the next item only when there is room for it", async () => {
  const { taken, numbers } = countUp();
  const stop = new AbortController();
  const waiting: (() => void)[] = [];
  const working = workThrough(numbers, async () => {
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

Deno.test("workThrough() ends with its source, and works on every item once", async () => {
  const worked: number[] = [];
  const source = ReadableStream.from([1, 2, 3, 4, 5]);
  const { signal: stop } = new AbortController();
  await workThrough(source, (n) => Promise.resolve(void worked.push(n)), { atOnce: 3, stop });
  assertEquals(worked.toSorted(), [1, 2, 3, 4, 5]);
});

Deno.test("workThrough() stops at once, though the source and the work would never go on", async () => {
  const never = new Promise<never>(() => {});
  const silent: AsyncIterable<number> = { [Symbol.asyncIterator]: () => ({ next: () => never }) };
  const stop = new AbortController();
  const waiting = workThrough(silent, () => never, { atOnce: 2, stop: stop.signal });
  stop.abort();
  await waiting;
  const { numbers } = countUp();
  const again = new AbortController();
  const working = workThrough(numbers, () => (again.abort(), never), {
    atOnce: 2,
    stop: again.signal,
  });
  await working;
});

Deno.test("workThrough() rejects with the first failure and takes nothing more", async () => {
  const { taken, numbers } = countUp();
  const { signal: stop } = new AbortController();
  const work = () => Promise.reject(new RangeError("bug"));
  await assertRejects(() => workThrough(numbers, work, { atOnce: 2, stop }), RangeError, "bug");
  await new Promise((resolve) => setTimeout(resolve));
  assert(taken.length <= 4);
});
