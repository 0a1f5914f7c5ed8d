import { assertEquals, assertMatch } from "@std/assert";
import {
  ageOf,
  countsInWords,
  ethEvidenceOf,
  ethPriceOf,
  ethStateOf,
  evidenceOf,
  explainEth,
  LIKELY_ENTRIES,
  likelyEntryOf,
  STATE_ENTRIES,
  wordsOfEntry,
} from "../../static/vocabulary.js";
import { LIKELY, type State, STATES } from "../../src/rules/verdict.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const ROW = {
  domain: "a.com",
  tld: "com",
  state: "taken" as State,
  source: "dns",
  checkedAt: "2026-11-21T11:57:00.000Z",
  responseMs: 212,
};

const OFFER = { registrar: "Shop", price: 28.12, renewal: 51.8, years: 1 };
const LONG_OFFER = { ...OFFER, price: 160, renewal: 80, years: 2 };

Deno.test("every state, and what is likely, has a word, an icon and a colour of its own, also on the page, and likely is not green", async () => {
  assertEquals(Object.keys(STATE_ENTRIES).toSorted(), STATES.toSorted());
  const page = new URL("../../static/", import.meta.url);
  const html = await Deno.readTextFile(new URL("index.html", page));
  const css = await Deno.readTextFile(new URL("style.css", page));
  for (const state of STATES) {
    assertMatch(html, new RegExp(`<symbol id="icon-${state}"`));
    assertMatch(css, new RegExp(`\\[data-state="${state}"\\][^}]*--tone: var\\(--${state}\\)`));
    assertMatch(css, new RegExp(`--${state}: light-dark\\(#\\w+, #\\w+\\)`));
  }
  for (const likely of LIKELY) {
    const { look, sgr } = LIKELY_ENTRIES[likely];
    assertMatch(look, /^likely-/);
    assertMatch(html, new RegExp(`<symbol id="icon-${look}"`));
    assertEquals([32, 92].includes(sgr), false, likely);
  }
  assertMatch(css, /\[data-state\^="likely"\] \{[^}]*--tone: var\(--unknown\)/);
  const all = [...Object.values(STATE_ENTRIES), ...LIKELY.map((likely) => LIKELY_ENTRIES[likely])];
  for (const field of ["word", "icon", "sgr"] as const) {
    assertEquals(new Set(all.map((entry) => entry[field])).size, all.length, field);
  }
});

Deno.test("likelyEntryOf() has the entry of an unknown row only, and none for a word of another version", () => {
  const wordOf = (state: string, likely?: string) =>
    likelyEntryOf({ state, likely } as Parameters<typeof likelyEntryOf>[0])?.word;
  assertEquals(wordOf("unknown", "available"), "Probably available");
  for (const word of [undefined, "novel", "constructor", "__proto__"]) {
    assertEquals(wordOf("unknown", word), undefined, word);
  }
  for (const state of STATES) {
    assertEquals(wordOf(state, "taken"), state === "unknown" ? "Probably taken" : undefined, state);
  }
  assertEquals(wordOf("novel", "taken"), "Probably taken", "shown as unknown");
});

Deno.test("evidenceOf() explains each state", () => {
  const error = "The registry answered 429";
  // deno-fmt-ignore -- a table
  const cases = [
    [{ state: "available", source: "rdap" }, "not in the registry · 212 ms · 3 min ago"],
    [{ state: "available", source: "rdap", requirements: "Residents" }, "not in the registry; only for: Residents · 212 ms · 3 min ago"],
    [{ state: "premium", source: "rdap" }, "not in the registry, premium price · 212 ms · 3 min ago"],
    [{ state: "available", source: "rdap", offer: OFFER }, "not in the registry · $28.12 at Shop, then $51.80 a year · 212 ms · 3 min ago"],
    [{ state: "available", source: "rdap", offer: LONG_OFFER }, "not in the registry · $160.00 for 2 years at Shop, then $80.00 a year · 212 ms · 3 min ago"],
    [{ state: "available", source: "rdap", offer: { registrar: "Shop", price: 2_450 } }, "not in the registry · $2450.00 at Shop · 212 ms · 3 min ago"],
    [{}, "found in DNS · 212 ms · 3 min ago"],
    [{ source: "rdap" }, "registered, not in DNS · 212 ms · 3 min ago"],
    [{ source: "dns+cache" }, "found in DNS · 3 min ago"],
    [{ source: "whois" }, "registered, not in DNS · 212 ms · 3 min ago"],
    [{ source: "novel+cache" }, "registered · 3 min ago"],
    [{ source: "constructor" }, "registered · 212 ms · 3 min ago"],
    [{ state: "reserved", source: "rdap+cache" }, "reserved by the registry · 3 min ago"],
    [{ state: "reserved", source: "rdap+cache", reason: "Too short" }, "Too short · 3 min ago"],
    [{ state: "unknown", error }, error],
    [{ state: "unknown" }, "no reason was given"],
    [{ responseMs: 1_249 }, "found in DNS · 1.2 s · 3 min ago"],
    // Of a service of another version.
    [{ state: "novel" }, "no reason was given"],
    [{ state: "constructor" }, "no reason was given"],
  ] as const;
  for (const [changes, evidence] of cases) {
    assertEquals(evidenceOf({ ...ROW, ...changes } as typeof ROW, NOW).join(" · "), evidence);
  }
});

Deno.test("ageOf() uses the largest fitting unit", () => {
  // deno-fmt-ignore -- a table
  const cases = [
    [-5, "just now"], [0, "just now"], [9, "just now"], [10, "10 s ago"], [59, "59 s ago"],
    [60, "1 min ago"], [3_599, "59 min ago"], [3_600, "1 h ago"], [90_000, "25 h ago"],
  ] as const;
  for (const [seconds, age] of cases) {
    assertEquals(ageOf(new Date(NOW - seconds * 1_000).toISOString(), NOW), age);
  }
  assertEquals(ageOf("nonsense", NOW), "just now");
});

Deno.test("countsInWords() keeps the order of states and leaves out those without rows", () => {
  const counts: Partial<Record<State, number>> = { taken: 1, available: 2, unknown: 1 };
  assertEquals(countsInWords((state) => counts[state] ?? 0), "2 available, 1 taken, 1 unknown");
  assertEquals(countsInWords(() => 0), "");
});

Deno.test("a .eth name has its state, explanation and price", () => {
  const owner = "0x00000000000000000000000000000000000A11cE";
  const price = { eth: "0.002000000000002233", usdEstimate: 5 };
  const dates = {
    expiresAt: "2026-11-01T00:00:00.000Z",
    graceEndsAt: "2027-01-30T00:00:00.000Z",
    premiumEndsAt: "2027-02-20T00:00:00.000Z",
  };
  const wei = { eth: "1039.045426513671877233", premiumWei: "1039043426513671877233" };
  const premium = { ...price, ...wei };
  // deno-fmt-ignore -- a table
  const cases = [
    [{ available: true }, "available", "not registered"],
    [{ available: true, registrationPrice: price }, "available", "not registered"],
    [{ available: true, registrationPrice: { ...price, premiumWei: "0" } }, "available", "not registered"],
    [{ available: true, registrationPrice: premium }, "premium", "not registered, premium falls daily"],
    [{ available: false, owner }, "taken", `held by ${owner}`],
    [{ available: false }, "taken", "registered"],
    [{ available: false, owner, ...dates, checkedAt: "2026-10-31T00:00:00Z" }, "taken", `held by ${owner}`],
    [{ available: false, owner, ...dates, checkedAt: "2026-11-02T00:00:00Z" }, "taken", `expired, in grace until 2027-01-30: held by ${owner}`],
    [{ available: false, ...dates, checkedAt: "2026-11-02T00:00:00Z" }, "taken", "expired, in grace until 2027-01-30: registered"],
    [{ available: true, registrationPrice: premium, ...dates }, "premium", "not registered, premium falls daily until 2027-02-20"],
  ] as const;
  for (const [answer, state, explanation] of cases) {
    assertEquals([ethStateOf(answer), explainEth(answer)], [state, explanation]);
  }
  assertEquals(ethPriceOf(price), "0.002 ETH ≈ $5 a year");
  assertEquals(ethPriceOf(premium), "1,040 ETH ≈ $2,600,000 for the first year");
  const answer = { ...ROW, name: "a.eth", available: false, owner, source: "rpc+cache" };
  assertEquals(ethEvidenceOf(answer, NOW), ["held by 0x0000…11cE", "3 min ago"]);
});

Deno.test("wordsOfEntry() says who was asked, what the answer means, and how it came", () => {
  const asked = { witness: "rdap", host: "rdap.example", means: "not_found" };
  const entry = { ...asked, askedAt: ROW.checkedAt, ms: 12, cached: false };
  const canary = { found: "passed", testedAt: "2026-11-21T11:59:00.000Z" };
  const ruled = { canary: { found: "failed" }, rule: { text: "No IDNs" } };
  const registrar = { witness: "registrar:shop", host: "", cached: true };
  const usual = "RDAP rdap.example | no such name | 12 ms · 3 min ago";
  const cases = [
    [{}, usual],
    [{ canary }, `${usual} · test of its “not found”: passed, 1 min ago`],
    [ruled, `${usual} · test of its “not found”: failed · rule: No IDNs`],
    [{ unlisted: true }, `${usual} · IANA does not list this server`],
    [registrar, "Registrar shop | no such name | cached · 3 min ago"],
    [{ means: "novel" }, usual.replace("no such name", "novel")],
    [{ means: "constructor" }, usual.replace("no such name", "constructor")],
  ] as const;
  for (const [changes, words] of cases) {
    const { who, meaning, about } = wordsOfEntry({ ...entry, ...changes }, NOW);
    assertEquals(`${who} | ${meaning} | ${about}`, words);
  }
});
