import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Canary, RdapAnswer } from "../../src/rules/answer.ts";
import {
  admitLate,
  canaryLifetimeMs,
  type CanaryRecord,
  follow,
  isBelieved,
  judgeCanary,
  recordCanary,
} from "../../src/rules/canary.ts";

const FOUND: RdapAnswer = { kind: "registered" };
const DENIED: RdapAnswer = { kind: "notFound", notice: "plain", words: "" };
const FAULT: RdapAnswer = { kind: "failed", fault: "down", why: "The registry answered 503" };

const ROWS: [string, RdapAnswer[], RdapAnswer, "passed" | "failed" | "undecided", RegExp][] = [
  ["finds a registered name and denies a made-up one", [FOUND], DENIED, "passed", /^$/],
  ["denies one registered name and finds the next", [DENIED, FOUND], DENIED, "passed", /^$/],
  ["denies two registered names", [DENIED, DENIED], DENIED, "failed", /denies names/],
  ["denies two registered names and fails else", [DENIED, DENIED], FAULT, "failed", /denies names/],
  ["calls a made-up name registered", [FOUND], FOUND, "failed", /made-up name registered/],
  ["denies the only name that could be asked", [DENIED], DENIED, "undecided", /no registered name/],
  ["could be asked for nothing", [], DENIED, "undecided", /no registered name/],
  ["fails for the registered name", [FAULT], DENIED, "undecided", /503/],
  ["fails for the made-up name", [FOUND], FAULT, "undecided", /made-up name \(.*503/],
];

for (const [server, delegated, madeUp, kind, why] of ROWS) {
  Deno.test(`judgeCanary() is ${kind} where a server ${server}`, () => {
    const canary = judgeCanary(delegated, madeUp);
    assertEquals(canary.kind, kind);
    assertMatch(canary.kind === "passed" ? "" : canary.why, why);
  });
}

Deno.test("canaryLifetimeMs() keeps a pass for a day, a failure for an hour and no answer not at all", () => {
  const hours = (kind: "passed" | "failed" | "undecided") =>
    canaryLifetimeMs({ kind, why: "" }) / 3_600_000;
  assertEquals([hours("passed"), hours("failed"), hours("undecided")], [24, 1, 0]);
});

const AT = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const FAILED: Canary = { kind: "failed", why: "it lies" };

const PASSED: Canary = { kind: "passed" };

function recordAt(hour: number, canary: Canary): CanaryRecord {
  const record = recordCanary({ base: "https://a.example/", canary, at: AT + hour * HOUR_MS });
  assert(record !== undefined);
  return record;
}

/** What is on record after these results, one an hour. */
function recordAfter(...canaries: Canary[]): CanaryRecord | undefined {
  return canaries.reduce<CanaryRecord | undefined>(
    (before, canary, hour) => follow(before, recordAt(hour, canary)),
    undefined,
  );
}

function iso(hour: number): string {
  return new Date(AT + hour * HOUR_MS).toISOString();
}

Deno.test("recordCanary() puts down a result with its time, and no test that could not be made", () => {
  assertEquals(recordAt(0, PASSED), {
    base: "https://a.example/",
    canary: { kind: "passed" },
    testedAt: iso(0),
    expiresAt: AT + 24 * HOUR_MS,
  });
  const undecided: Canary = { kind: "undecided", why: "" };
  assertEquals(recordCanary({ base: "https://a.example/", canary: undecided, at: AT }), undefined);
});

Deno.test("follow() remembers since when a registry that lied is honest again", () => {
  assertEquals(recordAfter(FAILED)?.honestSince, undefined);
  assertEquals(recordAfter(PASSED, FAILED, PASSED)?.honestSince, iso(2));
  assertEquals(recordAfter(PASSED, FAILED, PASSED, PASSED)?.honestSince, iso(2));
  assertEquals(recordAfter(FAILED, PASSED, FAILED)?.honestSince, undefined);
});

Deno.test("follow() believes nothing from before a failure that a process found whose clock is ahead", () => {
  assertEquals(follow(recordAt(3, FAILED), recordAt(1, PASSED)).honestSince, iso(3));
});

Deno.test("follow() keeps the later of two times since when a registry is honest", () => {
  const [early, late] = [iso(1), iso(2)];
  const pass = recordAt(4, PASSED);
  const since = (one?: string, other?: string) =>
    follow({ ...pass, ...(one && { honestSince: one }) }, {
      ...pass,
      ...(other && { honestSince: other }),
    }).honestSince;
  assertEquals(since(early, late), late);
  assertEquals(since(late, early), late);
  assertEquals(since(undefined, early), early);
  assertEquals(since(), undefined);
});

Deno.test("admitLate() keeps the later of both tests, which remembers the earlier", () => {
  const [failed, passed] = [recordAt(0, FAILED), recordAt(0, PASSED)];
  assertEquals(admitLate(undefined, failed), failed);
  assertEquals(admitLate(recordAt(1, FAILED), passed), recordAt(1, FAILED));
  assertEquals(admitLate(passed, recordAt(1, FAILED)), recordAt(1, FAILED));
  const mended = { ...recordAt(1, PASSED), honestSince: iso(1) };
  assertEquals(admitLate(recordAt(1, PASSED), failed), mended);
  assertEquals(admitLate(failed, recordAt(1, PASSED)), mended);
});

Deno.test("isBelieved() drops what a lying registry denied, until it is honest and asked again", () => {
  assertEquals(isBelieved(undefined, iso(0)), true);
  assertEquals(isBelieved(recordAfter(PASSED), iso(0)), true);
  assertEquals(isBelieved(recordAfter(FAILED), iso(5)), false);
  const mended = recordAfter(FAILED, PASSED);
  assertEquals([iso(0), iso(1), iso(2)].map((at) => isBelieved(mended, at)), [false, false, true]);
});
