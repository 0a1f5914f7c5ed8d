import { assertEquals } from "@std/assert";
import { readTyped } from "../../static/typed.js";
import { ageOf, countsOf, evidenceOf, priceOf, stateOf } from "../../static/words.js";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const ROW = {
  domain: "a.com",
  tld: "com",
  available: false,
  status: ["active"],
  premium: false,
  source: "dns",
  checkedAt: "2026-11-21T11:57:00.000Z",
  responseMs: 212,
};
const FREE = { ...ROW, available: true, status: ["undelegated", "inactive"], source: "rdap" };

Deno.test("each row has one state, and it says how that is known", () => {
  const premium = { ...FREE, premium: true, status: [...FREE.status, "premium"] };
  const undelegated = { ...ROW, status: ["undelegated", "active"], source: "rdap" };
  const reserved = { ...ROW, status: ["undelegated"], source: "rdap+cache" };
  const unknown = { ...ROW, status: ["unknown"], error: "The registry answered 429" };
  // deno-fmt-ignore -- a table
  const cases = [
    [FREE, "free", "registry says not found · 212 ms · 3 min ago"],
    [premium, "premium", "registry says not found, and premium · 212 ms · 3 min ago"],
    [ROW, "taken", "found in DNS · 212 ms · 3 min ago"],
    [undelegated, "taken", "registered, not in DNS · 212 ms · 3 min ago"],
    [reserved, "reserved", "registry keeps it back · 3 min ago"],
    [unknown, "unknown", "The registry answered 429"],
    [{ ...unknown, error: undefined }, "unknown", "nothing is known"],
    [{ ...ROW, responseMs: 1_249 }, "taken", "found in DNS · 1.2 s · 3 min ago"],
  ] as const;
  for (const [row, state, evidence] of cases) {
    assertEquals([stateOf(row), evidenceOf(row, NOW).join(" · ")], [state, evidence]);
  }
});

Deno.test("ages are told in the unit that a person would use", () => {
  const ages = [0, 9, 10, 59, 60, 3_599, 3_600, 90_000].map((seconds) =>
    ageOf(new Date(NOW - seconds * 1_000).toISOString(), NOW)
  );
  assertEquals(ages, [
    "just now",
    "just now",
    "10 s ago",
    "59 s ago",
    "1 min ago",
    "59 min ago",
    "1 h ago",
    "25 h ago",
  ]);
  assertEquals(ageOf("2026-11-21T12:00:05.000Z", NOW), "just now", "a clock that goes ahead");
  assertEquals(ageOf("nonsense", NOW), "just now");
});

Deno.test("prices say that they are estimates, and .ai its two years", () => {
  assertEquals([priceOf(8.75, "app"), priceOf(82.7, "ai")], ["≈ $8.75", "≈ $82.70 × 2 years"]);
});

Deno.test("states are counted in one order, and what is not there is not named", () => {
  assertEquals(countsOf(["taken", "free", "unknown", "free"]), "2 free, 1 taken, 1 unclear");
  assertEquals(countsOf([]), "");
});

Deno.test("what was typed is read as a person means it", () => {
  // deno-fmt-ignore -- a table
  const cases: [string, { name: string; ending: string } | undefined][] = [
    ["my-name", { name: "my-name", ending: "" }],
    ["  My Cool Name ", { name: "mycoolname", ending: "" }],
    ["name.com", { name: "name", ending: "com" }],
    ["name.co.uk.", { name: "name", ending: "co.uk" }],
    ["https://www.name.com/path?x=1#y", { name: "name", ending: "com" }],
    ["name.eth", { name: "name", ending: "eth" }],
    ["", undefined],
    ["   ", undefined],
    ["bücher", undefined],
    ["a_b", undefined],
    [".com", undefined],
    ["x".repeat(64), undefined],
  ];
  for (const [text, expected] of cases) {
    const typed = readTyped(text);
    const name = typed.kind === "name" ? { name: typed.name, ending: typed.ending } : undefined;
    assertEquals(name, expected, text);
  }
});
