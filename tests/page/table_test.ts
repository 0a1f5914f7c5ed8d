import { assertEquals, assertMatch } from "@std/assert";
import type { EnsCheckAnswer, EnsCheckResult } from "../../src/lookup/ens_lookups.ts";
import { domainRow, ethRow, tableOf } from "../../src/page/table.ts";
import type { Services } from "../../src/wiring/services.ts";
import { startLab } from "../lab/lab.ts";
import { startService } from "../support/service.ts";
import { withService } from "../support/with_service.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");

/** The row of a name whose check returns `answer`. */
async function rowFor(label: string, answer: EnsCheckAnswer) {
  await using lab = await startLab();
  await using service = await startService(lab);
  const ens = { ...service.services.ens, check: () => Promise.resolve(answer) };
  const services: Services = { ...service.services, ens, now: () => NOW };
  return await ethRow(label, services);
}

function answered(rest: Partial<EnsCheckResult>): EnsCheckAnswer {
  const result: EnsCheckResult = {
    name: "some-name.eth",
    available: true,
    responseMs: 45,
    source: "rpc",
    checkedAt: new Date(NOW).toISOString(),
    ...rest,
  };
  return { kind: "answered", result };
}

Deno.test("ethRow() has the price in ETH and dollars and a link when the name is available", async () => {
  const registrationPrice = {
    wei: "2000000000002233",
    eth: "0.002000000000002233",
    usdEstimate: 5 as const,
  };
  assertEquals(await rowFor("some-name", answered({ registrationPrice })), {
    name: "some-name.eth",
    state: "available",
    evidence: ["not registered", "45 ms", "just now"],
    links: [{
      text: "ENS",
      url: "https://app.ens.domains/some-name.eth",
      label: "Register some-name.eth at ENS",
      price: "0.002 ETH ≈ $5 a year",
    }],
  });
});

Deno.test("ethRow() has a price in ETH only when the name has a temporary premium", async () => {
  const registrationPrice = {
    wei: "39045426513671877233",
    eth: "39.045426513671877233",
    usdEstimate: 5 as const,
    premiumWei: "39043426513671875000",
  };
  const { state, evidence, links } = await rowFor("some-name", answered({ registrationPrice }));
  assertEquals([state, links[0]?.price], ["premium", "39 ETH ≈ $97,600 for the first year"]);
  assertMatch(evidence.join(), /premium falls daily/);
});

Deno.test("ethRow() has the holder of a taken name, and the reason when a name is not for sale", async () => {
  const owner = "0x00000000000000000000000000000000000A11cE";
  const taken = await rowFor("some-name", answered({ available: false, owner }));
  assertEquals([taken.state, taken.links], ["taken", []]);
  assertEquals(taken.evidence[0], "held by 0x0000…11cE");
  const short = await rowFor("ab", answered({}));
  assertEquals([short.state, short.word], ["reserved", "Not for sale"]);
  assertMatch(short.evidence.join(), /3 to 63/);
});

Deno.test("ethRow() is unknown when no Ethereum node answers", async () => {
  const { state, evidence } = await rowFor("some-name", { kind: "failed", why: "no node answers" });
  assertEquals([state, evidence], ["unknown", ["The name could not be checked: no node answers"]]);
});

Deno.test("domainRow() of an unknown name that is likely available has its own word and look, and counts as unknown", () =>
  withService(async ({ services }) => {
    const row = await domainRow({
      domain: "x.io",
      tld: "io",
      state: "unknown",
      available: false,
      source: "rdap",
      responseMs: 7,
      checkedAt: new Date(NOW).toISOString(),
      error: "WHOIS could not be asked",
      likely: "available",
    }, services);
    assertEquals(row, {
      name: "x.io",
      state: "unknown",
      word: "Probably available",
      look: "likely-available",
      evidence: ["WHOIS could not be asked"],
      links: [],
    });
    const table = `${await tableOf([row])}`;
    assertMatch(table, /<p class="counts quiet">1 unknown<\/p>/);
    assertMatch(table, /<tr data-state="likely-available">/);
    assertMatch(table, /href="#icon-likely-available"/);
    assertMatch(table, /<span class="state">Probably available<\/span>/);
    assertMatch(table, /Try again/);
  }));
