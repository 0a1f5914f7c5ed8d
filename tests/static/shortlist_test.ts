import { assertEquals } from "@std/assert";
import { changeOf, costInWords, csvOf, markdownOf, withSeen } from "../../static/shortlist.js";
import type { State } from "../../src/rules/verdict.ts";

const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
const NEW = { domain: "mine.com", note: "" };

/** The entry after states were seen, each on a day and at an hour of November. */
function seen(...states: readonly [State, number, number][]): ReturnType<typeof withSeen> {
  return states.reduce((entry, [state, day, hour]) => withSeen(entry, state, at(day, hour)), NEW);
}

Deno.test("changeOf() compares with the last earlier day, else with the first state of today", () => {
  const now = at(24, 12);
  const free = { state: "available" as const };
  const before = seen(["taken", 22, 9], ["taken", 23, 9], ["available", 24, 9]);
  const again = withSeen(before, "available", at(24, 11));
  assertEquals(changeOf(before, free, now), "was Taken on 23 Nov");
  assertEquals(changeOf(again, free, now), "was Taken on 23 Nov");
  assertEquals(changeOf(withSeen(before, "available", at(25, 9)), free, at(25, 9)), "");
  const entry = seen(["taken", 24, 8], ["available", 24, 9]);
  assertEquals(changeOf(entry, free, now), "was Taken earlier today");
});

Deno.test("changeOf() says nothing of a name that is new, unchanged, unknown or without an answer", () => {
  const entry = seen(["taken", 23, 9]);
  for (const state of ["taken", "unknown", "checking", "waiting", "pending"] as const) {
    assertEquals(changeOf(entry, { state }, at(24, 9)), "", state);
  }
  assertEquals(changeOf(NEW, { state: "available" }, at(24, 9)), "");
});

Deno.test("costInWords() adds up what can be registered, and counts what has no price", () => {
  const free = (cost: number) => ({ state: "available" as const, cost });
  const [taken, premium] = [{ state: "taken" as const, cost: 9 }, { state: "premium" as const }];
  assertEquals(costInWords([free(33.24), free(24.09), taken]), "≈ $57 for 3 years: 2 available");
  const unpriced = costInWords([free(33), free(Infinity), premium]);
  assertEquals(unpriced, "≈ $33 for 3 years: 1 available, 2 without a known price");
  assertEquals(costInWords([taken, { state: "checking" }]), "none available");
});

Deno.test("csvOf() and markdownOf() keep any note in its cell", () => {
  const price = { first: "≈ $11.08", then: "", trap: "", total: "$33 / 3 yr" };
  const view = { state: "available" as const, price, cost: 33.24 };
  const note = '=1+1, "or" | <b>';
  const list = [{ domain: "mine.com", view, note, change: "was Taken on 23 Nov" }];
  const csv = "Domain,State,First term,Then,3 years (USD),Change,Note\r\n" +
    `mine.com,Available,≈ $11.08,,33.24,was Taken on 23 Nov,"'=1+1, ""or"" | <b>"\r\n`;
  assertEquals(csvOf(list), csv);
  assertEquals(markdownOf(list).split("\n").slice(1), [
    "| --- | --- | --- | --- | --- | --- | --- |",
    '| mine.com | Available | ≈ $11.08 |  | 33.24 | was Taken on 23 Nov | =1+1, "or" \\| \\<b\\> |',
    "",
  ]);
});
