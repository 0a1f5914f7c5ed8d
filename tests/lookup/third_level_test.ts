import { assert, assertEquals, assertMatch } from "@std/assert";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { coverageOf } from "../../src/rules/coverage.ts";
import { THIRD_LEVEL_TLDS } from "../../src/rules/tables/coverage/third_level_tlds.ts";
import { BUILT_IN_SUFFIXES } from "../../src/rules/tables/tlds.ts";
import { startLineServer } from "../lab/whois_server.ts";
import { tableOf } from "../lab/iana_table.ts";
import { registeredFor } from "../lab/registry_replies.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";
import { inParallel } from "../support/in_parallel.ts";
import { onLab, type World } from "../support/on_lab.ts";

const TLDS = THIRD_LEVEL_TLDS.map(({ tlds }) => tlds);
/** Those with a WHOIS server only, and those without any server. */
const OF_WHOIS = TLDS.filter((tld) => coverageOf(tld).facts.coverage === "whois");
const OF_DNS = TLDS.filter((tld) => coverageOf(tld).facts.coverage === "dns");

/** Names that are registered; DNS shows all but the last. */
const REGISTERED = /^(?:google|nic|amazon|taken|recorded)\./;

/** Runs a test on a service whose registry, at one host, serves the TLDs. */
function withWorld(
  tlds: readonly string[],
  run: (world: World) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  return onLab(run, ({ lab }) => {
    lab.scriptHost("registry.lab", registeredFor(REGISTERED));
    lab.setTable(tableOf([[[...BUILT_IN_SUFFIXES.keys(), ...tlds], ["http://registry.lab/"]]]));
    return { env };
  });
}

/** The row of a name that is neither delegated nor recorded must say what the table says of its TLD. */
function assertUnsold({ tld, state, status, source, available, likely, ...row }: DomainResult) {
  const { words, isDisputed } = THIRD_LEVEL_TLDS.find((one) => one.tlds === tld) ?? {};
  assertEquals([available, likely], [false, undefined], tld);
  if (isDisputed) {
    assertEquals([state, status], ["unknown", ["unknown"]], tld);
    return row.error ?? "";
  }
  assertEquals([state, status, source], ["reserved", ["undelegated"], "rdap"], tld);
  assertMatch(row.reason ?? "", new RegExp(`^The \\.${tld} registry sells no names directly`));
  for (const label of words ?? []) assert(row.reason?.includes(`${label}.${tld}`), tld);
  return row.reason ?? "";
}

Deno.test("check calls no name available directly below a TLD that sells at the third level, whose registry denies it", () =>
  withWorld(TLDS, async (service) => {
    for (const tld of TLDS) {
      // Six new registries a minute are tested for a client.
      service.clock.aheadMs += 61_000;
      const domains = ["brightfjord", "taken", "recorded"].map((label) => `${label}.${tld}`);
      const [row, taken, recorded] = await inParallel(domains, 1, service.check);
      assertMatch(assertUnsold(row!), /under suffixes such as/);
      assertEquals([taken?.state, taken?.source], ["taken", "dns"], tld);
      assertEquals([recorded?.state, recorded?.source], ["taken", "rdap"], tld);
      const { source, reason, error } = await service.check(`brightfjord.${tld}`);
      const kept = row?.state === "reserved" ? "rdap+cache" : "rdap";
      assertEquals([source, reason, error], [kept, row?.reason, row?.error], tld);
    }
  }));

Deno.test("check calls names below such TLDs reserved without waiting for tests, of which a client has six a minute", () =>
  withWorld(TLDS, async (service) => {
    const agreed = THIRD_LEVEL_TLDS.filter(({ isDisputed }) => !isDisputed);
    const domains = agreed.map(({ tlds }) => `brightfjord.${tlds}`);
    assert(domains.length > 6);
    (await inParallel(domains, domains.length, service.check)).forEach(assertUnsold);
  }));

Deno.test("check calls no name likely available below such a TLD that has only WHOIS, where that denies it", async () => {
  assert(OF_WHOIS.includes("il") && OF_WHOIS.includes("gh"), `${OF_WHOIS}`);
  const form = WHOIS_FORMS.ai!;
  await using whoisServer = await startLineServer((domain) => {
    // A text that no rule reads is no denial.
    if (domain.startsWith("other.")) return "Sorry, none of those.\n";
    return REGISTERED.test(domain) ? form.record(domain) : form.denial(domain);
  });
  await withWorld([], async (service) => {
    for (const tld of OF_WHOIS) {
      const domains = ["brightfjord", "recorded", "other"].map((label) => `${label}.${tld}`);
      const [row, taken, silent] = await inParallel(domains, 1, service.check);
      assertMatch(assertUnsold(row!), /under suffixes such as/);
      assertEquals([taken?.state, taken?.source], ["taken", "whois"], tld);
      assertEquals([silent?.state, silent?.likely], ["unknown", undefined], tld);
    }
  }, { WHOIS: "on", WHOIS_SERVER: whoisServer.address });
});

Deno.test("check calls names reserved below such a TLD without any server, if DNS shows none", () =>
  withWorld([], async (service) => {
    assert(OF_DNS.includes("py") && OF_DNS.includes("za"), `${OF_DNS}`);
    const rows = await inParallel(OF_DNS.map((tld) => `brightfjord.${tld}`), 1, service.check);
    for (const row of rows) assertUnsold(row);
    const taken = await inParallel(OF_DNS.map((tld) => `taken.${tld}`), 1, service.check);
    for (const row of taken) assertEquals([row.state, row.source], ["taken", "dns"], row.domain);
  }));

Deno.test("GET /tlds?coverage=all says of such a TLD under which suffixes its registry sells", () =>
  withWorld([], async (service) => {
    for (const { tlds: tld, isDisputed, source } of THIRD_LEVEL_TLDS) {
      const { body } = await service.get(`/tlds?coverage=all&q=${tld}&type=ccTLD&limit=1000`);
      const row = body.tlds.find((row: { tld: string }) => row.tld === tld);
      assertMatch(row.note, isDisputed ? /^Unknown whether/ : /sells no names directly under/);
      assert(row.source.endsWith(source), tld);
    }
  }));

Deno.test("check calls no name reserved below such a TLD while the resolver shows no delegation there", () =>
  withWorld(["br"], async ({ check, lab }) => {
    // Two without any server, and one whose registry denies the name.
    for (const tld of ["py", "za", "br"]) {
      const domains = ["shown", "google", "nic", "amazon", "com", "co"].map((one) =>
        `${one}.${tld}`
      );
      for (const domain of domains) lab.script(domain, { dns: "servfail", rdap: "free" });
      assertEquals((await check(`shown.${tld}`)).state, "unknown", tld);
      for (const domain of domains) lab.script(domain, { dns: "delegated", rdap: "free" });
      const { state, source } = await check(`shown.${tld}`);
      assertEquals([state, source], ["taken", "dns"], tld);
    }
  }));
