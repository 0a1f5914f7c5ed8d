import { assertEquals, assertRejects } from "@std/assert";
import {
  startAlarm,
  startTimeLimit,
  startTimer,
  withDeadline,
  withRunningDeadline,
} from "../../src/flow/deadline.ts";

const never = new Promise<never>(() => {});

Deno.test("startAlarm() and startTimer() ring once after the time, and never after stop()", async () => {
  for (const start of [startAlarm, startTimer]) {
    const rung: string[] = [];
    start(() => rung.push("stopped"), 5).stop();
    await new Promise<void>((resolve) => start(() => (rung.push("rung"), resolve()), 10.5));
    assertEquals(rung, ["rung"]);
  }
});

Deno.test("withDeadline() returns the value in time, the fallback after it, and rejects with the error", async () => {
  assertEquals(await withDeadline(Promise.resolve("value"), 20, "late"), "value");
  assertEquals(await withDeadline(never, 20, "late"), "late");
  const rejected = () => withDeadline(Promise.reject(new RangeError("bug")), 20, "late");
  await assertRejects(rejected, RangeError, "bug");
});

Deno.test("withDeadline() returns the value when it arrived while the event loop was blocked", async () => {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => port1.onmessage = () => resolve("value"));
  const waiting = withDeadline(answer, 20, "late");
  port2.postMessage("here");
  const until = performance.now() + 60;
  while (performance.now() < until);
  assertEquals(await waiting, "value");
  port1.close();
  port2.close();
});

Deno.test("withRunningDeadline() starts once more when the event loop was blocked or the store has answered, and only once", async () => {
  let now = 0;
  const rings: (() => void)[] = [];
  let answeredAt = -1;
  const timing = {
    monotonic: () => now,
    answeredAt: () => answeredAt,
    startAlarm: (ring: () => void) => (rings.push(ring), { stop() {} }),
  };
  const pass = async (ms: number) => {
    now += ms;
    rings.splice(0).forEach((ring) => ring());
    await Promise.resolve();
    await new Promise((resolve) => setTimeout(resolve));
  };
  const { promise, resolve } = Promise.withResolvers<string>();
  const answered = withRunningDeadline(promise, 100, "late", timing);
  await pass(400);
  await pass(10);
  resolve("value");
  assertEquals(await answered, "value");
  for (const passing of [[400, 10, 400, 10], [100, 10]]) {
    const late = withRunningDeadline(never, 100, "late", timing);
    for (const ms of passing) await pass(ms);
    assertEquals(await late, "late");
  }
  const slow = withRunningDeadline(never, 100, "late", timing);
  answeredAt = now + 50;
  for (const ms of [100, 10]) await pass(ms);
  assertEquals(rings.length, 1, "waits again");
  for (const ms of [100, 10]) await pass(ms);
  assertEquals(await slow, "late");
});

Deno.test("startTimeLimit() aborts its signal with another one, before its time is over", () => {
  const stop = new AbortController();
  using limit = startTimeLimit(1_000, [new AbortController().signal, stop.signal]);
  stop.abort();
  assertEquals([limit.signal.aborted, limit.isOver()], [true, false]);
  using late = startTimeLimit(1_000, [stop.signal]);
  assertEquals([late.signal.aborted, late.isOver()], [true, false]);
});

Deno.test("startTimeLimit() leaves neither timer nor listener behind", () => {
  const stop = new AbortController();
  const limit = startTimeLimit(1_000, [stop.signal]);
  limit[Symbol.dispose]();
  stop.abort();
  assertEquals(limit.signal.aborted, false);
});
