import { assertEquals } from "@std/assert";
import {
  hostPolicy,
  NEEDED_SERVERS,
  whoisPace,
  whoisQuery,
  type WhoisServer,
  whoisServerOf,
} from "../../src/rules/tables/hosts.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { isUpstreamUrl } from "../../src/rules/ip_address.ts";

const SERVED = BUILT_IN_TLDS.flatMap(({ tld, rdapBase }) => {
  const server = whoisServerOf(tld);
  return server === undefined ? [] : [{ tld, rdapBase, server }];
});

Deno.test("whoisServerOf() knows a public server for 15 of the built-in TLDs, and none for other TLDs", () => {
  assertEquals(SERVED.length, 15);
  for (const { server } of SERVED) {
    assertEquals(isUpstreamUrl(`https://${server.host}/`, false), true);
  }
  const unserved = ["app", "bot", "dev", "info", "toString", "uk"];
  assertEquals(unserved.map(whoisServerOf), unserved.map(() => undefined));
});

Deno.test("NEEDED_SERVERS are those of io and org, where only WHOIS says which names are withheld", () => {
  assertEquals([...NEEDED_SERVERS], [
    ["io", "whois.nic.io"],
    ["org", "whois.publicinterestregistry.org"],
  ]);
});

Deno.test("whoisServerOf() shares a budget only with the paced RDAP host of the same TLD", () => {
  const shared = SERVED.filter(({ server }) => server.sharesBudgetOf !== undefined);
  assertEquals(shared.map(({ tld }) => tld), ["xyz"]);
  for (const { server: { sharesBudgetOf = "" }, rdapBase } of shared) {
    assertEquals(sharesBudgetOf, new URL(rdapBase).host);
    assertEquals(hostPolicy(sharesBudgetOf).everyMs > 0, true);
  }
});

Deno.test("whoisQuery() says at Verisign's servers that the text is a domain", () => {
  const queryOf = (tld: string) => whoisQuery(whoisServerOf(tld) as WhoisServer, `zebra.${tld}`);
  assertEquals(["com", "net", "cc"].map(queryOf), [
    "domain zebra.com",
    "domain zebra.net",
    "domain zebra.cc",
  ]);
  assertEquals(queryOf("io"), "zebra.io");
});

Deno.test("whoisPace() starts the six queries of a first check of two TLDs at once, then two a second, of io and org fewer", () => {
  for (const { tld, server } of SERVED) {
    const { concurrency, burst, everyMs } = whoisPace(server.host);
    const isCareful = ["io", "org"].includes(tld);
    assertEquals([concurrency, burst, everyMs], [6, 6, isCareful ? 2_500 : 500], tld);
  }
});

Deno.test("whoisPace() sends a needed server no more than 30 queries in a minute, from all processes", () => {
  for (const host of NEEDED_SERVERS.values()) {
    const { burst, everyMs, isShared } = whoisPace(host);
    assertEquals([burst + Math.floor(60_000 / everyMs), isShared], [30, true], host);
  }
});

Deno.test("whoisPace() uses two thirds of what an availability service allows in a minute", () => {
  for (const [host, limit] of [["das.dns.be", 50], ["das.eu", 120]] as const) {
    const { burst, everyMs } = whoisPace(host);
    const inAMinute = burst + Math.floor(60_000 / everyMs);
    assertEquals(inAMinute > limit / 2 && inAMinute <= limit * 2 / 3, true, host);
  }
});
