import { assertEquals } from "@std/assert";
import { createGate } from "../../src/flow/queue/gate.ts";
import { createLearntConcurrency } from "../../src/flow/queue/learnt_concurrency.ts";
import { FakeTime } from "../support/fake_time.ts";

Deno.test("learntConcurrency grows while answers stay fast and falls when they slow down, within its bounds", () => {
  const learnt = createLearntConcurrency({ least: 64, most: 128 });
  const rounds = (count: number, ms: number) => {
    for (let round = 0; round < count; round++) {
      for (let left = learnt.pace.concurrency; left > 0; left--) learnt.note(ms);
    }
    return learnt.pace.concurrency;
  };
  assertEquals(rounds(1, 20), 68);
  assertEquals(rounds(20, 40), 128, "twice the fastest time is no slow answer");
  assertEquals(rounds(1, 200), 96);
  assertEquals(rounds(10, 200), 64);
  assertEquals(rounds(2_000, 200), 128, "a resolver that has become slower for good");
});

Deno.test("a gate starts as many tasks at once as have been learnt when they come", async () => {
  using time = new FakeTime(0);
  const learnt = createLearntConcurrency({ least: 2, most: 10 });
  const gate = createGate({
    paceOf: () => learnt.pace,
    maxWaitMs: 1_000,
    monotonic: () => Date.now(),
  });
  let running = 0;
  let most = 0;
  const answers = Array.from({ length: 40 }, () =>
    gate.run("dns", async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
      learnt.note(20);
    }));
  await time.tickAsync(0);
  assertEquals(most, 2);
  await time.tickAsync(200);
  await Promise.all(answers);
  assertEquals(most, 10);
});
