import { assertEquals, assertMatch } from "@std/assert";
import { createSuffixes } from "../../src/lookup/suffixes.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";

/** The suffixes of a service with the built-in TLDs, and with the operator's own RDAP servers. */
function suffixesWith(own: Record<string, string> = {}, isAnyAllowed = true) {
  const tlds = {
    enabled: () => Promise.resolve(BUILT_IN_TLDS.map(({ tld }) => tld)),
    fresh: () => Promise.resolve(BUILT_IN_TLDS),
    listed: () => ({ bases: new Map([["brandnew", "https://rdap.example/"]]), date: "2026-11-24" }),
  };
  const extra = new Map(Object.entries(own));
  return createSuffixes({ tlds, extra, isAnyAllowed, asksDated: false });
}

Deno.test("coverageOf() knows TLDs, suffixes of the list, those of its wildcards and the parents of these, and nothing else", async () => {
  const { coverageOf } = suffixesWith({ "mine": "https://own.example/" });
  const known = ["co.uk", "com.br", "com.ai", "co.me", "aisai.aichi.jp", "xn--55qx5d.xn--j6w193g"];
  known.push("pizza", "ck", "brandnew", "mine", "nom.br", "kobe.jp", "sch.uk");
  for (const suffix of [...known, "joao.nom.br", "x.sch.uk", "foo.ck", "c.kobe.jp"]) {
    assertEquals((await coverageOf(suffix))?.facts.suffix, suffix);
  }
  const none = ["co.de", "github.io", "www.ck", "city.kobe.jp", "any.co.uk", "xn--czrw28b.tw"];
  none.push("nope", "any.mine", "toString", "", "com", "Co.uk", "co.uk.", "1.2.3.4");
  for (const suffix of none) assertEquals(await coverageOf(suffix), undefined, suffix);
  const { coverageOf: ofEnabled } = suffixesWith({}, false);
  assertEquals(await ofEnabled("co.uk"), undefined);
});

Deno.test("coverageOf() returns a server that is asked under a suffix of the list, and none under one that strangers invent below a wildcard", async () => {
  const { coverageOf, rowOf } = suffixesWith({ "com.tr": "https://rdap.example/" });
  const classes = {
    rdap: ["co.uk", "com.br", "com.au", "com.tw", "com.ar", "com.ai", "co.kr"],
    rdap_unlisted: ["com.co", "co.me", "com.tr"],
    whois: ["co.il", "com.cn", "co.jp", "aisai.aichi.jp"],
    dns: ["x.sch.uk", "foo.ck", "joao.nom.br", "c.kobe.jp", "com.gr", "sch.uk", "kobe.jp"],
  };
  for (const [coverage, suffixes] of Object.entries(classes)) {
    for (const suffix of suffixes) {
      assertEquals((await coverageOf(suffix))?.facts.coverage, coverage, suffix);
    }
  }
  assertEquals((await rowOf("com.tr"))?.rdapBase, "https://rdap.example/");
});

Deno.test("closedBy() says which names are public suffixes, and refusalOf() what to send in place of a name", async () => {
  const { closedBy, refusalOf } = suffixesWith();
  const suffixes = [["co", "uk"], ["com", "ai"], ["kobe", "jp"], ["b", "nom.br"], ["any", "ck"]];
  for (const [label = "", suffix = ""] of suffixes) {
    assertMatch(await closedBy(label, suffix) ?? "", /is a public suffix/, `${label}.${suffix}`);
  }
  for (const [label = "", suffix = ""] of [["any", "co.uk"], ["www", "ck"], ["com", "dev"]]) {
    assertEquals(await closedBy(label, suffix), undefined, `${label}.${suffix}`);
  }
  assertMatch(await refusalOf("a.b.co.uk") ?? "", /directly under its suffix, such as b\.co\.uk/);
  assertMatch(await refusalOf("b.co.uk") ?? "", /b\.co\.uk is no public suffix/);
  assertMatch(await refusalOf("co.nope") ?? "", /\.nope is no known TLD/);
});
