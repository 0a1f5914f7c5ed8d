import { assertEquals, assertMatch } from "@std/assert";
import { hostPolicy } from "../../src/rules/tables/hosts.ts";
import { isReserved } from "../../src/rules/labels/label_policy.ts";
import { BUILT_IN_PUBLICATION, BUILT_IN_TLDS, tldType } from "../../src/rules/tables/tlds.ts";
import { isUpstreamUrl } from "../../src/rules/ip_address.ts";

const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld);

Deno.test("BUILT_IN_TLDS holds each TLD once, in alphabetical order, and tldType() knows countries from the rest", () => {
  assertMatch(BUILT_IN_PUBLICATION, /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assertEquals(TLDS, [...new Set(TLDS)].toSorted());
  for (const tld of ["ai", "cc", "io", "me", "tv"]) assertEquals(tldType(tld), "ccTLD");
  for (const tld of ["app", "com", "online"]) assertEquals(tldType(tld), "gTLD");
});

Deno.test("BUILT_IN_TLDS names only public https servers with a trailing slash, and no router", () => {
  for (const { rdapBase } of BUILT_IN_TLDS) {
    assertEquals(isUpstreamUrl(rdapBase, false) && rdapBase.endsWith("/"), true, rdapBase);
    assertEquals(/rdap\.org|rdap\.nic\.io/.test(rdapBase), false, rdapBase);
  }
});

Deno.test("hostPolicy() knows each host of the built-in TLDs, and paces all but Verisign's and others more slowly", () => {
  const pace = (host: string) => {
    const { concurrency, burst, everyMs, emptyNotFound } = hostPolicy(host);
    return [concurrency, burst, everyMs, emptyNotFound];
  };
  const hosts = new Set(BUILT_IN_TLDS.map(({ rdapBase }) => new URL(rdapBase).host));
  const unmeasured = [4, 8, 200, false];
  const rows: Record<string, unknown> = {
    "rdap.verisign.com": [8, 8, 0, true],
    "tld-rdap.verisign.com": [8, 8, 0, true],
    "rdap.identitydigital.services": [4, 8, 250, false],
    "pubapi.registry.google": [4, 4, 1_000, false],
    "rdap.centralnic.com": [2, 600, 1_500, false],
  };
  for (const host of hosts) assertEquals(pace(host), rows[host] ?? unmeasured, host);
  for (const host of ["127.0.0.1:8080", "rdap.other.example"]) {
    assertEquals(pace(host), [4, 6, 1_000, false]);
  }
});

Deno.test("isReserved() is true for names that registries reserve without a notice", () => {
  const reserved = [
    "example.dev",
    "nic.com",
    "www.io",
    "test.app",
    "whois.me",
    "rdds.tv",
    "localhost.cc",
    "d.dev",
    "7.com",
    "mail.dev",
  ];
  const sold = ["google.dev", "mail.com", "examples.dev", "io.com"];
  const isListed = (domain: string) =>
    isReserved(domain.split(".")[0] ?? "", domain.split(".")[1] ?? "");
  assertEquals(reserved.filter(isListed), reserved);
  assertEquals(sold.filter(isListed), []);
});

Deno.test("hostPolicy() takes an empty 404 of the registries that document one", () => {
  for (const host of ["rdap.nic.ch", "rdap.nic.li"]) {
    assertEquals(hostPolicy(host), { ...hostPolicy("rdap.other.example"), emptyNotFound: true });
  }
});

Deno.test("hostPolicy() asks Norid at most 10 times in a minute and 300 times in a day, as it allows", () => {
  const { longer, ...policy } = hostPolicy("rdap.norid.no");
  const inTime = ({ burst, everyMs }: { burst: number; everyMs: number }, ms: number) =>
    burst + Math.floor(ms / everyMs);
  assertEquals(inTime(policy, 60_000) <= 10, true);
  assertEquals(longer !== undefined && inTime(longer, 86_400_000) <= 300, true);
});
