import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import type { LabelPolicy } from "../../src/rules/answer.ts";
import { coverageOf } from "../../src/rules/coverage.ts";
import { isReserved, judgeLabel, judgeOtherLabel } from "../../src/rules/labels/label_policy.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";

const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld);

/** Represents any `xn--` label: the rules only use the U-label. */
const judge = (unicode: string, tld: string) => judgeLabel("xn--label", unicode, tld);

/** The kind of a policy and the reason against the label; empty if there is none. */
function shown(policy: LabelPolicy): [kind: string, says: string] {
  if (policy.kind === "allowed") return [policy.kind, ""];
  return [policy.kind, policy.kind === "unknown" ? policy.why : policy.rule];
}

function tldsThatAllow(unicode: string): string {
  return TLDS.filter((tld) => judge(unicode, tld).kind === "allowed").join(" ");
}

const VERISIGN = "cc com net";

/**
 * The oracle, independent of the implementation: zonedb's list of IANA's tables (2026-07-01), and the tables that Nomulus
 * uses for app and dev (2026-08-21). The TLDs that sell names in a script, and a word in it that all of them allow.
 */
// deno-fmt-ignore -- a table
const SOLD: Readonly<Record<string, { letters: [number, number][]; sold: string; word: string }>> = {
  Latin: { letters: [[0x61, 0x7a], [0xdf, 0xff], [0x101, 0x17f]], sold: "app biz bot cc com dev info net online org site store tech xyz", word: "bärö" },
  Cyrillic: { letters: [[0x430, 0x45f], [0x48b, 0x4ff]], sold: "bot cc com info net online org site store tech xyz", word: "пример" },
  Greek: { letters: [[0x3ac, 0x3ce]], sold: "cc com net online site store tech xyz", word: "δζθλ" },
  Arabic: { letters: [[0x620, 0x64a], [0x660, 0x6d3]], sold: "bot cc com info net online site store tech xyz", word: "\u062d\u0628\u0633" },
  Hebrew: { letters: [[0x5d0, 0x5ea]], sold: "cc com net online site store tech xyz", word: "\u05d0\u05d1\u05d2" },
  Thai: { letters: [[0xe01, 0xe3a], [0xe40, 0xe4d]], sold: "cc com net online site store tech xyz", word: "\u0e01\u0e02\u0e04" },
  Lao: { letters: [[0xe81, 0xe82], [0xe94, 0xe97], [0xeb0, 0xeb9]], sold: "cc com net online site store tech xyz", word: "\u0e81\u0e82\u0e84" },
  Devanagari: { letters: [[0x905, 0x939], [0x93e, 0x94d]], sold: "cc com info net org", word: "\u0915\u0932" },
  Han: { letters: [[0x4e00, 0x9fa5]], sold: "app biz bot cc com dev info net online org site store tech xyz", word: "日中" },
  Hiragana: { letters: [[0x3041, 0x3093]], sold: "app biz bot cc com dev net online org site store tech xyz", word: "さくら" },
  Katakana: { letters: [[0x30a1, 0x30f6]], sold: "app biz bot cc com dev net online org site store tech xyz", word: "サッカー" },
  Hangul: { letters: [[0xac00, 0xd7a3]], sold: "biz bot cc com info net online org site store tech xyz", word: "한국" },
  Armenian: { letters: [[0x561, 0x586]], sold: VERISIGN, word: "\u0562\u0563\u0564" },
  Georgian: { letters: [[0x10d0, 0x10f0]], sold: VERISIGN, word: "\u10d0\u10d1\u10d2" },
  Ethiopic: { letters: [[0x1208, 0x1248]], sold: VERISIGN, word: "\u1208\u1209" },
  Khmer: { letters: [[0x1780, 0x17a2], [0x17b6, 0x17c5]], sold: VERISIGN, word: "\u1780\u1781" },
  Tamil: { letters: [[0xb85, 0xbb9]], sold: VERISIGN, word: "\u0b95\u0b99" },
  Cherokee: { letters: [[0x13a0, 0x13f4]], sold: "", word: "ᏣᎳᎩ" },
  Tibetan: { letters: [[0xf40, 0xf47]], sold: "", word: "\u0f40\u0f41" },
  Adlam: { letters: [[0x1e922, 0x1e943]], sold: "", word: "\u{1e922}\u{1e923}" },
};

for (const [script, { letters, sold, word }] of Object.entries(SOLD)) {
  Deno.test(`judgeLabel() allows ${script} only in TLDs with a row: ${sold || "none"}`, () => {
    const refusing = TLDS.filter((tld) => !sold.split(" ").includes(tld));
    const letter = fc.constantFrom(...letters).chain(([first, last]) =>
      fc.integer({ min: first, max: last }).map((codePoint) => String.fromCodePoint(codePoint))
    );
    const label = fc.array(fc.oneof({ weight: 8, arbitrary: letter }, fc.constantFrom("1", "-")), {
      minLength: 1,
      maxLength: 8,
    }).map((characters) => characters.join(""))
      .filter((name) => /[^a-z0-9-]/.test(name));
    fc.assert(fc.property(label, (name) => {
      assertEquals(refusing.filter((tld) => judge(name, tld).kind === "allowed"), [], name);
    }));
    assertEquals(tldsThatAllow(word), sold);
  });
}

Deno.test("judgeLabel() never allows a mix of two scripts, but those of Chinese and Japanese names", () => {
  const together = new Set(["Latin", "Han", "Hiragana", "Katakana"]);
  const names = Object.entries(SOLD);
  for (const [one, { word: first }] of names) {
    for (const [other, { word: second }] of names) {
      if (one === other || (together.has(one) && together.has(other))) continue;
      assertEquals(tldsThatAllow(`${first}${second}`), "", `${one} and ${other}`);
    }
  }
});

/** Single decisions: TLD, U-label, kind, expected sentence. */
// deno-fmt-ignore -- one row a line
const DECISIONS: [tld: string, unicode: string, kind: string, says: string][] = [
  ["ai", "bärö", "forbidden", "The .ai registry does not sell internationalised names (xn--…)"],
  ["io", "bärö", "unknown", "Unknown which internationalised names (xn--…) the .io registry sells"],
  ["museum", "bärö", "unknown", "Unknown which internationalised names (xn--…) the .museum registry sells"],
  ["biz", "пример", "forbidden", "The .biz registry does not sell names in Cyrillic"],
  ["com", "pаypal", "forbidden", "The .com registry does not sell names that mix Latin and Cyrillic"],
  ["com", "a\u0e01", "forbidden", "The .com registry does not sell names that mix Latin and Thai"],
  ["online", "pаypal", "forbidden", "The .online registry does not sell names that mix Latin and Cyrillic"],
  ["app", "ä日", "forbidden", "The .app registry does not sell names that mix Latin and Han"],
  ["com", "\u{1e922}\u{1e923}", "forbidden", "The .com registry does not sell names in Adlam"],
  ["com", "ᏣᎳᎩ", "unknown", "Unknown which names in Cherokee the .com registry sells"],
  ["app", "ä".repeat(40), "allowed", ""],
  ["app", "あいうえおかきくけこさしすせそ", "allowed", ""],
  ["app", "あいうえおかきくけこさしすせそた", "forbidden", "Names under .app with Japanese letters have at most 15 characters"],
  ["biz", "ŵ", "unknown", "Unknown whether the .biz registry allows ŵ"],
  ["com", "می\u200cخواهم", "unknown", "Unknown whether the .com registry allows U+200C"],
  ["biz", "øł", "unknown", "Unknown whether the .biz registry allows the letters of øł together"],
  ["org", "сор", "unknown", "The .org registry may refuse this name because a lookalike in Latin is registered"],
  ["com", "сор", "allowed", ""],
  ["com", "中国", "unknown", "The .com registry may refuse 国 because a name with a variant of it is registered"],
  ["com", "国さくら", "allowed", ""],
  ["online", "bücher", "unknown", "The .online registry may refuse ü because a name with a variant of it is registered"],
  ["biz", "bücher", "allowed", ""],
  ["bot", "bücher", "allowed", ""],
  ["online", "a\u0e01", "unknown", "Unknown whether the .online registry sells names that mix Latin and Thai"],
  ["com", "ーさ", "unknown", "Unknown whether the .com registry allows the letters of ーさ together"],
  ["com", "abc日本さ", "allowed", ""],
  // Digits and hyphens belong to every table.
  ["com", "bär-2", "allowed", ""],
  ["online", "aδ", "forbidden", "The .online registry does not sell names that mix Latin and Greek"],
  ["online", "a\u0e01\u0e81", "forbidden", "The .online registry does not sell names that mix Latin and Thai and Lao"],
  // A contextual letter: \u093f follows a consonant only.
  ["com", "\u0915\u093f", "allowed", ""],
  ["info", "\u0915\u093f", "unknown", "Unknown whether the .info registry allows \u093f"],
  ["bot", "ŋ", "unknown", "Unknown whether the .bot registry allows ŋ"],
  // Han characters that only Japanese (鰯, 駅) or only Chinese (吧, 爱) has; 駅 and 爱 have a variant.
  ["app", "鰯", "allowed", ""],
  ["app", "吧", "unknown", "Unknown whether the .app registry allows 吧"],
  ["info", "吧", "allowed", ""],
  ["info", "鰯", "unknown", "Unknown whether the .info registry allows 鰯"],
  ["biz", "駅", "unknown", "The .biz registry may refuse 駅 because a name with a variant of it is registered"],
  ["info", "爱", "unknown", "The .info registry may refuse 爱 because a name with a variant of it is registered"],
];

Deno.test("judgeLabel() forbids an invalid xn-- label when the policy is known", () => {
  const kindOf = (tld: string) => judgeLabel("xn--a", undefined, tld).kind;
  const open = [...TLDS, "museum"].filter((tld) => kindOf(tld) === "unknown");
  assertEquals(open, ["io", "tv", "museum"]);
  const rule = "xn--a is not a valid internationalised name (RFC 5891)";
  assertEquals(judgeLabel("xn--a", undefined, "com"), { kind: "forbidden", rule });
});

/** ASCII labels that a registry does not sell because of their shape. */
// deno-fmt-ignore -- one row a line
const SHAPES: [label: string, tld: string, kind: string, says: string][] = [
  ["ab", "com", "unknown", "Unknown whether the .com registry sells names of one or two characters"],
  ["ab", "me", "forbidden", "Names under .me have at least 3 characters"],
  ["12345", "me", "forbidden", "The .me registry reserves names of five or more digits"],
  ["ab", "dev", "unknown", "Unknown which .dev names of two letters are sold"],
  ["abc--d", "ai", "unknown", "Unknown whether the .ai registry allows two hyphens in a row"],
  ["ab", "museum", "allowed", ""],
];

Deno.test("judgeLabel() decides by the letters and the shape of a label, with the reason", () => {
  for (const [tld, unicode, kind, says] of DECISIONS) {
    assertEquals(shown(judge(unicode, tld)), [kind, says], `${unicode}.${tld}`);
  }
  for (const [label, tld, kind, says] of SHAPES) {
    assertEquals(shown(judgeLabel(label, undefined, tld)), [kind, says], `${label}.${tld}`);
  }
});

Deno.test("judgeLabel() allows no label in TLDs that refuse its shape, or may refuse it", () => {
  const open = "biz com info io me net org";
  const refusing: [labels: string, tlds: string][] = [
    ["a a1 12", open],
    ["ab", "app biz bot cloud com dev info io me net online org site store tech xyz"],
    ["12345 12-34", "me"],
    ["a--b", "ai"],
    ["abc ab1 1234 1-23 a12345 12345a abcde a-b-c", ""],
  ];
  for (const [labels, tlds] of refusing) {
    for (const label of labels.split(" ")) {
      const found = TLDS.filter((tld) => judgeLabel(label, undefined, tld).kind !== "allowed");
      assertEquals(found.join(" "), tlds, label);
    }
  }
});

Deno.test("isReserved() is true for names that registries reserve without a notice", () => {
  const reserved =
    "example.dev nic.com www.io test.app whois.me rdds.tv localhost.cc d.dev 7.com mail.dev " +
    "redcross.app red-cross.com olympic.org xn--olmpico-8ya.xyz worldbank.dev germany.app southafrica.tech south-africa.tech alemania.xyz";
  const isListed = (domain: string) => isReserved(...domain.split(".") as [string, string]);
  const sold = "google.dev mail.com examples.dev io.com redcross.io olympics.app germany.com";
  assertEquals(`${sold} ${reserved}`.split(" ").filter(isListed).join(" "), reserved);
});

const OTHERS: [label: string, suffix: string, kind: string, text: RegExp | undefined][] = [
  ["river-stone", "pizza", "allowed", undefined],
  ["xn--caf-dma", "pizza", "unknown", /Unknown which internationalised names/],
  ["xn--caf-dma", "uk", "forbidden", /does not sell internationalised/],
  ["ab", "pizza", "unknown", /one or two characters/],
  ["a", "lt", "forbidden", /at least 2 characters/],
  ["ab", "lt", "allowed", undefined],
  ["123", "com.br", "unknown", /names of digits/],
  ["test", "pizza", "unknown", /reserves test, as most do/],
  ["red-cross", "pizza", "unknown", /reserves red-cross, as most do/],
  ["river-stone", "xn--3e0b707e", "unknown", /sells names in Latin letters/],
  ["river-stone", "xn--q9jyb4c", "allowed", undefined],
  ["com", "is", "unknown", /reserves com, as others do/],
  ["acme", "net.uk", "unknown", /who may register/],
  ["90210-melrose", "us", "unknown", /ZIP codes/],
  ["1-800-555-1234", "us", "unknown", /telephone numbers/],
  ["360-degrees", "us", "allowed", undefined],
  ["abc", "ar", "unknown", /three characters/],
  ["abc", "com.ar", "allowed", undefined],
  ["abc", "ly", "unknown", /presence in Libya/],
  ["112", "kr", "unknown", /special numbers/],
  ["acme", "ngo", "unknown", /sold together/],
  ["american-redcross", "pizza", "unknown", /name of a Red Cross society/],
  ["newzealandredcross", "pizza", "unknown", /name of a Red Cross society/],
  ["sacredcross", "pizza", "allowed", undefined],
  ["ontario", "ca", "unknown", /names of provinces/],
  ["smith", "name", "unknown", /then smith\.name is not sold/],
  ["river-stone", "br", "forbidden", /^The \.br registry sells no names directly under \.br/],
  ["ab", "th", "unknown", /co\.th, in\.th and or\.th/],
  ["river-stone", "search", "unknown", /are sold/],
];

Deno.test("judgeOtherLabel() decides by what is known of a suffix, with the reason", () => {
  for (const [label, suffix, kind, text = /^$/] of OTHERS) {
    const [found, says] = shown(judgeOtherLabel(label, coverageOf(suffix)));
    assertEquals(found, kind, `${label}.${suffix}`);
    assertMatch(says, text);
  }
});
