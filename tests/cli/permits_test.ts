import { assertEquals } from "@std/assert";
import { createPermits } from "../../src/cli/permits.ts";

/** Permits, and what was taken with them so far. */
function recorded(most: Readonly<Record<string, number>>) {
  const permits = createPermits((key) => most[key] ?? 0);
  const taken: string[] = [];
  const take = (...keys: string[]) =>
    void permits.take(keys).then(() => void taken.push(keys.join("+")));
  /** Gives permits back, and lets those start that wait for them. */
  const after = async (...keys: string[]) => {
    for (const key of keys) permits.giveBack(key);
    await new Promise((resolve) => setTimeout(resolve));
    return taken.splice(0);
  };
  return { take, after };
}

Deno.test("createPermits() makes a caller wait until each of its keys has as many permits as it needs", async () => {
  const { take, after } = recorded({ a: 3, b: 1 });
  take("a", "a");
  take("a", "b");
  take("a", "a");
  take("b");
  assertEquals(await after(), ["a+a", "a+b"]);
  assertEquals(await after("a"), []);
  assertEquals(await after("b"), []);
  assertEquals(await after("a"), ["a+a", "b"]);
});

Deno.test("createPermits() serves callers in order, so that none that needs many waits for ever", async () => {
  const { take, after } = recorded({ a: 2 });
  take("a");
  take("a", "a");
  take("a");
  assertEquals(await after(), ["a"]);
  assertEquals(await after("a"), ["a+a"]);
  assertEquals(await after("a"), ["a"]);
});

Deno.test("createPermits() lets a caller without keys pass those that wait", async () => {
  const { take, after } = recorded({ a: 1 });
  take("a");
  take("a");
  take();
  assertEquals(await after(), ["a", ""]);
});
