import { assert, assertEquals } from "@std/assert";
import { domainToASCII, domainToUnicode } from "node:url";
import { toUnicodeDomain, unicodeOf } from "../../src/lookup/label.ts";

const LABELS: [string, boolean, string][] = [
  ["xn--bcher-kva", true, "bücher"],
  ["xn--fa-hia", true, "faß, which older rules wrote as fass"],
  ["xn--mgbh0fb", true, "Arabic, from right to left"],
  ["xn--f9dt7l", true, "Cherokee, in its capitals"],
  ["xn--mgbh6dsab", false, "Arabic that is drawn out"],
  ["xn--a-gda1s", false, "a middle dot between other letters than l"],
  ["xn--a-jib", false, "a Greek sign before Latin"],
  ["xn--4db3e", false, "a Hebrew sign in the first place"],
  ["xn--ab-3n4a", false, "a Japanese dot without Japanese"],
  ["xn--ab-zlu", false, "a combining mark for symbols, between letters"],
  ["xn--xn---epa", false, "xn--é: hyphens at the third and the fourth place"],
  ["xn--a", false, "no Punycode"],
  ["xn--", false, "nothing"],
  ["xn--abc-", false, "nothing but ASCII"],
  ["xn--1ugb", false, "joiners that join nothing"],
  ["xn--bcher-KVA", false, "upper case, which a label never is by now"],
];

for (const [label, isValid, what] of LABELS) {
  Deno.test(`unicodeOf() ${isValid ? "reads" : "refuses"} ${label}: ${what}`, () => {
    assertEquals(unicodeOf(label), isValid ? domainToUnicode(label) : undefined);
  });
}

Deno.test("toUnicodeDomain() converts valid A-labels only", () => {
  const cases = [
    ["xn--bcher-kva.com", "bücher.com"],
    ["foo.xn--p1ai", "foo.рф"],
    ["xn--n3h.xn--p1ai", "xn--n3h.рф"],
    ["xn--n3h.com", undefined],
    ["axn--b.com", undefined],
    ["foo.com", undefined],
  ] as const;
  for (const [domain, unicode] of cases) assertEquals(toUnicodeDomain(domain), unicode, domain);
});

/** Reads the code points of one list of the fixture: hexadecimal ranges under a heading. */
async function fixture(heading: string): Promise<Set<number>> {
  const text = await Deno.readTextFile(new URL("idna_code_points.txt", import.meta.url));
  const list = text.split(`\n${heading}\n`)[1]?.split("\n\n")[0] ?? "";
  return new Set(
    list.trim().split(/\s+/).flatMap((range) => {
      const [first = NaN, last = first] = range.split("-").map((end) => parseInt(end, 16));
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    }),
  );
}

/** Labels with the character: between Han characters, and between Arabic letters if it is written leftwards. */
const labelsWith = (character: string) => [`一${character}一`, `\u0628${character}\u0628`];

Deno.test("unicodeOf() accepts exactly the code points that IDNA2008 permits, except those newer than the URL parser", async () => {
  const permitted = await fixture("permitted");
  const assigned = await fixture("assigned");
  const wrong: string[] = [];
  let taken = 0;
  for (const codePoint of assigned) {
    if (codePoint < 0x80) continue;
    const character = String.fromCodePoint(codePoint);
    if (labelsWith(character).some((label) => unicodeOf(domainToASCII(label)) === label)) {
      taken++;
      if (!permitted.has(codePoint)) wrong.push(`takes ${codePoint.toString(16)}`);
    } else if (permitted.has(codePoint) && isExpected(character, codePoint)) {
      wrong.push(`refuses ${codePoint.toString(16)}`);
    }
  }
  assertEquals(wrong, []);
  // Of 140,000 permitted ones: shows that the comparison took place.
  assert(taken > 130_000, `${taken} were taken`);
});

/** Refused: what the URL parser's tables (Unicode 15) lack. Joiners and signs of one script need other neighbours. */
function isExpected(character: string, codePoint: number): boolean {
  const isKnown = labelsWith(character).some((label) => domainToASCII(label) !== "");
  return isKnown && ![0xb7, 0x375, 0x5f3, 0x5f4, 0x200c, 0x200d].includes(codePoint);
}
