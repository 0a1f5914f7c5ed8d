import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { getPublicSuffix } from "tldts-icann";
import { allSuffixes, coverageOf, suffixOf } from "../../src/rules/coverage.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { CLOSED_TLDS } from "../../src/rules/tables/coverage/closed_tlds.ts";
import { SUFFIX_ROWS, UNPRICED_TLDS } from "../../src/rules/tables/coverage/suffix_rows.ts";
import { THIRD_LEVEL_TLDS } from "../../src/rules/tables/coverage/third_level_tlds.ts";
import { WHOIS_HOSTS } from "../../src/rules/tables/coverage/whois_hosts.ts";
import { isUpstreamUrl } from "../../src/rules/ip_address.ts";

const TLDS = allSuffixes().filter((suffix) => !suffix.includes("."));

function factsOf(suffix: string) {
  const facts = coverageOf(suffix)?.facts;
  assert(facts !== undefined, suffix);
  return facts;
}

/** IANA's table with a TLD that is newer than the built-in ones. */
const NEWER = {
  bases: new Map([["com", "https://rdap.example/com/"], ["brandnew", "https://rdap.example/"]]),
  date: "2026-11-24",
};

Deno.test("suffixOf() finds the longest public suffix of a name as tldts does, the parents of suffixes too, and none in a TLD that is not in the root zone", () => {
  const ofList = (name: string) => getPublicSuffix(name, { extractHostname: false });
  for (const suffix of [...allSuffixes(), "www.ck", "city.kobe.jp"]) {
    for (const name of [`a.${suffix}`, `b.a.${suffix}`]) assertEquals(suffixOf(name), ofList(name));
  }
  // Suffixes that the table lacks would be of countries, and have labels that others have, too.
  const labels = new Set(allSuffixes().map((suffix) => suffix.replace(/\..*/, "")));
  for (const tld of TLDS.filter((tld) => tld.length === 2)) {
    for (const label of labels.values().filter((label) => label.length <= 3)) {
      const name = `a.${label}.${tld}`;
      assertEquals(suffixOf(name), ofList(name));
    }
  }
  // The list has no line for them.
  for (const suffix of ["com.ai", "ck", "kobe.jp", "nom.br"]) {
    assertEquals(suffixOf(suffix), suffix);
  }
  for (const tld of ["local", "onion", "eth", "toString", "__proto__", "constructor", ""]) {
    assertEquals(suffixOf(`name.${tld}`), undefined, tld);
  }
});

Deno.test("allSuffixes() and suffixOf() have each TLD and suffix of a root zone once, in order, none of a wildcard, and coverageOf() knows each", () => {
  const all = allSuffixes();
  assertEquals(all, [...new Set(all)].toSorted());
  assertEquals([TLDS.length, all.length], [1_437, 6_922]);
  for (const suffix of all) assertEquals(factsOf(suffix).suffix, suffix);
  assertEquals(suffixOf("foo.brandnew", NEWER), "brandnew");
  const newer = allSuffixes(NEWER);
  assertEquals(newer.filter((suffix) => !all.includes(suffix)), ["brandnew"]);
  assertEquals(newer, [...new Set(newer)].toSorted());
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
  assertEquals([de?.facts.coverage, de?.facts.rdapServer], unlisted);
  assertEquals(de?.whois, { host: "whois.denic.de", query: "-T dn,ace {domain}" });
  const { facts, whois } = coverageOf("be") ?? {};
  const { coverage, whoisServer, rdapServer } = facts ?? {};
  assertEquals([coverage, whoisServer, rdapServer], ["whois", "das.dns.be", undefined]);
  assertEquals([whois?.host, whois?.availability?.free], ["das.dns.be", ["AVAILABLE"]]);
  assertEquals(factsOf("it").whoisServer, "whois.nic.it");
  const hosts = ["whois.dns.lu", "whois.mynic.my", "whois.nic.us"];
  for (const host of hosts) assertEquals(coverageOf(host.slice(-2))?.whois, { host });
  const gr = { suffix: "gr", type: "ccTLD", coverage: "dns", ...OF_IANA } as const;
  assertEquals(coverageOf("gr")?.facts, gr);
  assertEquals(factsOf("com.gr"), {
    ...gr,
    suffix: "com.gr",
    source: "Public Suffix List, ICANN section",
    checkedOn: "2026-10-22",
  });
});

Deno.test("coverageOf() prefers the base that IANA lists now to the built-in one and to rows", () => {
  const ianaBase = "https://rdap.example/";
  const tlds = ["berlin", "de", "lu", "gr", "apple"];
  const listed = { ...NEWER, bases: new Map(tlds.map((tld) => [tld, ianaBase])) };
  for (const tld of tlds.slice(0, 4)) {
    const { coverage, rdapServer } = coverageOf(tld, { listed })?.facts ?? {};
    assertEquals([coverage, rdapServer], ["rdap", ianaBase]);
  }
  const ownBase = "https://own.example/";
  assertEquals(coverageOf("de", { listed, ownBase })?.facts.rdapServer, ownBase);
  assertEquals(coverageOf("apple", { listed })?.facts.coverage, "closed");
  assertEquals(coverageOf("berlin", { listed: NEWER }), coverageOf("berlin"));
});

Deno.test("coverageOf() returns the server of the TLD for a suffix that the list names, and none for those of a wildcard", () => {
  const classes = {
    rdap: ["co.uk", "com.br", "com.au", "com.tw", "com.ar", "com.ai", "co.kr"],
    rdap_unlisted: ["com.co", "co.me"],
    whois: ["com.tr", "co.il", "com.cn", "co.jp", "aisai.aichi.jp"],
    dns: ["joao.nom.br", "x.sch.uk", "foo.ck", "c.kobe.jp", "com.gr"],
  };
  for (const [coverage, suffixes] of Object.entries(classes)) {
    assertEquals(suffixes.filter((suffix) => factsOf(suffix).coverage !== coverage), [], coverage);
  }
  for (const name of ["co.de", "xn--czrw28b.tw", "github.io", "nope", "toString"]) {
    assertEquals(coverageOf(name), undefined, name);
  }
  assertEquals(factsOf("com.tw").rdapServer, factsOf("tw").rdapServer);
  const ownBase = "https://rdap.example/";
  const { coverage, rdapServer } = coverageOf("com.tr", { ownBase })?.facts ?? {};
  assertEquals([coverage, rdapServer], ["rdap_unlisted", ownBase]);
});

Deno.test("coverageOf() knows under whose suffixes nothing is sold any more, or nobody knows whether, and no such rule of TLDs and suffixes where names are sold", () => {
  const ruled = { "on.ca": "forbidden", "ny.us": "unknown", "k12.ca.us": "unknown" };
  for (const [suffix, kind] of Object.entries(ruled)) {
    assertEquals(coverageOf(suffix)?.level?.kind, kind, suffix);
  }
  assertMatch(factsOf("br").note ?? "", /directly under .*; Registro\.br refuses/);
  assertNotMatch(factsOf("com.br").note ?? "", /directly under/);
  const sold = ["com.br", "com.tw", "ca", "us", "uk", "nz", "au", "tz", "sb", "tr", "et", "com"];
  assertEquals(sold.filter((suffix) => coverageOf(suffix)?.level !== undefined), []);
});

Deno.test("coverageOf() is unsure of every label where no price list has the TLD and under suffixes but general ones, and of labels whose absence proves nothing, and has the shortest length and IDNs", () => {
  const isUnsureOfAny = (suffix: string) => coverageOf(suffix)?.unsure?.labels.test("any") === true;
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
    const isUnsure = (label: string) => coverageOf(suffix)?.unsure?.labels.test(label);
    assertEquals([...unsure, ...sure].filter(isUnsure), unsure, suffix);
  }
  assertEquals(coverageOf("com.br")?.minLength, 2);
  assertEquals(["uk", "us"].map((suffix) => coverageOf(suffix)?.idn), ["none", "none"]);
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

Deno.test("coverageOf() knows whether a TLD is a country code", () => {
  for (const tld of ["com", "xn--80asehdb", "cat"]) assertEquals(factsOf(tld).type, "gTLD");
  for (const tld of ["uk", "xn--p1ai"]) assertEquals(factsOf(tld).type, "ccTLD");
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
    const { whois } = coverageOf(tld) ?? {};
    assert(whois === undefined || whois.availability !== undefined, tld);
  }
  for (const { hosts } of WHOIS_HOSTS) assertEquals(/identitydigital/.test(hosts), false);
});

Deno.test("coverageOf() is unsure of every label under a TLD that is newer than the tables", () => {
  const { facts, unsure } = coverageOf("brandnew", { listed: NEWER }) ?? {};
  assertEquals([facts?.coverage, facts?.checkedOn], ["rdap", "2026-11-24"]);
  assertEquals(unsure?.labels.test("any"), true);
  assertMatch(unsure?.why ?? "", /\.brandnew are sold: the TLD is new/);
  assertEquals(coverageOf("brandnew"), undefined);
});
