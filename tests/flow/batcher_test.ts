import { assertEquals } from "@std/assert";
import { createBatcher } from "../../src/flow/batcher.ts";

/** A batcher whose batches run until the test ends them. */
function openBatcher(size: number, atOnce: number) {
  const started: { keys: readonly string[]; end(): void }[] = [];
  const batcher = createBatcher((keys) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    started.push({ keys, end: resolve });
    return promise;
  }, { size, atOnce });
  return { batcher, started, keys: () => started.map(({ keys }) => keys.join("")) };
}

/** Runs all pending microtasks and timers. */
const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

Deno.test("batcher.add() batches keys that arrive at once or while a batch is running", async () => {
  const { batcher, started, keys } = openBatcher(3, 2);
  for (const key of "ab") batcher.add(key);
  await wait();
  assertEquals(keys(), ["ab"]);
  for (const key of "cdc") batcher.add(key);
  await wait();
  assertEquals(keys(), ["ab"]);
  started[0]?.end();
  await wait();
  assertEquals(keys(), ["ab", "cd"]);
  started[1]?.end();
  await batcher.settled();
});

Deno.test("batcher.add() starts up to `atOnce` full batches at once", async () => {
  const { batcher, started, keys } = openBatcher(2, 2);
  for (const key of "abcdefg") batcher.add(key);
  await wait();
  assertEquals(keys(), ["ab", "cd"]);
  started[1]?.end();
  await wait();
  assertEquals(keys(), ["ab", "cd", "ef"]);
  started[0]?.end();
  started[2]?.end();
  await wait();
  assertEquals(keys(), ["ab", "cd", "ef", "g"]);
  started[3]?.end();
  await batcher.settled();
});

Deno.test("batcher.add() processes a key again when it was added while running", async () => {
  const { batcher, started, keys } = openBatcher(1, 9);
  batcher.add("a");
  await wait();
  batcher.add("a");
  batcher.add("b");
  await wait();
  assertEquals(keys(), ["a", "b"]);
  started[0]?.end();
  await wait();
  assertEquals(keys(), ["a", "b", "a"]);
  for (const { end } of started) end();
  await batcher.settled();
});

Deno.test("batcher.settled() waits for keys that have not started yet", async () => {
  const { batcher, started } = openBatcher(1, 1);
  let isSettled = false;
  batcher.add("a");
  const settled = batcher.settled().then(() => isSettled = true);
  await wait();
  assertEquals(isSettled, false);
  started[0]?.end();
  await settled;
});
