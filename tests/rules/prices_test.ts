import { assertEquals, assertMatch } from "@std/assert";
import {
  BUILT_IN_PRICES,
  costOf,
  ESTIMATED_TLDS,
  quotePrice,
  readPriceList,
  threeYearsOf,
} from "../../src/rules/prices.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";

Deno.test("BUILT_IN_PRICES has plausible dated prices of all built-in TLDs, with their renewal", () => {
  const tlds = BUILT_IN_TLDS.map(({ tld }) => tld);
  assertEquals([...BUILT_IN_PRICES.keys()].toSorted(), tlds.toSorted());
  const estimated = ESTIMATED_TLDS.filter((tld) => BUILT_IN_PRICES.has(tld));
  assertEquals(estimated, ["ai", "app", "bot", "com", "org", "xyz"], "as published");
  for (const { usd, renewUsd = 0, asOf } of BUILT_IN_PRICES.values()) {
    assertEquals(usd > 0 && usd <= renewUsd && renewUsd < 10_000, true);
    assertMatch(asOf, /^202\d-\d\d-\d\d$/);
  }
});

Deno.test("quotePrice() has the total of the shortest term that is sold, the renewal, and three years together where the renewal is known that they need", () => {
  const asOf = "2026-11-22";
  const rest = { years: 1, currency: "USD", updatedAt: asOf } as const;
  const io = quotePrice("io", { usd: 28.12, renewUsd: 51.8, asOf });
  assertEquals(io, { register: 28.12, renew: 51.8, threeYears: 131.72, ...rest });
  assertEquals(quotePrice("io", { usd: 28.12, asOf }), { register: 28.12, ...rest });
  const two = { ...rest, years: 2 };
  const ai = quotePrice("ai", { usd: 82.7, renewUsd: 82.7, asOf });
  assertEquals(ai, { register: 165.4, renew: 82.7, threeYears: 248.1, ...two });
  assertEquals(quotePrice("ai", { usd: 80.1, renewUsd: 90.2, asOf }).register, 170.3);
  assertEquals(quotePrice("ai", { usd: 80.1, asOf }), { register: 160.2, ...two });
  assertEquals(threeYearsOf(2.04, 12.98, 1), 28);
  assertEquals(threeYearsOf(165.4, 82.7, 2), 248.1);
  assertEquals(threeYearsOf(30, undefined, 3), 30);
  assertEquals(threeYearsOf(11.84, undefined, 1), undefined);
});

Deno.test("costOf() takes a quote without a term for one of a year", () => {
  const cost = costOf({ state: "available" }, { register: 10, renew: 12, years: 0 });
  assertEquals(cost, { firstYearUsd: 10, renewalUsd: 12, threeYearsUsd: 34 });
});

function listOf(pricing: unknown, status = "SUCCESS"): string {
  return JSON.stringify({ status, pricing });
}

/** The first-year price parsed for com from this entry. */
function read(registration: unknown, more: Record<string, unknown> = {}): number | undefined {
  return readPriceList(listOf({ com: { registration, renewal: "9.99", ...more } }), ["com"])
    ?.get("com")?.usd;
}

Deno.test("readPriceList() returns the prices and renewals of the given TLDs", () => {
  const list = listOf({
    com: { registration: "11.08", renewal: "12.00", transfer: "12.00", coupons: [] },
    bot: { registration: "45", coupons: { registration: { amount: 1 } } },
    net: { registration: "12.52" },
  });
  const prices = readPriceList(list, ["com", "bot", "org"]);
  assertEquals([...prices ?? []], [["com", { usd: 11.08, renewUsd: 12 }], ["bot", { usd: 45 }]]);
});

Deno.test("readPriceList() leaves out invalid prices, and returns undefined for other texts", () => {
  const absurd = [..."0.00 -1 10000.01 1,024.00 1e3 11.080".split(" "), " 11.08", ""];
  const others = ["11.08 USD", "0x10", "Infinity", "NaN", 11.08, null, ["11.08"], { usd: "11.08" }];
  for (const price of [...absurd, ...others, undefined]) {
    const unpriced = readPriceList(listOf({ com: { registration: price, renewal: "9" } }), ["com"]);
    assertEquals([...unpriced ?? []], [], String(price));
    const list = listOf({ com: { registration: "11.08", renewal: price } });
    assertEquals([...readPriceList(list, ["com"]) ?? []], [["com", { usd: 11.08 }]]);
  }
  assertEquals([read("0.01"), read("10000"), read("10000.00")], [0.01, 10_000, 10_000]);
  assertEquals(read("11.08", { specialType: "handshake" }), undefined, "outside the DNS");
  assertEquals(read("11.08", { specialType: null }), 11.08);
  assertEquals([...readPriceList(listOf({}), ["constructor", "__proto__"]) ?? []], []);
  const noList = ["", "{", "null", "7", "[]", "{}", "[".repeat(1_000_000)];
  for (const text of [...noList, listOf([], "ERROR"), listOf(null), listOf("x")]) {
    assertEquals(readPriceList(text, ["com"]), undefined, text.slice(0, 99));
  }
});
