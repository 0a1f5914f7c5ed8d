import { assertEquals } from "@std/assert";
import { HAN_VARIANTS, hanCharacters } from "../../src/rules/labels/han_characters.ts";
import { IDN_POLICIES } from "../../src/rules/labels/registry_rules.ts";
import {
  JAPANESE_MISPLACED,
  LOOKALIKES,
  REPERTOIRES,
  scriptName,
  scriptOf,
  SCRIPTS,
} from "../../src/rules/labels/idn_repertoires.ts";

/** SHA-256 of a value as JSON, in hexadecimal; the first 16 digits. */
async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex().slice(0, 16);
}

const SCRIPT_NAMES = Object.fromEntries(SCRIPTS.map((script) => [script, scriptName(script)]));

/**
 * The tables as they were taken from the sources that their files name. A change of a table changes its digest here in
 * the same commit, after a comparison with the source: one letter too many makes a name "available" that is not sold.
 */
const REVIEWED: readonly [name: string, table: unknown, digest: string][] = [
  ["HAN_VARIANTS", HAN_VARIANTS, "401aa702a3d992c6"],
  ["REPERTOIRES", REPERTOIRES, "1a18b6c14ff83876"],
  ["LOOKALIKES", LOOKALIKES, "1b738b1d8b5fa562"],
  ["JAPANESE_MISPLACED", JAPANESE_MISPLACED.source, "f169fec204039a17"],
  ["IDN_POLICIES", IDN_POLICIES, "5005c8bae0dbebfc"],
  ["the names of SCRIPTS", SCRIPT_NAMES, "d0be0991ac63134b"],
];

Deno.test("each table is the one that was taken from its source", async () => {
  for (const [name, table, digest] of REVIEWED) assertEquals(await digestOf(table), digest, name);
});

Deno.test("hanCharacters() has every Han character of the registries' character sets, and no other", async () => {
  const { chinese, japanese, variants } = hanCharacters();
  assertEquals([chinese.size, japanese.size, variants.size], [15_441, 6_355, 7_295]);
  const digests = [chinese, japanese, variants].map((set) => digestOf([...set].toSorted()));
  const reviewed = ["8acbc1432785e2ce", "0f82fbb6d92b7f21", "ab17eb8cecb0d3b0"];
  assertEquals(await Promise.all(digests), reviewed);
  assertEquals([chinese.has("\u5338"), chinese.has("中"), japanese.has("働")], [false, true, true]);
});

// deno-fmt-ignore
/** A letter of each script, from the names in UnicodeData.txt. */
const LETTERS: Readonly<Record<string, number>> = {
  Latn: 0x61, Cyrl: 0x430, Grek: 0x3b1, Arab: 0x628, Hebr: 0x5d0, Hani: 0x4e00, Hira: 0x3041, Kana: 0x30a1,
  Hang: 0xac00, Thai: 0xe01, Laoo: 0xe81, Deva: 0x915, Armn: 0x561, Geor: 0x10d0, Ethi: 0x1200, Cher: 0x13a0,
  Khmr: 0x1780, Mymr: 0x1000, Beng: 0x995, Gujr: 0xa85, Guru: 0xa05, Knda: 0xc95, Mlym: 0xd15, Orya: 0xb05,
  Sinh: 0xd85, Taml: 0xb95, Telu: 0xc05, Tibt: 0xf00, Mong: 0x1820, Syrc: 0x710, Thaa: 0x780, Nkoo: 0x7ca,
  Tfng: 0x2d30, Bopo: 0x3105, Yiii: 0xa000, Cans: 0x1401, Lisu: 0xa4d0, Vaii: 0xa500, Adlm: 0x1e922, Bali: 0x1b05,
  Bamu: 0xa6a0, Batk: 0x1bc0, Bugi: 0x1a00, Buhd: 0x1740, Cakm: 0x11103, Cham: 0xaa00, Hano: 0x1720, Java: 0xa984,
  Kali: 0xa90a, Lana: 0x1a20, Lepc: 0x1c00, Limb: 0x1901, Mand: 0x840, Mtei: 0xaae0, Olck: 0x1c5a, Rjng: 0xa930,
  Samr: 0x800, Saur: 0xa882, Sund: 0x1b83, Sylo: 0xa800, Tagb: 0x1760, Tale: 0x1950, Talu: 0x1980, Tavt: 0xaa80,
  Tglg: 0x1700, Armi: 0x10840, Avst: 0x10b00, Brah: 0x11005, Cari: 0x102a0, Copt: 0x3e3, Egyp: 0x13000, Glag: 0x2c30,
  Goth: 0x10330, Khar: 0x10a00, Kthi: 0x11083, Lyci: 0x10280, Lydi: 0x10920, Ogam: 0x1681, Orkh: 0x10c00, Phag: 0xa840,
  Phli: 0x10b60, Phnx: 0x10900, Prti: 0x10b40, Runr: 0x16a0, Sarb: 0x10a60, Xpeo: 0x103a0, Xsux: 0x12000,
};

Deno.test("scriptOf() is the script of a letter, other for an unlisted script, and undefined for a shared character", () => {
  const scripts = Object.values(LETTERS).map((letter) => scriptOf(String.fromCodePoint(letter)));
  assertEquals(scripts, Object.keys(LETTERS));
  assertEquals(scripts.toSorted(), SCRIPTS.toSorted());
  // A Deseret letter; a digit, a hyphen, the length mark of both kana, a combining accent.
  assertEquals(scriptOf("\u{10428}"), "other");
  assertEquals(["1", "-", "ー", "\u0301"].map(scriptOf), Array(4).fill(undefined));
});
