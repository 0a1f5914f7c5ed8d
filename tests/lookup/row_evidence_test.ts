import { assert, assertEquals, assertMatch } from "@std/assert";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import type { Lab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { masked } from "../support/masked.ts";
import { onLab, testsOnLab } from "../support/on_lab.ts";
import type { RunningService } from "../support/service.ts";

const test = testsOnLab();

async function explained({ get }: Pick<RunningService, "get">, name: string, tld = "com") {
  const { body } = await get(`/check?name=${name}&tld=${tld}&evidence=1`);
  const row: DomainResult = body.results[0];
  return { row, entries: row.evidence ?? [] };
}

/** The queries for records of sales. */
function salesQueries(lab: Lab) {
  return lab.dnsQueries.filter(({ name }) => name.startsWith("_for-sale."))
    .map(({ name, type }) => `${type} ${name}`);
}

Deno.test("evidence=1 quotes the witnesses, in the order in which they are asked", () =>
  onLab(async (service) => {
    const { entries: [delegated, ...more] } = await explained(service, "taken");
    assertEquals(more, []);
    const servers = "ns1.hosting.example, ns2.hosting.example";
    const shown = [delegated?.witness, delegated?.host, delegated?.said];
    assertEquals(shown, ["dns", "resolver", servers]);
    service.lab.script("free-for-you.dev", {
      dns: { kind: "nxdomain", delayMs: 20 },
      rdap: "free",
    });
    const { row, entries: [dns, rdap] } = await explained(service, "free-for-you", "dev");
    assertEquals([dns?.means, dns?.said], ["not_delegated", ""]);
    assertEquals([rdap?.means, rdap?.host], ["not_found", "pubapi.registry.google"]);
    assertEquals(rdap?.said, "404 Not Found | free-for-you.dev not found");
    // So old that a delegation which another process has found meanwhile is newer.
    assertEquals([dns?.askedAt, rdap?.canary?.found], [row.checkedAt, "passed"]);
    assert(Date.parse(rdap?.canary?.testedAt ?? "") > 0);
    const { entries: [, , whois] } = await explained(service, "free-for-you", "org");
    assertEquals([whois?.means, whois?.host], ["not_found", "whois.publicinterestregistry.org"]);
    const said = async (name: string, tld: string) =>
      (await explained(service, name, tld)).entries.findLast(({ witness }) => witness !== "whois")
        ?.said ?? "";
    assertEquals(await said("undelegated", "com"), "200 domain UNDELEGATED.COM");
    assertEquals(await said("free-for-you", "com"), "404");
    assertMatch(await said("reserved", "online"), /^404 This name is not available/);
    assertEquals(await said("html", "online"), "404");
    assertMatch(await said("failing", "org"), /^429 Too Many Requests \|/);
  }, ({ lab }) => ({ env: whoisEnv(lab) })));

test("evidence=1 shows whether a holder offers a taken name, by one TXT query in five minutes in a queue of its own, and changes no verdict", async (service) => {
  const { lab, clock } = service;
  const { row, entries } = await explained(service, "for-sale");
  assertEquals([row.state, row.status], ["taken", ["active"]]);
  const [, offer] = entries;
  assertEquals(masked<unknown>(offer), {
    witness: "dns",
    host: "resolver",
    said: "fval=USD750 | furi=https://example.com/offer",
    means: "for_sale",
    askedAt: "a time",
    ms: "a duration",
    cached: false,
  });
  assertEquals(salesQueries(lab), ["TXT _for-sale.for-sale.com"]);
  lab.clear();
  // Neither of names that are not delegated, nor without the parameter.
  for (const name of ["free-for-you", "undelegated", "reserved"]) await explained(service, name);
  await service.check("for-sale.com");
  await service.get("/check?name=taken&tld=com");
  const requests = lab.requests.filter(({ path }) => path.includes("example.com"));
  assertEquals([salesQueries(lab), requests], [[], []]);
  const offers = async (name: string) => {
    const { entries } = await explained(service, name);
    return entries.filter(({ means }) => means === "for_sale").map(({ cached }) => cached);
  };
  assertEquals([await offers("for-sale"), await offers("for-sale")], [[true], [true]]);
  assertEquals([await offers("taken"), await offers("taken")], [[], []]);
  assertEquals(salesQueries(lab), ["TXT _for-sale.taken.com"]);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  assertMatch(metrics, /gate_wait_seconds_count\{host="for_sale"\} 2\n/);
  lab.clear();
  clock.aheadMs += 5 * 60_000 + 1;
  await Promise.all([offers("for-sale"), offers("for-sale")]);
  assertEquals(salesQueries(lab), ["TXT _for-sale.for-sale.com"]);
});

test("evidence=1 shows the auction house of name servers, also of a cached name", async (service) => {
  for (const cached of [false, true]) {
    const { row, entries } = await explained(service, "parked");
    assertEquals([row.state, row.source], ["taken", cached ? "dns+cache" : "dns"]);
    assertEquals(entries.map(({ means, said, cached }) => [means, said, cached]), [
      ["delegated", "ns1.sedoparking.com, ns2.sedoparking.com", cached],
      ["parked", "Sedo", cached],
    ]);
  }
});

test("a row is the same with evidence as without", async (service) => {
  for (const name of ["for-sale", "free-for-you", "reserved", "failing"]) {
    const { row: { evidence: _, ...row } } = await explained(service, name);
    assertEquals(Object.keys(await service.check(`${name}.com`)), Object.keys(row));
  }
});
