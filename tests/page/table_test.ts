import { assertEquals, assertMatch } from "@std/assert";
import type { EnsCheckAnswer, EnsCheckResult } from "../../src/lookup/ens_lookups.ts";
import { domainRow, ethRow, tableOf } from "../../src/page/table.ts";
import { takenRow } from "../support/taken_row.ts";
import { withService } from "../support/with_service.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");

Deno.test("ethRow() has a price and a link, the holder of a taken name, or why there is none", () =>
  withService(async ({ services }) => {
    const rowFor = (label: string, answer: EnsCheckAnswer) => {
      const ens = { ...services.ens, check: () => Promise.resolve(answer) };
      return ethRow(label, { ...services, ens, now: () => NOW });
    };
    const name = "some-name.eth";
    const checkedAt = new Date(NOW).toISOString();
    const usual = { name, available: true, responseMs: 45, source: "rpc", checkedAt } as const;
    const answered = (rest: Partial<EnsCheckResult>): EnsCheckAnswer => ({
      kind: "answered",
      result: { ...usual, ...rest },
    });
    const price = { wei: "2000000000002233", eth: "0.002000000000002233", usdEstimate: 5 } as const;
    const owner = "0x00000000000000000000000000000000000A11cE";
    const url = "https://app.ens.domains/some-name.eth";
    const link = { text: "ENS", url, label: "Register some-name.eth at ENS" };
    const premium = {
      ...price,
      eth: "39.045426513671877233",
      wei: "39045426513671877233",
      premiumWei: "39043426513671875000",
    };
    const failure =
      "The name could not be checked: no node answers; retry in a minute, or see app.ens.domains";
    const cases: [EnsCheckAnswer, Partial<Awaited<ReturnType<typeof rowFor>>>][] = [
      [answered({ registrationPrice: price }), {
        state: "available",
        evidence: ["not registered", "45 ms", "just now"],
        links: [{ ...link, price: "0.002 ETH ≈ $5 a year" }],
      }],
      [answered({ registrationPrice: premium }), {
        state: "premium",
        evidence: ["not registered, premium falls daily", "45 ms", "just now"],
        links: [{ ...link, price: "39 ETH ≈ $97,600 for the first year" }],
      }],
      [answered({ available: false, owner }), {
        state: "taken",
        evidence: ["held by 0x0000…11cE", "45 ms", "just now"],
        links: [],
        details: "/search?q=some-name.eth&details=1",
      }],
      [{ kind: "failed", why: "no node answers" }, {
        state: "unknown",
        evidence: [failure],
        links: [],
      }],
    ];
    for (const [answer, row] of cases) {
      assertEquals(await rowFor("some-name", answer), { name, ...row });
    }
    const short = await rowFor("ab", answered({}));
    assertEquals([short.state, short.word], ["reserved", "Not for sale"]);
    assertMatch(short.evidence.join(), /3 to 63/);
  }));

Deno.test("domainRow() of an unknown name that is likely available has its own word and look, and counts as unknown", () =>
  withService(async ({ services }) => {
    const error = "WHOIS could not be asked";
    const unknown = { state: "unknown", error, likely: "available" } as const;
    const row = await domainRow({ ...takenRow("x", "io"), ...unknown }, services);
    assertEquals(row, {
      name: "x.io",
      state: "unknown",
      word: "Probably available",
      look: "likely-available",
      evidence: [error],
      links: [],
    });
    const table = `${await tableOf([row])}`;
    assertMatch(table, /<p class="counts quiet">1 unknown<\/p>/);
    assertMatch(table, /<tr data-state="likely-available">/);
    assertMatch(table, /href="#icon-likely-available"/);
    assertMatch(table, /<span class="state">Probably available<\/span>/);
    assertMatch(table, /Try again/);
  }));
