import { assertEquals, assertRejects } from "@std/assert";
import {
  pause,
  startAlarm,
  startTimeLimit,
  startTimer,
  withDeadline,
} from "../../src/flow/deadline.ts";
import { FakeTime } from "../support/fake_time.ts";

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

Deno.test("withDeadline() starts once more when the event loop was blocked or the store has answered another call, and only once", async () => {
  using time = new FakeTime(0);
  let blockedMs = 0;
  const monotonic = () => Date.now() + blockedMs;
  const { promise, resolve } = Promise.withResolvers<string>();
  const answered = withDeadline(promise, 100, "late", { monotonic });
  blockedMs += 200;
  await time.tickAsync(209);
  resolve("value");
  assertEquals(await answered, "value");
  /** By how long it was blocked, when another call was answered since this one began, and the wait in all. */
  const waits = [[200, -Infinity, 210], [199, -Infinity, 110], [0, 50, 210], [0, 0, 110]] as const;
  for (const [blocked, answeredAfter, waited] of waits) {
    const from = Date.now();
    const answeredAt = monotonic() + answeredAfter;
    const late = withDeadline(never, 100, "late", { monotonic, answeredAt: () => answeredAt });
    blockedMs += blocked;
    await time.runAll();
    assertEquals([await late, Date.now() - from], ["late", waited], `${blocked}, ${answeredAfter}`);
  }
});

Deno.test("startTimeLimit() aborts its signal with another one before its time is over, and leaves neither timer nor listener behind", () => {
  const stop = new AbortController();
  const ended = startTimeLimit(1_000, [stop.signal]);
  ended[Symbol.dispose]();
  using limit = startTimeLimit(1_000, [new AbortController().signal, stop.signal]);
  stop.abort();
  using late = startTimeLimit(1_000, [stop.signal]);
  assertEquals([limit, late, ended].map((one) => one.signal.aborted), [true, true, false]);
  assertEquals([limit, late].map((one) => one.isOver()), [false, false]);
});

Deno.test("pause() ends after its time, or once one of the signals is aborted, and leaves no timer behind", async () => {
  using time = new FakeTime(0);
  const stop = new AbortController();
  const ended: string[] = [];
  const note = (name: string) => () => void ended.push(name);
  void pause(100, stop.signal).then(note("stopped"));
  void pause(40).then(note("over"));
  await time.tickAsync(50);
  stop.abort();
  await time.tickAsync(0);
  void pause(100, stop.signal).then(note("aborted before"));
  await time.runAll();
  assertEquals([ended, Date.now()], [["over", "stopped", "aborted before"], 50]);
});
