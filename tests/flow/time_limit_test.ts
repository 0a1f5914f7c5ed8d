import { assertEquals } from "@std/assert";
import { startTimeLimit } from "../../src/flow/deadline.ts";
import { FakeTime } from "../support/fake_time.ts";

Deno.test("startTimeLimit() aborts its signal once the time is over, and at expire()", async () => {
  using time = new FakeTime(0);
  using limit = startTimeLimit(1_000, []);
  using other = startTimeLimit(1_000, []);
  other.expire();
  assertEquals([other.signal.aborted, other.isOver()], [true, true]);
  await time.tickAsync(999);
  assertEquals([limit.signal.aborted, limit.isOver()], [false, false]);
  await time.tickAsync(1);
  assertEquals([limit.signal.aborted, limit.isOver()], [true, true]);
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
  let limit;
  {
    using ended = startTimeLimit(1_000, [stop.signal]);
    limit = ended;
  }
  stop.abort();
  assertEquals(limit.signal.aborted, false);
});
