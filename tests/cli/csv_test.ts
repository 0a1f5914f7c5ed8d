import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { csvHeader, csvOf } from "../../src/cli/csv.ts";
import type { Row } from "../../src/cli/row.ts";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { sanitize } from "../../src/cli/terminal.ts";

/** Reads CSV (RFC 4180). */
function parseCsv(text: string): string[][] {
  const cells = text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy);
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of cells) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? "");
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

const TAKEN: Row = {
  kind: "domain",
  domain: "x.com",
  result: {
    domain: "x.com",
    tld: "com",
    state: "taken",
    available: false,
    status: ["undelegated", "active"],
    premium: false,
    source: "rdap+cache",
    checkedAt: "2026-11-21T12:00:00.000Z",
    responseMs: 7,
  },
};

Deno.test("csvOf() writes a registrar's price", () => {
  const offer = { registrar: "Shop", price: 28.12, premium: false };
  const row: Row = { ...TAKEN, result: { ...(TAKEN.result as DomainResult), offer } };
  assertEquals(parseCsv(csvOf(row))[0]?.[3], "28.12");
});

Deno.test("csvOf() writes what an unknown name most likely is, and calls it unknown", () => {
  const unknown = { state: "unknown", status: ["unknown"], error: "no WHOIS" } as const;
  const result = { ...(TAKEN.result as DomainResult), ...unknown, likely: "available" } as const;
  const [row = []] = parseCsv(csvOf({ ...TAKEN, result }));
  assertEquals(row.slice(0, 3), ["x.com", "unknown", "no WHOIS"]);
});

Deno.test("csvOf() writes a cell for each column: lists joined by spaces, missing values empty", () => {
  assertEquals(
    csvHeader() + csvOf(TAKEN),
    "domain,state,reason,firstYearUsd,renewalUsd,threeYearsUsd,checkedAt\r\n" +
      "x.com,taken,,,,,2026-11-21T12:00:00.000Z\r\n",
  );
});

Deno.test("csvOf() writes the owner or the price of an ENS name", () => {
  const found = { responseMs: 7, source: "rpc", checkedAt: "2026-11-21T12:00:00.000Z" } as const;
  const held: Row = {
    kind: "eth",
    domain: "held.eth",
    result: { name: "held.eth", available: false, owner: "0x12", resolver: "0x34", ...found },
  };
  const price = { wei: "2000000000002233", eth: "0.002000000000002233", usdEstimate: 5 };
  const free: Row = {
    kind: "eth",
    domain: "free.eth",
    result: { name: "free.eth", available: true, registrationPrice: price, ...found },
  };
  const premium: Row = {
    kind: "eth",
    domain: "just.eth",
    result: { ...free.result, name: "just.eth", registrationPrice: { ...price, premiumWei: "1" } },
  };
  const columns = ["domain", "state", "premium", "owner", "priceEth", "threeYearsUsd"] as const;
  assertEquals(
    [held, free, premium].map((row) => csvOf(row, columns)).join(""),
    "held.eth,taken,false,0x12,,\r\n" +
      "free.eth,available,false,,0.002000000000002233,15\r\n" +
      "just.eth,premium,true,,0.002000000000002233,\r\n",
  );
});

Deno.test("csvOf() can be parsed with any text in an error", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (error) => {
    const [row = []] = parseCsv(csvOf({ kind: "failed", domain: "x.com", error }));
    assertEquals(row.length, 7);
    assertEquals(row[2] === sanitize(error) || row[2] === `'${sanitize(error)}`, true);
  }));
});

Deno.test("csvOf() prefixes cells that a spreadsheet would read as a formula", () => {
  for (const start of ["=", "+", "-", "@", "＝", "＋", "－", "＠"]) {
    const error = `${start}HYPERLINK("https://evil.example","x")`;
    const [row = []] = parseCsv(csvOf({ kind: "failed", domain: "x.com", error }));
    assertEquals(row[2], `'${error}`);
  }
});

Deno.test("csvOf() replaces control and formatting characters", () => {
  const error = "a\x1b]0;b\x07\x9b2J\u202ec\t=\r\nd\0";
  const [row = []] = parseCsv(csvOf({ kind: "failed", domain: "x.com", error }));
  assertEquals(row[2], "a?]0;b??2J?c?=??d?".replaceAll("?", "\uFFFD"));
});

Deno.test("csvOf() writes reason, TLD, Unicode, price and retryAfter, and the chosen columns in their order", () => {
  const offer = { registrar: "Shop", price: 28.12, renewal: 30 };
  const more = { unicode: "é.com", reason: "a, b", retryAfter: 9, offer };
  const row: Row = { ...TAKEN, result: { ...(TAKEN.result as DomainResult), ...more } };
  const columns = ["firstYearUsd", "retryAfter", "reason", "unicode", "tld"] as const;
  assertEquals(csvHeader(columns), "firstYearUsd,retryAfter,reason,unicode,tld\r\n");
  assertEquals(parseCsv(csvOf(row, columns)), [[
    "28.12",
    "9",
    "a, b",
    "é.com",
    "com",
  ]]);
});

Deno.test("csvOf() has what three years cost: by the registrar's offer, the price list, or the length of a .eth name", () => {
  const costOf = (row: Row) => parseCsv(csvOf(row, ["threeYearsUsd"]))[0]?.[0];
  const result = TAKEN.result as DomainResult;
  const row = { kind: "domain", domain: "a.com", result } as const;
  const cost = { firstYearUsd: 11.08, threeYearsUsd: 33.24 };
  assertEquals(costOf({ ...row, cost }), "33.24");
  const offer = { registrar: "Shop", price: 28, renewal: 30 };
  assertEquals(costOf({ ...row, cost, result: { ...result, offer } }), "88");
  assertEquals(costOf(row), "");
});
