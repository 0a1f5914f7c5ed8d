import { assertEquals } from "@std/assert";
import { answerClaim, type LeaseRecord, type Outcome, type RunEnd } from "../../src/rules/lease.ts";

const MINUTE_MS = 60_000;
const TICK_AT = Date.UTC(2026, 10, 21, 12);
const DONE = endOf({ kind: "done", message: "19 TLDs" });
const FAILED = endOf({ kind: "failed", reason: "HTTP 500" });

function endOf(outcome: Outcome): RunEnd {
  return { at: TICK_AT + MINUTE_MS, outcome };
}

function running(record: Partial<LeaseRecord> = {}): LeaseRecord {
  return { holder: "one", tickAt: TICK_AT, expiresAt: TICK_AT + 30_000, ...record };
}

function ended(end: RunEnd): LeaseRecord {
  return running({ ended: end });
}

function answer(record: LeaseRecord | undefined, tickAt: number, now = tickAt) {
  return answerClaim(record, { tickAt, now });
}

Deno.test("answerClaim() is free when the job never ran", () => {
  assertEquals(answer(undefined, TICK_AT), { kind: "free" });
});

Deno.test("answerClaim() is held until the lease expires", () => {
  assertEquals(answer(running(), TICK_AT + 10_000), { kind: "held", forMs: 20_000 });
  assertEquals(answer(running(), TICK_AT, TICK_AT + 29_999), { kind: "held", forMs: 1 });
  assertEquals(answer(running(), TICK_AT, TICK_AT + 30_000), { kind: "free" });
});

Deno.test("answerClaim() is free when the holder's clock is far ahead", () => {
  for (const expiresAt of [TICK_AT + 5 * MINUTE_MS, TICK_AT + 3_600_000]) {
    assertEquals(answer(running({ expiresAt }), TICK_AT), { kind: "free" });
  }
});

Deno.test("answerClaim() is ended for processes whose clocks differ by minutes", () => {
  for (const skewMs of [-4 * MINUTE_MS, 0, 4 * MINUTE_MS]) {
    assertEquals(answer(ended(DONE), TICK_AT + skewMs), { kind: "ended", end: DONE });
  }
  // For any waiting time of the others.
  assertEquals(answer(ended(DONE), TICK_AT, TICK_AT + 3_600_000), { kind: "ended", end: DONE });
});

Deno.test("answerClaim() is free for the next tick", () => {
  assertEquals(answer(ended(DONE), TICK_AT + 5 * MINUTE_MS), { kind: "free" });
  assertEquals(answer(ended(DONE), TICK_AT + 10 * MINUTE_MS), { kind: "free" });
  assertEquals(answer(ended(FAILED), TICK_AT + 10 * MINUTE_MS), { kind: "free" });
});

Deno.test("answerClaim() ends a failed tick for claims that waited for it, and not for its retry", () => {
  assertEquals(answer(ended(FAILED), TICK_AT + 1_000), { kind: "ended", end: FAILED });
  assertEquals(answer(ended(FAILED), TICK_AT + MINUTE_MS), { kind: "ended", end: FAILED });
  assertEquals(answer(ended(FAILED), TICK_AT + MINUTE_MS + 1), { kind: "free" });
});

Deno.test("answerClaim() allows a retry when a clock was set back", () => {
  for (const backMs of [10 * MINUTE_MS, 60 * MINUTE_MS]) {
    assertEquals(answer(ended(FAILED), TICK_AT - backMs), { kind: "free" });
  }
});

Deno.test("answerClaim() is free for tick Infinity unless a run is in progress", () => {
  assertEquals(answerClaim(ended(DONE), { tickAt: Infinity, now: TICK_AT }), { kind: "free" });
  assertEquals(answerClaim(ended(FAILED), { tickAt: Infinity, now: TICK_AT }), { kind: "free" });
  assertEquals(answerClaim(running(), { tickAt: Infinity, now: TICK_AT }).kind, "held");
});
