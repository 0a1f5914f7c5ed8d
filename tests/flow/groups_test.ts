import { assertEquals } from "@std/assert";
import { createBatcher } from "../../src/flow/batcher.ts";

/** Groups whose work lasts until it is told to end. */
function openGroups(size: number, atOnce: number) {
  const started: { keys: readonly string[]; end(): void }[] = [];
  const groups = createBatcher((keys) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    started.push({ keys, end: resolve });
    return promise;
  }, { size, atOnce });
  return { groups, started, keys: () => started.map(({ keys }) => keys.join("")) };
}

/** Lets all that is due happen. */
const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

Deno.test("groups.add() puts keys together that arrive at once or while work is under way", async () => {
  const { groups, started, keys } = openGroups(3, 2);
  for (const key of "ab") groups.add(key);
  await wait();
  assertEquals(keys(), ["ab"]);
  for (const key of "cdc") groups.add(key);
  await wait();
  assertEquals(keys(), ["ab"]);
  started[0]?.end();
  await wait();
  assertEquals(keys(), ["ab", "cd"]);
  started[1]?.end();
  await groups.settled();
});

Deno.test("groups.add() starts full groups at once, up to `atOnce`", async () => {
  const { groups, started, keys } = openGroups(2, 2);
  for (const key of "abcdefg") groups.add(key);
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
  await groups.settled();
});

Deno.test("groups.add() gives a key that is being worked on another turn afterwards", async () => {
  const { groups, started, keys } = openGroups(1, 9);
  groups.add("a");
  await wait();
  groups.add("a");
  groups.add("b");
  await wait();
  assertEquals(keys(), ["a", "b"]);
  started[0]?.end();
  await wait();
  assertEquals(keys(), ["a", "b", "a"]);
  for (const { end } of started) end();
  await groups.settled();
});

Deno.test("groups.settled() waits for keys that have not been started yet", async () => {
  const { groups, started } = openGroups(1, 1);
  let isSettled = false;
  groups.add("a");
  const settled = groups.settled().then(() => isSettled = true);
  await wait();
  assertEquals(isSettled, false);
  started[0]?.end();
  await settled;
});
