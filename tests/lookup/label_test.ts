import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
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

/** Whether a label may have the character between Han characters, or between Arabic letters if it is written leftwards. */
function isRead(character: string): boolean {
  return ["一", "\u0628"].some((neighbour) => {
    const unicode = `${neighbour}${character}${neighbour}`;
    const label = domainToASCII(unicode);
    return unicodeOf(label) === unicode;
  });
}

Deno.test("unicodeOf() accepts exactly the code points that IDNA2008 permits, except those newer than the URL parser", async () => {
  const permitted = await fixture("permitted");
  const assigned = await fixture("assigned");
  const wrong: string[] = [];
  let taken = 0;
  for (const codePoint of assigned) {
    if (codePoint < 0x80) continue;
    const character = String.fromCodePoint(codePoint);
    if (isRead(character)) {
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
  const isKnown = ["一", "\u0628"].some((neighbour) =>
    domainToASCII(`${neighbour}${character}${neighbour}`) !== ""
  );
  return isKnown && ![0xb7, 0x375, 0x5f3, 0x5f4, 0x200c, 0x200d].includes(codePoint);
}

Deno.test("unicodeOf() refuses every label with an emoji", () => {
  const emoji = fc.constantFrom("😀", "❤", "☃", "🏳", "🇩🇪", "©", "⌚", "✔", "🀄");
  const letters = fc.stringMatching(/^[a-zäøд本ก]{0,6}$/);
  fc.assert(fc.property(letters, emoji, letters, (before, picture, after) => {
    // UTS 46, as URLs use it, accepts emoji and makes a label of each of these.
    const label = domainToASCII(`${before}${picture}${after}`);
    assert(label.startsWith("xn--"), label);
    assertEquals(unicodeOf(label), undefined);
  }));
});

Deno.test("unicodeOf() refuses labels that are not the canonical form of their U-label", () => {
  fc.assert(fc.property(fc.stringMatching(/^[a-z0-9-]{1,20}$/), (rest) => {
    const unicode = unicodeOf(`xn--${rest}`);
    if (unicode !== undefined) assertEquals(domainToASCII(unicode), `xn--${rest}`);
  }));
});
