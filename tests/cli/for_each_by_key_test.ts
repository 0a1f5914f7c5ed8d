import { assert, assertEquals, assertRejects } from "@std/assert";
import { forEachByKey, type ItemWork } from "../../src/cli/for_each_by_key.ts";

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

/** The work of an item with one task. */
const single = (run: () => Promise<void>, key = "one"): ItemWork => ({
  keys: [key],
  run,
  finish: () => Promise.resolve(),
});

const turn = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("forEachByKey() reads the next item only when a queue has less waiting than it runs at once", async () => {
  const { taken, numbers } = countUp();
  const stop = new AbortController();
  const waiting: (() => void)[] = [];
  const working = forEachByKey(
    numbers,
    () => single(() => new Promise<void>((resolve) => waiting.push(resolve))),
    { atOnce: () => 3, ahead: 50, stop: stop.signal },
  );
  for (let round = 0; round < 20; round++) {
    await turn();
    assertEquals(waiting.length, 3);
    assertEquals(taken.length, 3 + 3 + 3 * round);
    for (const resolve of waiting.splice(0)) resolve();
  }
  stop.abort();
  await working;
});

Deno.test("forEachByKey() runs the tasks of a fast key while those of a slow key wait", async () => {
  const stop = new AbortController();
  const ran: number[] = [];
  let slow = 0;
  const finished: number[] = [];
  const { taken, numbers } = countUp();
  const working = forEachByKey(numbers, (n) => ({
    keys: ["slow", "fast"],
    run: (place) =>
      place === 0 ? (slow++, new Promise<void>(() => {})) : Promise.resolve(void ran.push(n)),
    finish: () => Promise.resolve(void finished.push(n)),
  }), { atOnce: () => 2, ahead: 50, stop: stop.signal });
  await turn();
  assertEquals(ran, Array.from({ length: 50 }, (_, n) => n));
  // No more are read than may be unfinished.
  assertEquals([slow, finished, taken.length], [2, [], 50]);
  stop.abort();
  await working;
});

Deno.test("forEachByKey() finishes an item outside of its queues, after all of its tasks", async () => {
  const { signal: stop } = new AbortController();
  const events: string[] = [];
  const second = Promise.withResolvers<void>();
  await forEachByKey(ReadableStream.from([1, 2]), (n) => ({
    keys: ["a", "b"],
    run: (place) => Promise.resolve(void events.push(`${n}${"ab".charAt(place)}`)),
    // The first waits for the second, whose tasks need the same queues.
    async finish() {
      if (n === 1) await second.promise;
      events.push(`${n}`);
      second.resolve();
    },
  }), { atOnce: () => 1, ahead: 2, stop });
  assertEquals(events, ["1a", "1b", "2a", "2b", "2", "1"]);
});

Deno.test("forEachByKey() processes every item once and ends with its source", async () => {
  const worked: number[] = [];
  const { signal: stop } = new AbortController();
  const work = (n: number) => single(() => Promise.resolve(void worked.push(n)), `${n % 2}`);
  const options = { atOnce: () => 1, ahead: 3, stop };
  await forEachByKey(ReadableStream.from([1, 2, 3, 4, 5]), work, options);
  assertEquals(worked.toSorted(), [1, 2, 3, 4, 5]);
  await forEachByKey(ReadableStream.from<number>([]), work, options);
  assertEquals(worked.length, 5);
});

Deno.test("forEachByKey() stops at once when the source and the work hang", async () => {
  const never = new Promise<never>(() => {});
  const silent: AsyncIterable<number> = { [Symbol.asyncIterator]: () => ({ next: () => never }) };
  const stop = new AbortController();
  const waiting = forEachByKey(silent, () => single(() => never), {
    atOnce: () => 2,
    ahead: 2,
    stop: stop.signal,
  });
  stop.abort();
  await waiting;
  const { numbers } = countUp();
  const again = new AbortController();
  await forEachByKey(numbers, () => single(() => (again.abort(), never)), {
    atOnce: () => 2,
    ahead: 2,
    stop: again.signal,
  });
});

Deno.test("forEachByKey() rejects with the first failure and reads no further item", async () => {
  const fail = () => Promise.reject(new RangeError("bug"));
  const failing = [single(fail), { keys: [], run: fail, finish: fail }];
  for (const work of failing) {
    const { taken, numbers } = countUp();
    const { signal: stop } = new AbortController();
    const options = { atOnce: () => 2, ahead: 2, stop };
    await assertRejects(() => forEachByKey(numbers, () => work, options), RangeError, "bug");
    await turn();
    assert(taken.length <= 4, `${taken}`);
  }
});
