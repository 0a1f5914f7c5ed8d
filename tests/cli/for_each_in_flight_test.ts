import { assertEquals, assertRejects } from "@std/assert";
import { forEachInFlight } from "../../src/cli/for_each_in_flight.ts";

async function* countUp(taken: number[]): AsyncGenerator<number> {
  for (let n = 0;; n++) {
    taken.push(n);
    yield await Promise.resolve(n);
  }
}

const turn = () => new Promise((resolve) => setTimeout(resolve));
const sizeOf = () => 2;

Deno.test("forEachInFlight() starts the next item only while the sizes of those under way are below the bound", async () => {
  const stop = new AbortController();
  const [taken, waiting]: [number[], (() => void)[]] = [[], []];
  const work = () => new Promise<void>((resolve) => waiting.push(resolve));
  const working = forEachInFlight(countUp(taken), work, { most: 5, sizeOf, stop: stop.signal });
  for (let round = 0; round < 20; round++) {
    await turn();
    assertEquals([waiting.length, taken.length], [3, 3 + 3 * round]);
    for (const resolve of waiting.splice(0)) resolve();
  }
  stop.abort();
  await working;
});

Deno.test("forEachInFlight() does the work of every item once and ends with its source", async () => {
  const done: number[] = [];
  const { signal } = new AbortController();
  const work = async (n: number) => {
    await turn();
    done.push(n);
  };
  for (const items of [[1, 2, 3, 4, 5], []]) {
    await forEachInFlight(ReadableStream.from(items), work, { most: 1, sizeOf, stop: signal });
  }
  assertEquals(done, [1, 2, 3, 4, 5]);
});

Deno.test("forEachInFlight() stops at once when the source and the work hang", async () => {
  const never = new Promise<void>(() => {});
  const hang = () => never;
  const stop = new AbortController();
  const silent = new ReadableStream<number>();
  const waiting = forEachInFlight(silent, hang, { most: 1, sizeOf, stop: stop.signal });
  stop.abort();
  await waiting;
  await forEachInFlight(silent, hang, { most: 1, sizeOf, stop: stop.signal });
  const again = new AbortController();
  const work = () => (again.abort(), never);
  await forEachInFlight(countUp([]), work, { most: 1, sizeOf, stop: again.signal });
});

Deno.test("forEachInFlight() rejects with the first failure and starts no further item", async () => {
  const taken: number[] = [];
  const { signal } = new AbortController();
  const work = () => Promise.reject(new RangeError("bug"));
  const options = { most: 5, sizeOf, stop: signal };
  await assertRejects(() => forEachInFlight(countUp(taken), work, options), RangeError, "bug");
  const read = taken.length;
  await turn();
  assertEquals(taken.length, read);
});
