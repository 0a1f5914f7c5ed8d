import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { allTlds, coverageOf, isTld } from "../../src/rules/coverage.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { CLOSED_TLDS } from "../../src/rules/tables/coverage/closed_tlds.ts";
import { SUFFIX_ROWS, UNPRICED_TLDS } from "../../src/rules/tables/coverage/suffix_rows.ts";
import { THIRD_LEVEL_TLDS } from "../../src/rules/tables/coverage/third_level_tlds.ts";
import { WHOIS_HOSTS } from "../../src/rules/tables/coverage/whois_hosts.ts";
import { isUpstreamUrl } from "../../src/rules/ip_address.ts";

const TLDS = allTlds();

const factsOf = (suffix: string) => coverageOf(suffix).facts;

/** IANA's table with a TLD that is newer than the built-in ones. */
const NEWER = {
  bases: new Map([["com", "https://rdap.example/com/"], ["brandnew", "https://rdap.example/"]]),
  date: "2026-11-24",
};

Deno.test("allTlds() has each TLD of the root zone once, in order, and those that IANA has listed since, and coverageOf() knows which are country codes", () => {
  assertEquals([TLDS.length, TLDS], [1_437, [...new Set(TLDS)].toSorted()]);
  for (const tld of TLDS) assertEquals(factsOf(tld).suffix, tld);
  for (const tld of ["com", "xn--80asehdb", "cat"]) assertEquals(factsOf(tld).type, "gTLD");
  for (const tld of ["uk", "xn--p1ai"]) assertEquals(factsOf(tld).type, "ccTLD");
  const newer = allTlds(NEWER);
  assertEquals(newer.filter((tld) => !TLDS.includes(tld)), ["brandnew"]);
  assertEquals(newer, [...new Set(newer)].toSorted());
  assertEquals([isTld("com"), isTld("brandnew", NEWER)], [true, true]);
  for (const tld of ["brandnew", "local", "onion", "eth", "toString", "__proto__", ""]) {
    assertEquals(isTld(tld), false, tld);
  }
});

const OF_IANA = {
  source: "IANA's root zone and its table of RDAP servers",
  checkedOn: "2026-09-30",
};

Deno.test("coverageOf() returns rdap for a TLD that IANA lists, rdap_unlisted for a row's RDAP server, whois for a WHOIS server or an availability service, and dns where nothing else is known, with who may register", () => {
  const pizza = { suffix: "pizza", type: "gTLD", coverage: "rdap", ...OF_IANA } as const;
  const ofPizza = "https://rdap.identitydigital.services/rdap/";
  assertEquals(factsOf("pizza"), { ...pizza, rdapServer: ofPizza });
  assertEquals(factsOf("xn--efvy88h").rdapServer, "https://rdap.zdnsgtld.com/XN--EFVY88H/");
  const de = coverageOf("de");
  const unlisted = ["rdap_unlisted", "https://rdap.denic.de/"];
  assertEquals([de.facts.coverage, de.facts.rdapServer], unlisted);
  assertEquals(de.whois, { host: "whois.denic.de", query: "-T dn,ace {domain}" });
  const { facts: { coverage, whoisServer, rdapServer }, whois } = coverageOf("be");
  assertEquals([coverage, whoisServer, rdapServer], ["whois", "das.dns.be", undefined]);
  assertEquals([whois?.host, whois?.availability?.free], ["das.dns.be", ["AVAILABLE"]]);
  assertEquals(factsOf("it").whoisServer, "whois.nic.it");
  const hosts = ["whois.dns.lu", "whois.mynic.my", "whois.nic.us"];
  for (const host of hosts) assertEquals(coverageOf(host.slice(-2)).whois, { host });
  const gr = { suffix: "gr", type: "ccTLD", coverage: "dns", ...OF_IANA } as const;
  assertEquals(coverageOf("gr").facts, gr);
});

Deno.test("coverageOf() prefers the base that IANA lists now to the built-in one and to rows", () => {
  const ianaBase = "https://rdap.example/";
  const tlds = ["berlin", "de", "lu", "gr", "apple"];
  const listed = { ...NEWER, bases: new Map(tlds.map((tld) => [tld, ianaBase])) };
  for (const tld of tlds.slice(0, 4)) {
    const { coverage, rdapServer } = coverageOf(tld, { listed }).facts;
    assertEquals([coverage, rdapServer], ["rdap", ianaBase]);
  }
  const ownBase = "https://own.example/";
  assertEquals(coverageOf("de", { listed, ownBase }).facts.rdapServer, ownBase);
  assertEquals(coverageOf("apple", { listed }).facts.coverage, "closed");
  assertEquals(coverageOf("berlin", { listed: NEWER }), coverageOf("berlin"));
});

Deno.test("coverageOf() returns the server of the TLD for a suffix, and none for one that a wildcard makes", () => {
  assertEquals(factsOf("com.tw").rdapServer, factsOf("tw").rdapServer);
  assertEquals(factsOf("co.jp").whoisServer, factsOf("jp").whoisServer);
  const ownBase = "https://rdap.example/";
  const { coverage, rdapServer } = coverageOf("com.tr", { ownBase }).facts;
  assertEquals([coverage, rdapServer], ["rdap_unlisted", ownBase]);
  for (const suffix of ["foo.ck", "x.sch.uk", "c.kobe.jp"]) {
    const { facts, whois } = coverageOf(suffix, { isInvented: true });
    assertEquals([facts.coverage, facts.rdapServer, whois], ["dns", undefined, undefined]);
  }
});

Deno.test("coverageOf() knows under whose suffixes nothing is sold any more, or nobody knows whether, and no such rule of TLDs and suffixes where names are sold", () => {
  const ruled = { "on.ca": "forbidden", "ny.us": "unknown", "k12.ca.us": "unknown" };
  for (const [suffix, kind] of Object.entries(ruled)) {
    assertEquals(coverageOf(suffix).level?.kind, kind, suffix);
  }
  assertMatch(factsOf("br").note ?? "", /directly under .*; Registro\.br refuses/);
  assertNotMatch(factsOf("com.br").note ?? "", /directly under/);
  const sold = ["com.br", "com.tw", "ca", "us", "uk", "nz", "au", "tz", "sb", "tr", "et", "com"];
  assertEquals(sold.filter((suffix) => coverageOf(suffix).level !== undefined), []);
});

Deno.test("coverageOf() is unsure of every label where no price list has the TLD and under suffixes but general ones, and of labels whose absence proves nothing, and has the shortest length and IDNs", () => {
  const isUnsureOfAny = (suffix: string) => coverageOf(suffix).unsure?.labels.test("any") === true;
  const open = ["search", "case", "gov.tw", "ac.id", "k12.ca.us", "qld.gov.au", "jus.br"];
  open.push("kommune.no", "lg.jp", "muni.il", "hs.kr", "cci.fr", "tokyo.jp");
  const closed = ["com.tw", "org.uy", "co.id", "me.uk", "ne.jp", "gen.in", "wien", "kiwi"];
  assertEquals([...open, ...closed].filter(isUnsureOfAny), open);
  const { checkedOn, note = "" } = factsOf("search");
  assertEquals(checkedOn, "2025-03-22");
  assertMatch(note, /names under \.search are sold/);
  const labels: [suffix: string, unsure: string[], sure: string[]][] = [
    ["com.br", ["123", "a-b", "a".repeat(27)], ["river", "7river", "river7", "a".repeat(26)]],
    ["uk", ["ac", "co", "nic", "police"], ["academy", "telecom", "nice", "clinic"]],
  ];
  for (const [suffix, unsure, sure] of labels) {
    const isUnsure = (label: string) => coverageOf(suffix).unsure?.labels.test(label);
    assertEquals([...unsure, ...sure].filter(isUnsure), unsure, suffix);
  }
  assertEquals(coverageOf("com.br").minLength, 2);
  assertEquals(["uk", "us"].map((suffix) => coverageOf(suffix).idn), ["none", "none"]);
});

Deno.test("coverageOf() returns closed for brands and institutions, and for suffixes below them", () => {
  for (const suffix of ["apple", "gov", "mil", "edu", "int", "arpa", "bank", "gb"]) {
    assertEquals(factsOf(suffix).coverage, "closed");
  }
  const { coverage, requirements, rdapServer } = factsOf("airline.aero");
  assertEquals([coverage, rdapServer], ["closed", undefined]);
  assertMatch(requirements ?? "", /aviation/);
  // Some that were a brand's are sold now, some to people with an affinity with a place.
  for (const tld of ["diy", "food", "monster", "nexus", "sbs", "wien"]) {
    assertEquals(factsOf(tld).coverage, "rdap", tld);
  }
  assertMatch(factsOf("wien").requirements ?? "", /Vienna/);
});

Deno.test("coverage rows name TLDs of the root zone once in each table, with a source and a date", () => {
  const tables = [
    [...SUFFIX_ROWS, UNPRICED_TLDS],
    CLOSED_TLDS,
    THIRD_LEVEL_TLDS,
    WHOIS_HOSTS.map((group) => ({ ...group, tlds: group.hosts.replaceAll(/\S*\.\S*/g, "") })),
  ];
  for (const rows of tables) {
    const named = rows.flatMap(({ tlds, source, checkedOn }) => {
      assertMatch(checkedOn, /^202[2-6]-\d\d-\d\d$/);
      assert(source.length > 10, tlds);
      return tlds.trim().split(/\s+/);
    });
    assertEquals(named.filter((tld) => !TLDS.includes(tld)), []);
    assertEquals(named.toSorted(), [...new Set(named)].toSorted());
  }
});

Deno.test("coverageOf() names only public https servers with a trailing slash, as the built-in rows do, and no WHOIS server whose terms forbid it, that denies what exists, or that refuses all", () => {
  for (const tld of TLDS) {
    const { rdapServer } = factsOf(tld);
    if (rdapServer === undefined) continue;
    assert(isUpstreamUrl(rdapServer, false) && rdapServer.endsWith("/"), rdapServer);
  }
  for (const { tld, rdapBase } of BUILT_IN_TLDS) assertEquals(factsOf(tld).rdapServer, rdapBase);
  for (const tld of ["nl", "co", "es", "ch", "li", "kr"]) {
    const { whois } = coverageOf(tld);
    assert(whois === undefined || whois.availability !== undefined, tld);
  }
  for (const { hosts } of WHOIS_HOSTS) assertEquals(/identitydigital/.test(hosts), false);
});

Deno.test("coverageOf() is unsure of every label under a TLD that is newer than the tables", () => {
  const { facts, unsure } = coverageOf("brandnew", { listed: NEWER });
  assertEquals([facts.coverage, facts.checkedOn], ["rdap", "2026-11-24"]);
  assertEquals(unsure?.labels.test("any"), true);
  assertMatch(unsure?.why ?? "", /\.brandnew are sold: the TLD is new/);
});
