import { assertEquals } from "@std/assert";
import { startTimeLimit } from "../../src/flow/deadline.ts";

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
