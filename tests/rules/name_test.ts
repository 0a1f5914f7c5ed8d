import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import {
  isTld,
  nearMissOf,
  readDomain,
  readEnsLabel,
  readLabel,
  readSuffix,
  toAsciiName,
} from "../../src/rules/name.ts";

const REFUSED: [string, RegExp][] = [
  ["", /1 to 63/],
  ["x".repeat(64), /1 to 63/],
  ["alice.ETH", /^Send .eth names to \/v1\/ens\/check$/],
  ["foo.com", /without dots, and its TLD as the parameter tld: name=foo&tld=com$/],
  ["www.foo.com", /without dots, and its TLD as the parameter tld: name=foo&tld=com$/],
  ["acme77。com", /: name=acme77&tld=com$/],
  ["例え。jp", /: name=xn--r8jz45g&tld=jp$/],
  ["a..com", /the parameter tld$/],
  ["-a", /hyphen/],
  ["a-", /hyphen/],
  ["ab--cd", /xn--/],
  ["a\n", /1 to 63/],
  // Lower-casing the Kelvin sign returns an ASCII k.
  ["\u212A", /1 to 63/],
];

const CHOICES: [string, string][] = [
  ["foo_bar", ", such as foo-bar or foobar"],
  ["Foo Bar!", ", such as foo-bar or foobar"],
  ["_foo", ", such as foo"],
  ["_foo--", ", such as foo"],
  ["Café", ", such as xn--caf-dma or cafe"],
  ["straße", ", such as xn--strae-oqa or strasse"],
  ["日本", ", such as xn--wgv71a"],
  ["cafe☕", ", such as cafe"],
  ["ab__cd", ", such as ab-cd or abcd"],
  ["ab-_-cd", ""],
  ["☕", ""],
  ["x".repeat(64), ""],
  [`a${"_".repeat(252)}`, ", such as a"],
  [`a${"_".repeat(253)}`, ""],
  [`${"-".repeat(60_000)}_`, ""],
];

/** Why a text is refused; empty where it is not. */
function whyOf(reading: ReturnType<typeof readDomain | typeof readLabel>): string {
  return reading.kind === "refused" ? reading.why : "";
}

Deno.test("readLabel() lower-cases letters, digits and hyphens, refuses others with a reason, and offers the labels that a text may stand for", () => {
  for (const [input, why] of REFUSED) assertMatch(whyOf(readLabel(input)), why, input);
  for (const [input, choices] of CHOICES) {
    const why = `Use 1 to 63 letters a-z, digits and hyphens${choices}`;
    assertEquals(whyOf(readLabel(input)), why, input.slice(0, 99));
  }
  for (const input of ["a", "Foo", "a-b", "0", "x".repeat(63), "xn--bcher-kva", "ab-c--d"]) {
    assertEquals(readLabel(input), { kind: "label", label: input.toLowerCase() });
  }
});

Deno.test("readLabel() offers only labels that it accepts, and accepts none for which two registries return a wrong 404", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 70 }), (input) => {
    const reading = readLabel(input);
    if (reading.kind === "label") {
      return assertMatch(reading.label, /^(?!-)(?!.*-$)(?!(?!xn)..--)[a-z0-9-]{1,63}$/);
    }
    const [, choices] = reading.why.split(", such as ");
    for (const choice of choices?.split(" or ") ?? []) {
      assertEquals(readLabel(choice), { kind: "label", label: choice });
    }
  }));
});

Deno.test("toAsciiName() converts labels in Unicode by UTS #46, and returns what it cannot convert as it is", () => {
  const cases = [
    ["café", "xn--caf-dma"],
    ["CAFÉ.com", "xn--caf-dma.com"],
    ["cafe\u0301.com", "xn--caf-dma.com"],
    ["пример.рф", "xn--e1afmkfd.xn--p1ai"],
    ["ＦＯＯ", "foo"],
    ["１.２", "1.2"],
    ["☕", "xn--53h"],
    [`${"é.".repeat(126)}é`, `${"xn--9ca.".repeat(126)}xn--9ca`],
  ] as const;
  for (const [name, ascii] of cases) assertEquals(toAsciiName(name), ascii, name);
  const names = ["", "Foo.com", "foo_bar", "\ud800", "é".repeat(254)];
  const ends = ["_", "/foo", ":80", "%2ecom", "?x", "#", " é", "\u00a0", "\n", "\u202e"];
  for (const name of [...names, "a@é", ...ends.map((end) => `é${end}`)]) {
    assertEquals(toAsciiName(name), name, JSON.stringify(name));
  }
});

Deno.test("readDomain() splits one label from any TLD or public suffix by its form", () => {
  assertEquals(readDomain("Foo.Co"), { kind: "domain", domain: "foo.co", label: "foo", tld: "co" });
  assertEquals(readDomain("a.xn--p1ai").kind, "domain");
  // Under .se, one letter may be a public suffix.
  assertEquals(readDomain("foo.b.se").kind, "domain");
  const british = { domain: "foo.co.uk", label: "foo", tld: "co.uk" };
  assertEquals(readDomain("Foo.CO.uk"), { kind: "domain", ...british });
  const refused = ["foo", "foo.", ".com", "foo..com", "foo.-a.com", "foo.a.b.c.d.com", "foo.c"];
  refused.push("foo.c0m", "-a.com", "foo.com.", "a b.com", "foo.\u212Ar");
  for (const input of refused) assertEquals(readDomain(input).kind, "refused", input);
});

Deno.test("readDomain() says whether the label or the TLD is missing, and names the domain of a mail address", () => {
  const why = (input: string) => whyOf(readDomain(input));
  for (const input of ["foo", "foo.", ""]) assertMatch(why(input), /^Add a TLD/, input);
  assertMatch(why(".com"), /^Use 1 to 63/);
  const address = "Send the domain of the address, acme-labs.com";
  assertEquals(why("jane@acme-labs.com"), address);
  for (const input of ["jane@", "jane@acme", "@.com", "jane@acme.com/"]) {
    assertMatch(why(input), /^(?!.*address)./, input);
  }
});

Deno.test("isTld() accepts letters and A-labels, and readSuffix() a TLD or a public suffix in any case or in Unicode, with or without dots around it", () => {
  const texts = ["com", "xn--p1ai", "c", "", "co.uk", "COM", "1a"];
  assertEquals(texts.filter(isTld), ["com", "xn--p1ai"]);
  for (const input of ["com", ".com", "com.", "COM"]) assertEquals(readSuffix(input), "com");
  const inputs = [".XN--P1AI", "рф", "co.UK", "pvt.k12.ma.us"];
  assertEquals(inputs.map(readSuffix), ["xn--p1ai", "xn--p1ai", "co.uk", "pvt.k12.ma.us"]);
  for (const input of ["", ".", "..com", "co..uk", "a_b.uk", "com..", "c", "a.b.c.d.uk"]) {
    assertEquals(readSuffix(input), undefined, input);
  }
});

/** Why a .eth label is refused. */
const REFUSED_BY_ENS: [why: RegExp, inputs: string[]][] = [
  [/3 to 63/, ["ab", "ab.eth", ".eth", "x".repeat(64), "na me", "na_me", "bücher", "\u212Aabc"]],
  [/directly under/, ["sub.name.eth", "name.eth.eth", "name.com", "name.ethereum"]],
  [/ENSIP-15/, ["ab--cd", "xn--bcher-kva"]],
];

Deno.test("readEnsLabel() lower-cases, strips one .eth, and refuses other labels with a reason", () => {
  for (const input of ["abc", "Vitalik", "vitalik.eth", "NICK.ETH", "-a-", "a--b", "007"]) {
    const label = input.toLowerCase().replace(".eth", "");
    assertEquals(readEnsLabel(input), { kind: "label", label });
  }
  for (const [why, inputs] of REFUSED_BY_ENS) {
    for (const input of inputs) assertMatch(whyOf(readEnsLabel(input)), why, input);
  }
});

/** Words that miss a known one by one slip. */
const MISSES = {
  tld: ["tlds", "TLD", "xtld"],
  name: ["names", "nam", "nmae"],
  evidence: ["Evidence", "evidnce"],
  depth: ["deptj"],
};

Deno.test("nearMissOf() finds the known word that another misses by one slip, first one that differs only in the case of letters", () => {
  const known = Object.keys(MISSES);
  for (const [word, misses] of Object.entries(MISSES)) {
    for (const miss of misses) assertEquals(nearMissOf(miss, known), word, miss);
  }
  const others = ["tld", "name", "tl", "", "utm_source", "nam3s", "mane", "domain", "nmae-of"];
  for (const word of [...others, "nmxx", "__proto__"]) {
    assertEquals(nearMissOf(word, known), undefined, word);
  }
  assertEquals(nearMissOf("NAME", ["names", "name"]), "name");
  assertEquals(nearMissOf("NAMEX", ["names", "name"]), "names");
});
