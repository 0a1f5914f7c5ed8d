import { getPublicSuffix } from "tldts-icann";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { coverageOf } from "../../src/rules/coverage.ts";
import { isUpstreamUrl } from "../../src/rules/ip_address.ts";
import { readLabel } from "../../src/rules/name.ts";
import { POPULAR_SEEDS } from "../../src/rules/popularity.ts";
import { PARKING_NAME_SERVERS, parkingHouseOf } from "../../src/rules/readers/for_sale.ts";
import {
  hostPolicy,
  NEEDED_SERVERS,
  neededServerOf,
  whoisPace,
  whoisPort,
  whoisQuery,
  whoisServerOf,
} from "../../src/rules/tables/hosts.ts";
import { REGISTRARS, registrationUrl } from "../../src/rules/tables/registrars.ts";
import {
  BUILT_IN_PUBLICATION,
  BUILT_IN_SUFFIXES,
  BUILT_IN_TLDS,
  tldType,
  UNLISTED_TLDS,
  WANTED_TLDS,
  wantedRank,
} from "../../src/rules/tables/tlds.ts";
import { TEST_SEEDS } from "../../src/rules/tested_server.ts";

const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld);

Deno.test("BUILT_IN_TLDS holds each TLD once, in alphabetical order, with its suffixes of the Public Suffix List, and names no router; UNLISTED_TLDS are those that IANA does not list", () => {
  assertMatch(BUILT_IN_PUBLICATION, /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assertEquals(TLDS, [...new Set(TLDS)].toSorted());
  assertEquals(TLDS.filter((tld) => tldType(tld) === "ccTLD"), ["ai", "cc", "io", "me", "tv"]);
  const routed = BUILT_IN_TLDS.filter(({ rdapBase }) => /rdap\.org|rdap\.nic\.io/.test(rdapBase));
  assertEquals(routed, []);
  const suffixes = [...BUILT_IN_SUFFIXES].flatMap(([tld, labels]) =>
    labels.map((label) => `${label}.${tld}`)
  );
  // Labels of two and three letters, those that countries have in common, and those of the table.
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const pairs = letters.flatMap((one) => letters.map((other) => one + other));
  const long = pairs.flatMap((pair) => letters.map((letter) => pair + letter));
  const others = ["info", "name", ...[...BUILT_IN_SUFFIXES.values()].flat()];
  const labels = new Set([...pairs, ...long, ...others]);
  const listed = TLDS.flatMap((tld) =>
    [...labels].map((label) => `${label}.${tld}`).filter((name) => getPublicSuffix(name) === name)
  );
  assertEquals(suffixes.toSorted(), listed.toSorted());
  assertEquals([...UNLISTED_TLDS], ["io", "me"]);
});

Deno.test("wantedRank() counts the wanted TLDs from 0, com first, and gives all others the last rank", () => {
  assertEquals([WANTED_TLDS[0], WANTED_TLDS.filter((tld) => !TLDS.includes(tld))], ["com", []]);
  assertEquals([...WANTED_TLDS, "info", "no-such-tld"].map(wantedRank), [0, 1, 2, 3, 4, 5, 5]);
});

/** The most starts in a time. */
function startsIn({ burst, everyMs }: { burst: number; everyMs: number }, ms: number): number {
  return burst + Math.floor(ms / everyMs);
}

Deno.test("hostPolicy() knows each host of the built-in TLDs, paces all but Verisign's and others more slowly, and asks Norid at most 10 times in a minute and 300 times in a day, as it allows", () => {
  const pace = (host: string) => {
    const { concurrency, burst, everyMs, emptyNotFound = false } = hostPolicy(host);
    return [concurrency, burst, everyMs, emptyNotFound];
  };
  const hosts = new Set(BUILT_IN_TLDS.map(({ rdapBase }) => new URL(rdapBase).host));
  const rows: Record<string, unknown> = {
    "rdap.verisign.com": [8, 8, 0, true],
    "tld-rdap.verisign.com": [8, 8, 0, true],
    "rdap.identitydigital.services": [4, 8, 250, false],
    "pubapi.registry.google": [4, 4, 1_000, false],
    "rdap.centralnic.com": [2, 600, 1_500, false],
  };
  for (const host of hosts) assertEquals(pace(host), rows[host] ?? [4, 8, 200, false], host);
  for (const host of ["127.0.0.1:8080", "rdap.other.example"]) {
    assertEquals(pace(host), [4, 6, 1_000, false]);
  }
  // The registries that document an empty 404.
  for (const host of ["rdap.nic.ch", "rdap.nic.li"]) assertEquals(pace(host), [4, 6, 1_000, true]);
  const { longer, ...policy } = hostPolicy("rdap.norid.no");
  assert(startsIn(policy, 60_000) <= 10);
  assert(longer !== undefined && startsIn(longer, 86_400_000) <= 300);
});

const SERVED = BUILT_IN_TLDS.flatMap(({ tld, rdapBase }) => {
  const server = whoisServerOf(tld);
  return server === undefined ? [] : [{ tld, rdapBase, server }];
});

Deno.test("whoisServerOf() knows a public server for 15 of the built-in TLDs and none for other TLDs, and shares a budget only with the paced RDAP host of the same TLD", () => {
  assertEquals(SERVED.length, 15);
  for (const { server } of SERVED) assert(isUpstreamUrl(`https://${server.host}/`, false));
  const unserved = ["app", "bot", "dev", "info", "toString", "uk"];
  assertEquals(unserved.map(whoisServerOf), unserved.map(() => undefined));
  assertEquals(whoisServerOf("com.ai"), whoisServerOf("ai"));
  assertEquals(neededServerOf("com.io"), whoisServerOf("io"));
  assertEquals([...NEEDED_SERVERS], [
    ["io", { host: "whois.nic.io", isRegistrarEnough: true }],
    ["org", { host: "whois.publicinterestregistry.org" }],
  ]);
  const shared = SERVED.filter(({ server }) => server.sharesBudgetOf !== undefined);
  assertEquals(shared.map(({ tld }) => tld), ["xyz"]);
  for (const { server: { sharesBudgetOf = "" }, rdapBase } of shared) {
    assertEquals(sharesBudgetOf, new URL(rdapBase).host);
    assert(hostPolicy(sharesBudgetOf).everyMs > 0);
  }
});

Deno.test("whoisQuery() and whoisPort() are those of the server, and of WHOIS where a row has none", () => {
  const queryOf = (tld: string) =>
    whoisQuery(whoisServerOf(tld) ?? coverageOf(tld).whois!, `foo.${tld}`);
  const queries = ["domain foo.com", "domain foo.net", "domain foo.cc", "foo.io", "foo.be"];
  queries.push("get 1.0 foo", "get 1.0 foo.lt");
  assertEquals(["com", "net", "cc", "io", "be", "eu", "lt"].map(queryOf), queries);
  const ports = [{ host: "a.example" }, { host: "a.example", port: 4_343 }].map(whoisPort);
  assertEquals(ports, [43, 4_343]);
});

Deno.test("whoisPace() starts the six queries of a first check of two TLDs at once, and sends a needed server no more than 30 in a minute, an availability service two thirds of what it allows", () => {
  for (const { tld, server } of SERVED) {
    const { concurrency, burst, everyMs, isShared = false } = whoisPace(server.host);
    const isNeeded = NEEDED_SERVERS.has(tld);
    const found = [concurrency, burst, everyMs, isShared];
    assertEquals(found, [6, 6, isNeeded ? 2_500 : 500, isNeeded], tld);
  }
  for (const [host, limit] of [["das.dns.be", 50], ["das.eu", 120]] as const) {
    const inAMinute = startsIn(whoisPace(host), 60_000);
    assert(inAMinute > limit / 2 && inAMinute <= limit * 2 / 3, host);
  }
});

Deno.test("registrationUrl() inserts the domain into the plain link, and URL-encoded into an affiliate template", () => {
  assertEquals(REGISTRARS.map((row) => registrationUrl(row, "my-name.com")), [
    "https://porkbun.com/checkout/search?q=my-name.com",
    "https://www.namecheap.com/domains/registration/results/?domain=my-name.com",
    "https://www.godaddy.com/domainsearch/find?domainToCheck=my-name.com",
  ]);
  const [first] = REGISTRARS;
  const template = "https://partner.example/?d={domain}&u={url}&again={domain}";
  const url = "https%3A%2F%2Fporkbun.com%2Fcheckout%2Fsearch%3Fq%3Da%2526b.com";
  const filledIn = `https://partner.example/?d=a%26b.com&u=${url}&again=a%26b.com`;
  assertEquals(first && registrationUrl(first, "a&b.com", template), filledIn);
});

Deno.test("parkingHouseOf() finds name servers of a row or below it, in any letter case", () => {
  for (const { domain, house } of PARKING_NAME_SERVERS) {
    assertEquals(parkingHouseOf([`ns1.${domain}`]), house);
    assertEquals(parkingHouseOf(["ns.example", `NS2.${domain.toUpperCase()}.`]), house);
    assertEquals(parkingHouseOf([`ns1.not${domain}`, `${domain}.example`]), undefined);
  }
  assertEquals([["sedoparking.com"], ["", "."]].map(parkingHouseOf), ["Sedo", undefined]);
  const domains = PARKING_NAME_SERVERS.map(({ domain }) => domain);
  assertEquals(domains, [...new Set(domains)].toSorted());
});

Deno.test("POPULAR_SEEDS and TEST_SEEDS hold valid domain labels without duplicates", () => {
  for (const labels of [POPULAR_SEEDS, TEST_SEEDS]) {
    assertEquals(new Set(labels).size, labels.length);
    assert(labels.every((label) => readLabel(label).kind === "label"));
  }
});
