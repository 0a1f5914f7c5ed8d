import { assertEquals, assertMatch } from "@std/assert";
import type { RdapAnswer } from "../../src/rules/answer.ts";
import { canaryLifetimeMs, judgeCanary } from "../../src/rules/canary.ts";

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
