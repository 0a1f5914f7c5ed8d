import { assertEquals } from "@std/assert";
import { createBackground } from "../../src/flow/process.ts";

Deno.test("background.settled() waits for all running tasks, and reports failures", async () => {
  const errors: unknown[] = [];
  const background = createBackground((error) => errors.push(error));
  const first = Promise.withResolvers<void>();
  const order: string[] = [];
  background.run(first.promise.then(() => {
    order.push("first");
    background.run(Promise.resolve().then(() => order.push("second")));
  }));
  background.run(Promise.reject("fault"));
  first.resolve();
  await background.settled();
  assertEquals(order, ["first", "second"]);
  assertEquals(errors, ["fault"]);
});
