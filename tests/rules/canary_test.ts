import { assertEquals, assertMatch } from "@std/assert";
import type { Canary, RdapAnswer } from "../../src/rules/answer.ts";
import {
  canaryLifetimeMs,
  type CanaryRecord,
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

/** What is on record after these results, one an hour. */
function recordAfter(...canaries: Canary[]): CanaryRecord | undefined {
  return canaries.reduce<CanaryRecord | undefined>(
    (before, canary, hour) =>
      recordCanary(before, { base: "https://a.example/", canary, at: AT + hour * HOUR_MS }),
    undefined,
  );
}

function iso(hour: number): string {
  return new Date(AT + hour * HOUR_MS).toISOString();
}

Deno.test("recordCanary() puts down a result with its time, and no test that could not be made", () => {
  assertEquals(recordAfter({ kind: "passed" }), {
    base: "https://a.example/",
    canary: { kind: "passed" },
    testedAt: iso(0),
    expiresAt: AT + 24 * HOUR_MS,
  });
  assertEquals(recordAfter({ kind: "undecided", why: "" }), undefined);
});

Deno.test("recordCanary() remembers since when a registry that lied is honest again", () => {
  const passed: Canary = { kind: "passed" };
  assertEquals(recordAfter(FAILED)?.honestSince, undefined);
  assertEquals(recordAfter(passed, FAILED, passed)?.honestSince, iso(2));
  assertEquals(recordAfter(passed, FAILED, passed, passed)?.honestSince, iso(2));
  assertEquals(recordAfter(FAILED, passed, FAILED)?.honestSince, undefined);
});

Deno.test("isBelieved() drops what a lying registry denied, until it is honest and asked again", () => {
  assertEquals(isBelieved(undefined, iso(0)), true);
  assertEquals(isBelieved(recordAfter({ kind: "passed" }), iso(0)), true);
  assertEquals(isBelieved(recordAfter(FAILED), iso(5)), false);
  const mended = recordAfter(FAILED, { kind: "passed" });
  assertEquals([iso(0), iso(1), iso(2)].map((at) => isBelieved(mended, at)), [false, false, true]);
});
