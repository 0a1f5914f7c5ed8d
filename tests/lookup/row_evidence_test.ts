import { assert, assertEquals, assertMatch } from "@std/assert";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { masked } from "../support/masked.ts";
import { type Json, type RunningService, startService } from "../support/service.ts";
import { verdictOfEntries } from "../support/verdict_of_entries.ts";
import { withService } from "../support/with_service.ts";

async function explained(service: RunningService, name: string, tld = "com") {
  const { body } = await service.get(`/check?name=${name}&tld=${tld}&evidence=1`);
  const row: DomainResult = body.results[0];
  return { row, entries: row.evidence ?? [] };
}

/** The queries for records of sales. */
function salesQueries(lab: Lab) {
  return lab.dnsQueries.filter(({ name }) => name.startsWith("_for-sale."))
    .map(({ name, type }) => `${type} ${name}`);
}

Deno.test("evidence=1 quotes the witnesses, in the order in which they are asked", () =>
  withService(async (service) => {
    const { entries: [delegated, ...more] } = await explained(service, "taken");
    assertEquals(more, []);
    assertEquals([delegated?.witness, delegated?.host, delegated?.said], [
      "dns",
      "resolver",
      "ns1.hosting.example, ns2.hosting.example",
    ]);
    const { row, entries: [dns, rdap] } = await explained(service, "free-for-you", "dev");
    assertEquals([dns?.means, dns?.said, rdap?.means, rdap?.said, rdap?.host], [
      "not_delegated",
      "",
      "not_found",
      "404 Not Found | free-for-you.dev not found",
      "pubapi.registry.google",
    ]);
    assertEquals([dns?.askedAt, rdap?.canary?.found], [row.checkedAt, "passed"]);
    assert(Date.parse(rdap?.canary?.testedAt ?? "") > 0);
    const said = async (name: string, tld: string) =>
      (await explained(service, name, tld)).entries.findLast(({ witness }) => witness !== "whois")
        ?.said ?? "";
    assertEquals(await said("undelegated", "com"), "200 domain UNDELEGATED.COM");
    assertEquals(await said("free-for-you", "com"), "404");
    assertMatch(await said("reserved", "online"), /^404 This name is not available/);
    assertEquals(await said("html", "online"), "404");
    assertMatch(await said("failing", "org"), /^429 Too Many Requests \|/);
  }));

Deno.test("evidence=1 shows the rule for a label, and a registry that did not pass its test", async () => {
  await using lab = await startLab({ lyingHosts: ["rdap.nic.biz"] });
  await using service = await startService(lab);
  const { entries: [, ruled] } = await explained(service, "example", "dev");
  assertEquals([ruled?.means, ruled?.rule], ["not_found", {
    means: "forbidden",
    text: "Registries reserve this name",
  }]);
  const { row, entries: [, lying] } = await explained(service, "new-name", "biz");
  assertEquals([row.state, lying?.means, lying?.canary?.found], ["unknown", "not_found", "failed"]);
});

Deno.test("evidence=1 shows with depth=dns that only DNS was asked", () =>
  withService(async (service) => {
    const { body } = await service.get("/check?name=free-for-you&tld=com&depth=dns&evidence=1");
    const [row] = body.results;
    assertEquals([row.state, row.evidence.map(({ means }: Json) => means)], [
      "unknown",
      ["not_delegated"],
    ]);
    assertEquals(verdictOfEntries(row.evidence).status, row.status);
  }));

Deno.test("evidence=1 shows whether a holder offers a taken name, with one TXT query, and changes no verdict", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
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
  assertEquals([
    salesQueries(lab),
    lab.requests.map(({ path }) => path).filter((path) => path.includes("example.com")),
  ], [[], []]);
});

Deno.test("whether a name is for sale is asked once in five minutes, also where it is not, in a queue of its own", async () => {
  await using lab = await startLab();
  let now = Date.now();
  await using service = await startService(lab, { env: { TLDS: "com" }, now: () => now });
  const offers = async (name: string) => {
    const { entries } = await explained(service, name);
    return entries.filter(({ means }) => means === "for_sale").map(({ cached }) => cached);
  };
  assertEquals([await offers("for-sale"), await offers("for-sale")], [[false], [true]]);
  assertEquals([await offers("taken"), await offers("taken")], [[], []]);
  assertEquals(salesQueries(lab), ["TXT _for-sale.for-sale.com", "TXT _for-sale.taken.com"]);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  assertMatch(metrics, /gate_wait_seconds_count\{host="for_sale"\} 2\n/);
  lab.clear();
  now += 5 * 60_000 + 1;
  await Promise.all([offers("for-sale"), offers("for-sale")]);
  assertEquals(salesQueries(lab), ["TXT _for-sale.for-sale.com"]);
});

Deno.test("evidence=1 shows the auction house of name servers, also of a cached name", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  for (const cached of [false, true]) {
    const { row, entries } = await explained(service, "parked");
    assertEquals([row.state, row.source], ["taken", cached ? "dns+cache" : "dns"]);
    assertEquals(entries.map(({ means, said, cached }) => [means, said, cached]), [
      ["delegated", "ns1.sedoparking.com, ns2.sedoparking.com", cached],
      ["parked", "Sedo", cached],
    ]);
  }
});

Deno.test("a row is the same with evidence as without, and the log has no name of it", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { LOG_LEVEL: "info" } });
  for (const name of ["for-sale", "free-for-you", "reserved", "failing"]) {
    const { row: { evidence: _, ...row } } = await explained(service, name);
    const plain = await service.check(`${name}.com`);
    assertEquals(Object.keys(plain), Object.keys(row));
  }
  assert(!/for-sale|for-you/.test(JSON.stringify(service.events)));
});
