import { assert, assertEquals, assertMatch } from "@std/assert";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { coverageOf } from "../../src/rules/coverage.ts";
import { THIRD_LEVEL_TLDS } from "../../src/rules/tables/coverage/third_level_tlds.ts";
import { BUILT_IN_SUFFIXES } from "../../src/rules/tables/tlds.ts";
import { stateOf } from "../../src/rules/verdict.ts";
import { startAvailabilityServer } from "../lab/availability_server.ts";
import { startDirectedLab } from "../lab/directed_lab.ts";
import { registryOf } from "../lab/registry_replies.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";
import { checksBy } from "../support/checks.ts";
import { type RunningService, startService } from "../support/service.ts";
import { suffixesAt } from "../support/suffixes.ts";
import { verdictOfEntries } from "../support/verdict_of_entries.ts";

const TLDS = THIRD_LEVEL_TLDS.map(({ tld }) => tld);
/** Those with a WHOIS server only, and those without any server. */
const OF_WHOIS = TLDS.filter((tld) => coverageOf(tld)?.facts.coverage === "whois");
const OF_DNS = TLDS.filter((tld) => coverageOf(tld)?.facts.coverage === "dns");

const CANARIES = /^(?:google|nic|amazon)\./;
const DELEGATED = /^(?:google|nic|amazon|delegated)\./;
const REGISTERED = /^(?:google|nic|amazon|delegated|recorded)\./;

/** A lab whose registry, at one host, serves the TLDs. */
const startWorld = (tlds: readonly string[], knows = REGISTERED) =>
  startDirectedLab({
    isDelegated: (name) => DELEGATED.test(name),
    answer: registryOf(knows),
  }, [[[...BUILT_IN_SUFFIXES.keys(), ...tlds], ["http://registry.lab/"]]]);

/** The rows of names, each with its evidence, from which its verdict must follow. */
async function checkEach(service: RunningService, domains: readonly string[]) {
  const rows: DomainResult[] = [];
  for (const domain of domains) {
    const [name, ...tld] = domain.split(".");
    const { body } = await service.get(`/check?name=${name}&tld=${tld.join(".")}&evidence=1`);
    const [row] = body.results as DomainResult[];
    assert(row !== undefined, domain);
    const verdict = verdictOfEntries(row.evidence ?? []);
    assertEquals([stateOf(verdict), verdict.status], [row.state, row.status], JSON.stringify(row));
    rows.push(row);
  }
  return rows;
}

/** The row of a name that is neither delegated nor recorded must say what the table says of its TLD. */
function assertUnsold({ tld, state, status, source, available, likely, ...row }: DomainResult) {
  const { sells, isDisputed } = THIRD_LEVEL_TLDS.find((one) => one.tld === tld) ?? {};
  assertEquals([available, likely], [false, undefined], tld);
  if (isDisputed) {
    assertEquals([state, status], ["unknown", ["unknown"]], tld);
    return row.error ?? "";
  }
  assertEquals([state, status, source], ["reserved", ["undelegated"], "rdap"], tld);
  assertMatch(row.reason ?? "", new RegExp(`^The \\.${tld} registry sells no names directly`));
  for (const label of sells?.split(" ") ?? []) assert(row.reason?.includes(`${label}.${tld}`), tld);
  return row.reason ?? "";
}

Deno.test("check calls no name available directly below a TLD that sells at the third level, whose registry denies it", async () => {
  await using lab = await startWorld(TLDS);
  let aheadMs = 0;
  await using service = await startService(lab, {
    now: () => Date.now() + aheadMs,
    monotonic: () => performance.now() + aheadMs,
  });
  for (const tld of TLDS) {
    // Six new registries a minute are tested for a client.
    aheadMs += 61_000;
    const [row, delegated, recorded] = await checkEach(
      service,
      ["brightfjord", "delegated", "recorded"].map((label) => `${label}.${tld}`),
    );
    assert(row !== undefined);
    assertMatch(assertUnsold(row), /under suffixes such as/);
    assertEquals([delegated?.state, delegated?.source], ["taken", "dns"], tld);
    assertEquals([recorded?.state, recorded?.source], ["taken", "rdap"], tld);
    const { source, reason, error } = await service.check(row.domain);
    const kept = row.state === "reserved" ? "rdap+cache" : "rdap";
    assertEquals([source, reason, error], [kept, row.reason, row.error], tld);
  }
});

Deno.test("check calls no name available below such a TLD whose registry's 404s fail their test", async () => {
  await using lab = await startWorld(TLDS, /^$/);
  await using service = await startService(lab);
  const rows = await checkEach(service, TLDS.map((tld) => `brightfjord.${tld}`));
  for (const row of rows) assertUnsold(row);
});

Deno.test("check calls no name likely available below such a TLD that has only WHOIS, where that denies it", async () => {
  assert(OF_WHOIS.includes("il") && OF_WHOIS.includes("gh"), `${OF_WHOIS}`);
  const form = WHOIS_FORMS.ai;
  assert(form !== undefined);
  let says: (domain: string) => string = form.denial;
  await using whoisServer = await startAvailabilityServer((domain) =>
    CANARIES.test(domain) ? form.record(domain) : says(domain)
  );
  await using lab = await startWorld([]);
  const env = { WHOIS: "on", WHOIS_SERVER: whoisServer.address };
  await using service = await startService(lab, { env });
  for (const tld of OF_WHOIS) {
    says = form.denial;
    const [row] = await checkEach(service, [`brightfjord.${tld}`]);
    assert(row !== undefined);
    assertMatch(assertUnsold(row), /under suffixes such as/);
    says = (domain) => domain.startsWith("recorded.") ? form.record(domain) : form.denial(domain);
    const [taken] = await checkEach(service, [`recorded.${tld}`]);
    assertEquals([taken?.state, taken?.source], ["taken", "whois"], tld);
    // A text that no rule reads is no denial.
    says = (domain) =>
      domain.startsWith("other.") ? "Sorry, none of those.\n" : form.denial(domain);
    const [silent] = await checkEach(service, [`other.${tld}`]);
    assertEquals([silent?.state, silent?.likely], ["unknown", undefined], tld);
  }
});

Deno.test("check calls names reserved below such a TLD without any server, if DNS shows none", async () => {
  assert(OF_DNS.includes("py") && OF_DNS.includes("za"), `${OF_DNS}`);
  await using lab = await startWorld([]);
  await using service = await startService(lab);
  const rows = await checkEach(service, OF_DNS.map((tld) => `brightfjord.${tld}`));
  for (const row of rows) assertUnsold(row);
  const taken = await checkEach(service, OF_DNS.map((tld) => `delegated.${tld}`));
  for (const row of taken) assertEquals([row.state, row.source], ["taken", "dns"], row.domain);
});

Deno.test("check answers below the suffixes of such a TLD as below any other", async () => {
  const clock = { now: Date.now() };
  await using lab = await startWorld(TLDS);
  await using service = await startService(lab, {
    now: () => clock.now,
    monotonic: () => performance.now(),
  });
  const suffixes = THIRD_LEVEL_TLDS.flatMap(({ tld, sells }) =>
    sells.split(" ").map((label) => `${label}.${tld}`)
  );
  // A site has six servers tested in a minute.
  for (let start = 0; start < suffixes.length; start += 6) {
    const names = suffixes.slice(start, start + 6).map((suffix) => `brightfjord.${suffix}`);
    for (const row of await checkEach(service, names)) {
      const isSold = !coverageOf(row.tld)?.unsure?.labels.test("brightfjord");
      assertEquals(row.state, isSold ? "available" : "unknown", `${row.domain} ${row.error}`);
    }
    clock.now += 61_000;
  }
  for (const row of await checkEach(service, suffixes)) {
    assertMatch(row.reason ?? "", /public suffix/);
  }
});

Deno.test("check knows such a TLD that TLDS enables, and one with a server of RDAP_EXTRA", async () => {
  await using lab = await startWorld(["br"]);
  for (
    const env of [{ TLDS: "br", ANY_TLD: "off" }, { RDAP_EXTRA: "br=http://registry.lab/" }, {
      RDAP_EXTRA: "il=http://registry.lab/",
    }] as Record<string, string>[]
  ) {
    await using service = await startService(lab, { env });
    const domain = `brightfjord.${env.RDAP_EXTRA?.slice(0, 2) ?? "br"}`;
    assertUnsold(await service.check(domain));
  }
});

Deno.test("GET /tlds?coverage=all says of such a TLD under which suffixes its registry sells", async () => {
  await using lab = await startWorld([]);
  await using service = await startService(lab);
  for (const { tld, isDisputed, source } of THIRD_LEVEL_TLDS) {
    const { body } = await service.get(`/tlds?coverage=all&q=${tld}&type=ccTLD&limit=1000`);
    const row = body.tlds.find((row: { tld: string }) => row.tld === tld);
    assertMatch(row.note, isDisputed ? /^Unknown whether/ : /sells no names directly under/);
    assert(row.source.endsWith(source), tld);
  }
});

Deno.test("checkDomain() calls a name below such a TLD neither reserved nor likely available while DNS does not answer", async () => {
  const { checkDomain } = checksBy({
    sources: {
      isDelegated: () => Promise.resolve({ kind: "failed", fault: "down", why: "silent" }),
      registries: { ask: () => Promise.reject(new Error("not to be asked")) },
      askWhois: () => Promise.resolve({ kind: "notFound", askedAt: 0 }),
    },
    suffixes: { ...suffixesAt(), coverageOf: (tld) => Promise.resolve(coverageOf(tld)) },
    now: () => 0,
  });
  const { state, likely, error } = await checkDomain("brightfjord", "il");
  assertEquals([state, likely], ["unknown", undefined]);
  assertMatch(error ?? "", /DNS could not confirm it$/);
  // One without any server.
  assertEquals((await checkDomain("brightfjord", "py")).state, "unknown");
  // As under any other TLD whose WHOIS denies the name.
  assertEquals((await checkDomain("brightfjord", "gr")).likely, "available");
});
