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

Deno.test("answerClaim() gives a job that nobody has run to whoever comes", () => {
  assertEquals(answer(undefined, TICK_AT), { kind: "free" });
});

Deno.test("answerClaim() makes others wait while the holder is alive, and no longer", () => {
  assertEquals(answer(running(), TICK_AT + 10_000), { kind: "held", forMs: 20_000 });
  assertEquals(answer(running(), TICK_AT, TICK_AT + 29_999), { kind: "held", forMs: 1 });
  assertEquals(answer(running(), TICK_AT, TICK_AT + 30_000), { kind: "free" });
});

Deno.test("answerClaim() does not wait for a holder whose clock is far ahead", () => {
  for (const expiresAt of [TICK_AT + 5 * MINUTE_MS, TICK_AT + 3_600_000]) {
    assertEquals(answer(running({ expiresAt }), TICK_AT), { kind: "free" });
  }
});

Deno.test("answerClaim() calls a tick done for processes whose clocks are some minutes apart", () => {
  for (const skewMs of [-4 * MINUTE_MS, 0, 4 * MINUTE_MS]) {
    assertEquals(answer(ended(DONE), TICK_AT + skewMs), { kind: "ended", end: DONE });
  }
  // However long the others have stood by.
  assertEquals(answer(ended(DONE), TICK_AT, TICK_AT + 3_600_000), { kind: "ended", end: DONE });
});

Deno.test("answerClaim() reads the text of an outcome that was stored under its old name", () => {
  const texts: [object, Outcome][] = [
    [{ kind: "done", told: "19 TLDs" }, DONE.outcome],
    [{ kind: "failed", why: "HTTP 500" }, FAILED.outcome],
  ];
  for (const [stored, outcome] of texts) {
    const record = ended(endOf(stored as Outcome));
    assertEquals(answer(record, TICK_AT), { kind: "ended", end: endOf(outcome) });
  }
});

Deno.test("answerClaim() gives the next tick to whoever comes first", () => {
  assertEquals(answer(ended(DONE), TICK_AT + 5 * MINUTE_MS), { kind: "free" });
  assertEquals(answer(ended(DONE), TICK_AT + 10 * MINUTE_MS), { kind: "free" });
  assertEquals(answer(ended(FAILED), TICK_AT + 10 * MINUTE_MS), { kind: "free" });
});

Deno.test("answerClaim() ends a failed run's tick for those who stood by, and not for its retry", () => {
  assertEquals(answer(ended(FAILED), TICK_AT + 1_000), { kind: "ended", end: FAILED });
  assertEquals(answer(ended(FAILED), TICK_AT + MINUTE_MS), { kind: "ended", end: FAILED });
  assertEquals(answer(ended(FAILED), TICK_AT + MINUTE_MS + 1), { kind: "free" });
});

Deno.test("answerClaim() lets a failed run be tried again though a clock was set back since", () => {
  for (const backMs of [10 * MINUTE_MS, 60 * MINUTE_MS]) {
    assertEquals(answer(ended(FAILED), TICK_AT - backMs), { kind: "free" });
  }
});

Deno.test("answerClaim() gives a run after all that were to whoever wants it, but for a running one", () => {
  assertEquals(answerClaim(ended(DONE), { tickAt: Infinity, now: TICK_AT }), { kind: "free" });
  assertEquals(answerClaim(ended(FAILED), { tickAt: Infinity, now: TICK_AT }), { kind: "free" });
  assertEquals(answerClaim(running(), { tickAt: Infinity, now: TICK_AT }).kind, "held");
});
