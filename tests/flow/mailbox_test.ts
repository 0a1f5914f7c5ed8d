import { assertEquals } from "@std/assert";
import { createMailbox } from "../../src/flow/mailbox.ts";

Deno.test("a mailbox gives each value once, in order, and reports the next arrival", async () => {
  const { put, take, arrival } = createMailbox<number>();
  assertEquals(take(), []);
  let arrived = 0;
  const first = arrival().then(() => arrived++);
  assertEquals(arrived, 0);
  put(1);
  put(2);
  await first;
  await arrival();
  assertEquals([take(), take(), arrived], [[1, 2], [], 1]);
  const second = arrival().then(() => arrived++);
  await Promise.resolve();
  assertEquals(arrived, 1);
  put(3);
  await second;
  assertEquals(take(), [3]);
});
