import { assertEquals } from "@std/assert";
import { readPriceList } from "../../src/rules/prices.ts";

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

Deno.test("readPriceList() leaves out invalid prices", () => {
  const absurd = [
    "0",
    "0.00",
    "-1",
    "10000.01",
    "99999",
    "1,024.00",
    "1e3",
    "11.080",
    " 11.08",
    "11.08 USD",
    "0x10",
    "Infinity",
    "NaN",
    "",
    11.08,
    null,
    ["11.08"],
    { usd: "11.08" },
    undefined,
  ];
  for (const price of absurd) {
    const unpriced = readPriceList(listOf({ com: { registration: price, renewal: "9" } }), ["com"]);
    assertEquals([...unpriced ?? []], [], String(price));
    const list = listOf({ com: { registration: "11.08", renewal: price } });
    assertEquals([...readPriceList(list, ["com"]) ?? []], [["com", { usd: 11.08 }]]);
  }
  assertEquals([read("0.01"), read("10000"), read("10000.00")], [0.01, 10_000, 10_000]);
});

Deno.test("readPriceList() leaves out TLDs outside the DNS", () => {
  assertEquals(read("11.08", { specialType: "handshake" }), undefined);
  assertEquals(read("11.08", { specialType: null }), 11.08);
});

Deno.test("readPriceList() ignores inherited properties", () => {
  assertEquals([...readPriceList(listOf({}), ["constructor", "__proto__"]) ?? []], []);
});

Deno.test("readPriceList() returns undefined for other texts", () => {
  const others = [
    "",
    "{",
    "null",
    "7",
    "[]",
    "{}",
    listOf([], "ERROR"),
    listOf(null),
    listOf("x"),
    "[".repeat(1_000_000),
  ];
  for (const text of others) {
    assertEquals(readPriceList(text, ["com"]), undefined, text.slice(0, 99));
  }
});
