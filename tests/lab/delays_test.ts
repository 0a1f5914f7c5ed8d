import { assertEquals } from "@std/assert";
import { createDelays } from "./delays.ts";

Deno.test("after() runs at once when the delay is 0", () => {
  const ran: string[] = [];
  createDelays().after(0, () => ran.push("run"));
  assertEquals(ran, ["run"]);
});

Deno.test("after() runs later when it is not", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  createDelays().after(1, resolve);
  await promise;
});

Deno.test("clear() cancels delays", () => {
  const delays = createDelays();
  delays.after(60_000, () => {
    throw new Error("Not cancelled");
  });
  delays.clear();
});
