import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { EnsCheckAnswer, EnsCheckResult } from "../../src/lookup/ens_lookups.ts";
import { domainView } from "../../static/domain_view.js";
import { ethRow, tableOf } from "../../src/page/table.ts";
import { testsOnLab } from "../support/on_lab.ts";
import { takenRow } from "../support/taken_row.ts";

const test = testsOnLab();

const NOW = Date.parse("2026-11-21T12:00:00.000Z");

test("ethRow() has a price and a link, the holder of a taken name, or why there is none", async ({ services }) => {
  const rowFor = (label: string, answer: EnsCheckAnswer) => {
    const ens = { ...services.ens, check: () => Promise.resolve(answer) };
    return ethRow(label, { ...services, ens, now: () => NOW });
  };
  const name = "some-name.eth";
  const checkedAt = new Date(NOW).toISOString();
  const usual = { name, available: true, responseMs: 45, source: "rpc", checkedAt } as const;
  const answered = (rest: Partial<EnsCheckResult>): EnsCheckAnswer => (
    { kind: "answered", result: { ...usual, ...rest } }
  );
  const price = { wei: "2000000000002233", eth: "0.002000000000002233", usdEstimate: 5 } as const;
  const owner = "0x00000000000000000000000000000000000A11cE";
  const premium = { ...price, eth: "39.045426513671877233", premiumWei: "39043426513671875000" };
  const failure =
    "The name could not be checked: no node answers; retry in a minute, or see app.ens.domains";
  const detail =
    '<a href="/search?q=some-name.eth&amp;details=1" aria-label="Details of some-name.eth"';
  // deno-fmt-ignore -- a table
  const cases: [EnsCheckAnswer, string, string?][] = [
      [answered({ registrationPrice: price }), "Available some-name.eth not registered · 45 ms · just now ENS 0.002 ETH · ≈ $5 a year", LINK],
      [answered({ registrationPrice: premium }), "Premium some-name.eth not registered, premium falls daily · 45 ms · just now ENS 39 ETH · ≈ $97,600 for the first year", LINK],
      [answered({ available: false, owner }), "Taken some-name.eth held by 0x0000…11cE · 45 ms · just now Details", detail],
      [{ kind: "failed", why: "no node answers" }, `Unknown some-name.eth ${failure} Try again`],
    ];
  for (const [answer, words, part = ""] of cases) {
    const row = rowIn(await tableOf([await rowFor("some-name", answer)], NOW));
    assertEquals(wordsOf(row), words);
    assertStringIncludes(row, part);
  }
  const short = rowIn(await tableOf([await rowFor("ab", answered({}))], NOW));
  assertMatch(wordsOf(short), /^Not for sale ab\.eth .*3 to 63/);
  assertMatch(short, /href="#icon-reserved"/);
});

Deno.test("tableOf() has a word and a look of its own for a name that is likely available, and counts it as unknown", async () => {
  const error = "WHOIS could not be asked";
  const unknown = { state: "unknown", error, likely: "available" } as const;
  const offers = { tlds: [], registrars: [], placeholder: "" };
  const view = domainView({ ...takenRow("x", "io"), ...unknown }, offers);
  const table = `${await tableOf([{ name: "x.io", view }], NOW)}`;
  assertMatch(table, /<p class="counts quiet">1 unknown<\/p>/);
  assertMatch(table, /<tr data-state="likely-available">/);
  assertMatch(table, /href="#icon-likely-available"/);
  assertEquals(wordsOf(rowIn(table)), `Probably available x.io ${error} Try again`);
});

const LINK =
  'href="https://app.ens.domains/some-name.eth" rel="noopener nofollow" aria-label="Register some-name.eth at ENS"';

/** The only row of a table. */
const rowIn = (table: unknown) => `${table}`.split("<tbody>")[1] ?? "";

/** The words of a piece of HTML. */
const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ").trim();
