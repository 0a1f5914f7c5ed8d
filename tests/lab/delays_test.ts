import { assertEquals } from "@std/assert";
import { createDelays } from "./delays.ts";

Deno.test("after() runs at once when there is nothing to wait for", () => {
  const ran: string[] = [];
  createDelays().after(0, () => ran.push("run"));
  assertEquals(ran, ["run"]);
});

Deno.test("after() runs later when there is", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  createDelays().after(1, resolve);
  await promise;
});

Deno.test("clear() drops what still waits", () => {
  const delays = createDelays();
  delays.after(60_000, () => {
    throw new Error("it was to be dropped");
  });
  delays.clear();
});
