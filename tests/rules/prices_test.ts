import { assertEquals, assertMatch } from "@std/assert";
import {
  arePricesOld,
  BUILT_IN_PRICES,
  type DatedPrice,
  dayOf,
  ESTIMATED_TLDS,
  type Prices,
  quotePrice,
  threeYearsOf,
} from "../../src/rules/prices.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";

const NOW = Date.parse("2026-11-22T05:30:00.000Z");

function stored(asOf: string, prices: Readonly<Record<string, Omit<DatedPrice, "asOf">>>): Prices {
  return new Map(Object.entries(prices).map(([tld, price]) => [tld, { ...price, asOf }]));
}

Deno.test("BUILT_IN_PRICES has plausible dated prices of all built-in TLDs, with their renewal", () => {
  assertEquals(
    [...BUILT_IN_PRICES.keys()].toSorted(),
    BUILT_IN_TLDS.map(({ tld }) => tld).toSorted(),
  );
  const estimated = ESTIMATED_TLDS.filter((tld) => BUILT_IN_PRICES.has(tld));
  assertEquals(estimated, ["ai", "app", "bot", "com", "org", "xyz"], "as published");
  for (const { usd, renewUsd = 0, asOf } of BUILT_IN_PRICES.values()) {
    assertEquals(usd > 0 && usd <= renewUsd && renewUsd < 10_000, true);
    assertMatch(asOf, /^202\d-\d\d-\d\d$/);
  }
});

Deno.test("quotePrice() has the price of one year and the renewal", () => {
  const price = { usd: 28.12, renewUsd: 51.8, asOf: "2026-11-22" };
  const rest = { years: 1, currency: "USD", updatedAt: "2026-11-22" } as const;
  assertEquals(quotePrice("io", price), {
    register: 28.12,
    renew: 51.8,
    threeYears: 131.72,
    ...rest,
  });
  assertEquals(quotePrice("io", { usd: 28.12, asOf: "2026-11-22" }), { register: 28.12, ...rest });
});

Deno.test("quotePrice() has the total of the shortest term when a TLD is sold for several years", () => {
  const rest = { years: 2, currency: "USD", updatedAt: "2026-11-22" } as const;
  const asOf = "2026-11-22";
  const built = BUILT_IN_PRICES.get("ai") ?? { usd: 0, asOf };
  assertEquals(quotePrice("ai", { ...built, asOf }), {
    register: 165.4,
    renew: 82.7,
    threeYears: 248.1,
    ...rest,
  });
  assertEquals(quotePrice("ai", { usd: 80.1, renewUsd: 90.2, asOf }).register, 170.3);
  assertEquals(quotePrice("ai", { usd: 80.1, asOf }), { register: 160.2, ...rest });
});

Deno.test("arePricesOld() is true when the prices are from before yesterday", () => {
  const prices = { com: { usd: 11, renewUsd: 11 } };
  const days = ["2026-11-20", "2026-11-21", "2026-11-22"];
  assertEquals(
    days.map((day) => arePricesOld(stored(day, prices), ["com"], NOW)),
    [true, false, false],
  );
  assertEquals(arePricesOld(new Map(), [], NOW), true);
  assertEquals(arePricesOld(stored("2026-12-24", prices), ["com"], NOW), true, "of a day to come");
});

Deno.test("arePricesOld() is true when a TLD has no price, but not on the day of the last refresh", () => {
  const prices = { com: { usd: 11, renewUsd: 11 } };
  assertEquals(arePricesOld(stored("2026-11-21", prices), ["com", "gov"], NOW), true);
  assertEquals(arePricesOld(stored("2026-11-22", prices), ["com", "gov"], NOW), false);
});

Deno.test("arePricesOld() is false when one price is new", () => {
  const prices = new Map([
    ...stored("2026-03-01", { xyz: { usd: 2 } }),
    ...stored("2026-11-22", { com: { usd: 11, renewUsd: 11 } }),
  ]);
  assertEquals(arePricesOld(prices, ["com", "xyz"], NOW), false);
});

Deno.test("dayOf() is the day in UTC", () => {
  assertEquals([dayOf(NOW), dayOf(NOW - 6 * 3_600_000)], ["2026-11-22", "2026-11-21"]);
});

Deno.test("threeYearsOf() adds renewals up to three years, and is unknown without a renewal that it needs", () => {
  assertEquals(threeYearsOf(2.04, 12.98, 1), 28);
  assertEquals(threeYearsOf(165.4, 82.7, 2), 248.1);
  assertEquals(threeYearsOf(30, undefined, 3), 30);
  assertEquals(threeYearsOf(11.84, undefined, 1), undefined);
});
