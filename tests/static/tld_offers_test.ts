import { assertEquals } from "@std/assert";
import {
  cheapFirst,
  namedTlds,
  popularFirst,
  priceText,
  readChoice,
  shownBy,
  threeYears,
} from "../../static/tld_offers.js";

Deno.test("priceText() has the first term, its years and the renewal if it differs", () => {
  // deno-fmt-ignore -- a table
  const cases = [
    [{ register: 2.04, years: 1, renew: 12.98 }, "≈ $2.04 | then $12.98/yr"],
    [{ register: 11.08, years: 1, renew: 11.08 }, "≈ $11.08 | "],
    [{ register: 165.4, years: 2, renew: 82.7 }, "≈ $165.40 | for 2 years"],
    [{ register: 150, years: 2, renew: 82.7 }, "≈ $150.00 | for 2 years, then $82.70/yr"],
    [{ register: 45 }, "≈ $45.00 | "],
    [{ register: 2.04, renew: 12.98 }, "≈ $2.04 | then $12.98/yr"],
  ] as const;
  for (const [prices, expected] of cases) {
    const text = priceText(prices);
    assertEquals(`${text?.first} | ${text?.then}`, expected);
  }
  assertEquals(priceText(), undefined);
  const { trap, total } = priceText({ register: 1.85, renew: 27.29 })!;
  assertEquals([trap, total], ["15× after year 1", "$56 / 3 yr"]);
});

Deno.test("cheapFirst() sorts by the cost of three years, and keeps the order of those without a price", () => {
  const offers = [
    { tld: "biz" },
    { tld: "ai", prices: { register: 165.4, years: 2 } },
    { tld: "net" },
    { tld: "xyz", prices: { register: 2.04, renew: 32.98 } },
    { tld: "com", prices: { register: 11.08 } },
  ];
  const sorted = cheapFirst(offers, offers).map(({ tld }) => tld);
  assertEquals(sorted, ["com", "xyz", "ai", "biz", "net"]);
  assertEquals(cheapFirst(offers, []), offers);
  assertEquals(threeYears(), Infinity);
  assertEquals(threeYears({ register: 30, years: 5, renew: 9 }), 30);
});

Deno.test("popularFirst() puts .com first and others after in their order, and shownBy() knows each choice", () => {
  const tlds = popularFirst(["cc", "com", "io", "xyz", "eth"].map((tld) => ({ tld })));
  const chosen = (choice: string) =>
    tlds.filter(shownBy(tlds, choice)).map(({ tld }) => tld).join(" ");
  assertEquals(chosen("all"), "com io cc xyz eth");
  assertEquals(chosen("popular"), "com io");
  assertEquals([chosen("eth"), chosen("xyz,de")], ["eth", "xyz"]);
  assertEquals(shownBy(tlds, "popular")({ tld: "museum" }), true);
});

Deno.test("readChoice() takes words as they are, and TLDs as people type them", () => {
  // deno-fmt-ignore -- a table
  const cases = [
    ["popular", "popular"], ["all", "all"], ["", ""], ["com", "com"],
    [".COM, io;de  co.uk", "com,io,de,co.uk"], ["io io", "io"], ["рф", "xn--p1ai"],
    ["/ <b> ?", ""], ["a, .., com", "com"],
  ] as const;
  for (const [typed, choice] of cases) assertEquals(readChoice(typed), choice, typed);
  const many = Array.from({ length: 30 }, (_, place) => `tld${place}`);
  assertEquals(namedTlds(readChoice(many.join(" "))), many.slice(0, 20));
  assertEquals(["", "all", "eth"].flatMap(namedTlds), ["eth"]);
});
