import { domainToUnicode } from "node:url";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { allSuffixes, coverageOf, divideName } from "../../src/rules/coverage.ts";
import { BUILT_IN_TLDS, type Coverage } from "../../src/rules/tables/tlds.ts";
import { CLOSED_TLDS } from "../../src/rules/tables/coverage/closed_tlds.ts";
import { SUFFIX_ROWS } from "../../src/rules/tables/coverage/suffix_rows.ts";
import { THIRD_LEVEL_TLDS } from "../../src/rules/tables/coverage/third_level_tlds.ts";
import { WHOIS_HOSTS } from "../../src/rules/tables/coverage/whois_hosts.ts";
import { isUpstreamUrl } from "../../src/rules/ip_address.ts";
import { DEMAND, WITHOUT_TLD } from "./demand.ts";

const TLDS = allSuffixes().filter((suffix) => !suffix.includes("."));

function factsOf(suffix: string) {
  const facts = coverageOf(suffix)?.facts;
  assert(facts !== undefined, suffix);
  return facts;
}

Deno.test("divideName() finds the longest public suffix, with wildcards and exceptions", () => {
  const registrable: Record<string, [label: string, suffix: string]> = {
    "example.com": ["example", "com"],
    "example.co.uk": ["example", "co.uk"],
    "example.com.ac": ["example", "com.ac"],
    "a.foo.ck": ["a", "foo.ck"],
    "www.ck": ["www", "ck"],
    "b.c.kobe.jp": ["b", "c.kobe.jp"],
    "city.kobe.jp": ["city", "kobe.jp"],
    "test.ide.kyoto.jp": ["test", "ide.kyoto.jp"],
    "test.k12.ak.us": ["test", "k12.ak.us"],
    "silva.joao.nom.br": ["silva", "joao.nom.br"],
    "example.xn--55qx5d.cn": ["example", "xn--55qx5d.cn"],
    "example.za": ["example", "za"],
    "github.io": ["github", "io"],
  };
  for (const [name, [label, suffix]] of Object.entries(registrable)) {
    assertEquals(divideName(name), { kind: "registrable", label, suffix });
  }
});

Deno.test("divideName() knows names that are public suffixes, and parents of public suffixes", () => {
  const suffixes = ["com", "ck", "foo.ck", "co.uk", "com.ai", "kobe.jp", "c.kobe.jp", "nom.br"];
  for (const suffix of suffixes) assertEquals(divideName(suffix), { kind: "suffix", suffix });
});

Deno.test("divideName() returns the name that can be checked when there are more labels", () => {
  assertEquals(divideName("a.b.example.co.uk"), {
    kind: "too_many_labels",
    registrable: "example.co.uk",
    suffix: "co.uk",
  });
  assertEquals(divideName("x.github.io"), {
    kind: "too_many_labels",
    registrable: "github.io",
    suffix: "io",
  });
});

Deno.test("divideName() knows no TLD that is not in the root zone", () => {
  for (const tld of ["local", "onion", "eth", "toString", "__proto__", "constructor", ""]) {
    assertEquals(divideName(`name.${tld}`), { kind: "unknown_tld", tld });
  }
});

Deno.test("allSuffixes() lists each TLD and suffix once, in order, and coverageOf() knows each", () => {
  const all = allSuffixes();
  assertEquals(all, [...new Set(all)].toSorted());
  assertEquals([TLDS.length, all.length], [1_437, 6_922]);
  for (const suffix of all) assertEquals(factsOf(suffix).suffix, suffix);
});

Deno.test("allSuffixes() lists no suffix of a TLD that the root zone lacks, and none of a wildcard", () => {
  const tlds = new Set(["ai", "ck"]);
  const listed = ["ai", "ck", "com.ai", "net.ai", "off.ai", "org.ai"];
  assertEquals(allSuffixes({ date: "2026-11-24", tlds }), listed);
});

Deno.test("coverageOf() is undefined for what is no public suffix", () => {
  for (const name of ["github.io", "example.com", "nope", "toString"]) {
    assertEquals(coverageOf(name), undefined);
  }
});

Deno.test("coverageOf() returns rdap for a TLD that IANA lists", () => {
  assertEquals(factsOf("pizza"), {
    suffix: "pizza",
    type: "gTLD",
    coverage: "rdap",
    rdapServer: "https://rdap.identitydigital.services/rdap/",
    source: "IANA's root zone and its table of RDAP servers",
    checkedOn: "2026-09-30",
  });
  assertEquals(factsOf("xn--efvy88h").rdapServer, "https://rdap.zdnsgtld.com/XN--EFVY88H/");
});

Deno.test("coverageOf() is unsure of every label where no price list has the TLD", () => {
  const { facts, unsure } = coverageOf("search") ?? {};
  assertEquals([facts?.coverage, unsure?.labels.test("any")], ["rdap", true]);
  assertEquals(facts?.checkedOn, "2025-03-22");
  assertMatch(facts?.note ?? "", /may not be sold/);
});

Deno.test("coverageOf() prefers the base that IANA lists now to the built-in one and to rows", () => {
  const ianaBase = "https://rdap.example/";
  for (const tld of ["berlin", "de", "lu", "gr"]) {
    const { coverage, rdapServer } = coverageOf(tld, { ianaBase })?.facts ?? {};
    assertEquals([coverage, rdapServer], ["rdap", ianaBase]);
  }
  assertEquals(coverageOf("apple", { ianaBase })?.facts.coverage, "closed");
  assertEquals(coverageOf("berlin", { ianaBase: undefined }), coverageOf("berlin"));
});

Deno.test("coverageOf() returns rdap_unlisted for a row's RDAP server, with how its WHOIS is asked", () => {
  const { facts, whois } = coverageOf("de") ?? {};
  assertEquals(facts?.coverage, "rdap_unlisted");
  assertEquals(facts?.rdapServer, "https://rdap.denic.de/");
  assertEquals(whois, { host: "whois.denic.de", prefix: "-T dn,ace " });
});

Deno.test("coverageOf() returns whois for a WHOIS server or an availability service", () => {
  assertEquals([factsOf("lu").coverage, coverageOf("lu")?.whois], ["whois", {
    host: "whois.dns.lu",
  }]);
  const { facts, whois, availability } = coverageOf("be") ?? {};
  assertEquals([facts?.coverage, facts?.whoisServer, facts?.rdapServer], [
    "whois",
    "das.dns.be",
    undefined,
  ]);
  assertEquals([whois?.host, availability?.query], ["whois.dns.be", "{domain}"]);
  assertEquals(availability?.meanings.get("NOT AVAILABLE"), "taken");
  assertEquals([factsOf("it").whoisServer, factsOf("it").requirements !== undefined], [
    "whois.nic.it",
    true,
  ]);
});

Deno.test("coverageOf() returns the WHOIS server that IANA's page or the registry's document names", () => {
  const servers: Record<string, string> = {
    eu: "whois.eu",
    lt: "whois.domreg.lt",
    my: "whois.mynic.my",
    us: "whois.nic.us",
  };
  for (const [tld, host] of Object.entries(servers)) assertEquals(coverageOf(tld)?.whois, { host });
});

Deno.test("coverageOf() returns dns where nothing else is known, and says who may register", () => {
  assertEquals(coverageOf("gr")?.facts, {
    suffix: "gr",
    type: "ccTLD",
    coverage: "dns",
    source: "IANA's root zone and its table of RDAP servers",
    checkedOn: "2026-09-30",
  });
  assertMatch(factsOf("es").note ?? "", /permitted/);
});

Deno.test("coverageOf() names the Public Suffix List and its date for a suffix that only the list has", () => {
  assertEquals(factsOf("com.gr"), {
    suffix: "com.gr",
    type: "ccTLD",
    coverage: "dns",
    source: "Public Suffix List, ICANN section",
    checkedOn: "2026-10-22",
  });
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
  for (const suffix of ["co.de", "xn--czrw28b.tw"]) assertEquals(coverageOf(suffix), undefined);
  assertEquals(factsOf("com.tw").rdapServer, factsOf("tw").rdapServer);
  const ownBase = "https://rdap.example/";
  const { coverage, rdapServer } = coverageOf("com.tr", { ownBase })?.facts ?? {};
  assertEquals([coverage, rdapServer], ["rdap_unlisted", ownBase]);
});

Deno.test("coverageOf() knows under whose suffixes nothing is sold any more, or nobody knows whether", () => {
  const levels = ["on.ca", "ny.us", "k12.ca.us", "com.tw", "ca", "us"].map((suffix) =>
    coverageOf(suffix)?.level?.kind
  );
  const [ended, unknown] = ["forbidden", "unknown"];
  assertEquals(levels, [ended, unknown, unknown, undefined, undefined, undefined]);
});

Deno.test("coverageOf() is unsure of every label under a suffix of institutions", () => {
  const isUnsure = (suffix: string) => coverageOf(suffix)?.unsure?.labels.test("any") === true;
  for (const suffix of ["gov.tw", "edu.ar", "ac.id", "k12.ca.us", "qld.gov.au"]) {
    assert(isUnsure(suffix), suffix);
  }
  for (const suffix of ["com.tw", "org.ar", "co.id"]) assert(!isUnsure(suffix), suffix);
});

Deno.test("coverageOf() gives of all suffixes of several labels nine in ten the server of their TLD", () => {
  const below = allSuffixes().filter((suffix) => suffix.includes("."));
  const classes = Map.groupBy(below, (suffix) => factsOf(suffix).coverage);
  const shares = [...classes].map(([coverage, of]) =>
    `${coverage} ${Math.round(of.length * 100 / below.length)} %`
  );
  assertEquals(shares.toSorted(), [
    "closed 2 %",
    "dns 8 %",
    "rdap 32 %",
    "rdap_unlisted 7 %",
    "whois 52 %",
  ]);
});

Deno.test("coverageOf() returns closed for brands and institutions, and for suffixes below them", () => {
  for (const suffix of ["apple", "gov", "mil", "edu", "int", "arpa", "bank", "gb"]) {
    assertEquals(factsOf(suffix).coverage, "closed");
  }
  const { coverage, requirements, rdapServer } = factsOf("airline.aero");
  assertEquals([coverage, rdapServer], ["closed", undefined]);
  assertMatch(requirements ?? "", /aviation/);
});

Deno.test("coverageOf() knows whether a TLD is a country code, and the Unicode form", () => {
  const types: Record<string, string> = {
    "com": "gTLD",
    "uk": "ccTLD",
    "xn--p1ai": "ccTLD",
    "xn--80asehdb": "gTLD",
    "cat": "gTLD",
    "arpa": "gTLD",
  };
  for (const [tld, type] of Object.entries(types)) assertEquals(factsOf(tld).type, type);
  for (const tld of TLDS) {
    const unicode = domainToUnicode(tld);
    assertEquals(factsOf(tld).unicode, unicode === tld ? undefined : unicode);
  }
  assertEquals(factsOf("xn--o3cw4h").unicode, "ไทย");
  assertEquals(factsOf("xn--12c1fe0br.xn--o3cw4h").unicode, undefined);
});

Deno.test("coverageOf() says who may register under a generic TLD that is not open to all", () => {
  assertEquals([factsOf("wien").coverage, coverageOf("wien")?.unsure], ["rdap", undefined]);
  assertMatch(factsOf("wien").requirements ?? "", /Vienna/);
  assertEquals([factsOf("kiwi").requirements, coverageOf("kiwi")?.unsure], [undefined, undefined]);
});

Deno.test("coverageOf() calls no TLD closed that was a brand's and is sold now", () => {
  for (const tld of ["diy", "food", "monster", "nexus", "sbs"]) {
    assertEquals(factsOf(tld).coverage, "rdap", tld);
  }
  assertEquals(coverageOf("case")?.unsure?.labels.test("any"), true);
});

Deno.test("coverageOf() returns which labels' absence proves nothing, the shortest length, and IDNs", () => {
  const labels: [suffix: string, unsure: string[], sure: string[]][] = [
    ["com.br", ["123", "river-stone", "a".repeat(27)], [
      "river",
      "7river",
      "river7",
      "a".repeat(26),
    ]],
    ["uk", ["ac", "co", "nic", "police"], ["academy", "telecom", "nice", "clinic"]],
  ];
  for (const [suffix, unsure, sure] of labels) {
    const isUnsure = (label: string) => coverageOf(suffix)?.unsure?.labels.test(label);
    assertEquals([...unsure, ...sure].filter(isUnsure), unsure, suffix);
  }
  assertEquals(coverageOf("com.br")?.minLength, 2);
  assertEquals(["uk", "us"].map((suffix) => coverageOf(suffix)?.idn), ["none", "none"]);
});

Deno.test("coverageOf() returns the rule of a TLD that sells at the third level, not of the suffixes that it sells", () => {
  for (const { tld, sells, isDisputed } of THIRD_LEVEL_TLDS) {
    assertEquals(divideName(`any.${tld}`).kind, "registrable", tld);
    assertEquals(coverageOf(tld)?.level?.kind, isDisputed ? "unknown" : "forbidden", tld);
    for (const label of sells.split(" ")) {
      const suffix = coverageOf(`${label}.${tld}`);
      assert(suffix !== undefined && suffix.level === undefined, `${label}.${tld}`);
    }
  }
  for (const tld of ["uk", "nz", "au", "tz", "sb", "tr", "et", "com"]) {
    assertEquals(coverageOf(tld)?.level, undefined, tld);
  }
});

Deno.test("coverage rows name TLDs of the root zone once, with a source and a date", () => {
  const rows = [
    ...SUFFIX_ROWS.map((row) => ({ ...row, tlds: row.suffix })),
    ...CLOSED_TLDS,
    ...THIRD_LEVEL_TLDS.map((row) => ({ ...row, tlds: row.tld })),
    ...WHOIS_HOSTS.map((group) => ({
      ...group,
      tlds: group.hosts.replaceAll(/\S*\.\S*/g, ""),
    })),
  ];
  for (const { tlds, source, checkedOn } of rows) {
    assertMatch(checkedOn, /^202[2-6]-\d\d-\d\d$/);
    assert(source.length > 10, tlds);
    for (const tld of tlds.trim().split(/\s+/)) assert(TLDS.includes(tld), tld);
  }
  const named = (texts: readonly string[]) => texts.join(" ").trim().split(/\s+/);
  for (
    const tlds of [
      named(SUFFIX_ROWS.map(({ suffix }) => suffix)),
      named(CLOSED_TLDS.map((group) => group.tlds)),
      named(THIRD_LEVEL_TLDS.map(({ tld }) => tld)),
      named(WHOIS_HOSTS.map(({ hosts }) => hosts.replaceAll(/\S*\.\S*/g, ""))),
    ]
  ) assertEquals(tlds.toSorted(), [...new Set(tlds)].toSorted());
});

Deno.test("coverageOf() names only public https servers with a trailing slash, as the built-in rows do", () => {
  for (const tld of TLDS) {
    const { rdapServer } = factsOf(tld);
    if (rdapServer === undefined) continue;
    assert(isUpstreamUrl(rdapServer, false) && rdapServer.endsWith("/"), rdapServer);
  }
  for (const { tld, rdapBase } of BUILT_IN_TLDS) assertEquals(factsOf(tld).rdapServer, rdapBase);
});

Deno.test("coverageOf() names no WHOIS server whose terms forbid it, that denies what exists, or that refuses all", () => {
  for (const tld of ["nl", "co", "es", "ch", "li", "kr"]) {
    assertEquals(coverageOf(tld)?.whois, undefined, tld);
  }
  for (const { hosts } of WHOIS_HOSTS) assertEquals(/identitydigital/.test(hosts), false);
});

/** The number of look-ups in each class. */
function demandBy(classOf: (tld: string) => Coverage): Partial<Record<Coverage, number>> {
  const counts: Partial<Record<Coverage, number>> = {};
  for (const [tld, count] of DEMAND) counts[classOf(tld)] = (counts[classOf(tld)] ?? 0) + count;
  return counts;
}

Deno.test("coverageOf() gives 90 % of the measured look-ups RDAP: 84 % by IANA's table and the built-in TLDs", () => {
  const all = [...DEMAND.values()].reduce((sum, count) => sum + count, WITHOUT_TLD);
  assertEquals(all, 44_975);
  const counts = demandBy((tld) => factsOf(tld).coverage);
  const shares = Object.entries(counts).map(([name, count]) =>
    `${name} ${(count * 100 / all).toFixed(1)} %`
  );
  assertEquals(shares.toSorted(), [
    "closed 0.5 %",
    "dns 0.9 %",
    "rdap 77.7 %",
    "rdap_unlisted 12.8 %",
    "whois 7.1 %",
  ]);
  // What RDAP does not answer, by its share; 111 further TLDs have 0.1 % or less each.
  const left = [...DEMAND].filter(([tld, count]) =>
    count * 1_000 > all && !factsOf(tld).coverage.startsWith("rdap")
  ).map(([tld, count]) => `${tld} ${factsOf(tld).coverage} ${(count * 100 / all).toFixed(2)} %`);
  assertEquals(left, [
    "lu whois 4.33 %",
    "eu whois 0.43 %",
    "microsoft closed 0.41 %",
    "pt whois 0.40 %",
    "za dns 0.31 %",
    "cl whois 0.29 %",
    "ie whois 0.27 %",
    "es dns 0.25 %",
    "se whois 0.22 %",
    "ph dns 0.16 %",
    "mx whois 0.14 %",
    "sx whois 0.12 %",
  ]);
  const builtIn = new Set(BUILT_IN_TLDS.map(({ tld }) => tld));
  const { rdap = 0 } = demandBy((tld) => builtIn.has(tld) ? "rdap" : factsOf(tld).coverage);
  assert(rdap / all >= 0.83, `${rdap / all}`);
});
