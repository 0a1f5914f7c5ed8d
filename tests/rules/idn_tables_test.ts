import { assertEquals } from "@std/assert";
import { BUILT_IN_ZONE } from "../../src/rules/coverage.ts";
import { HAN_VARIANTS, hanCharacters } from "../../src/rules/labels/han_characters.ts";
import { IDN_POLICIES } from "../../src/rules/labels/registry_rules.ts";
import {
  JAPANESE_MISPLACED,
  LOOKALIKES,
  REPERTOIRES,
  scriptOf,
  SCRIPTS,
} from "../../src/rules/labels/idn_repertoires.ts";

/** SHA-256 of a value as JSON, in hexadecimal; the first 16 digits. */
async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex().slice(0, 16);
}

/**
 * The tables as they were taken from the sources that their files name. A change of a table changes its digest here in
 * the same commit, after a comparison with the source: one letter too many makes a name "available" that is not sold.
 */
const REVIEWED: readonly [name: string, table: unknown, digest: string][] = [
  ["HAN_VARIANTS", HAN_VARIANTS, "401aa702a3d992c6"],
  ["REPERTOIRES", REPERTOIRES, "dd5ca6ae99782a5c"],
  ["LOOKALIKES", LOOKALIKES, "1b738b1d8b5fa562"],
  ["JAPANESE_MISPLACED", JAPANESE_MISPLACED.source, "f169fec204039a17"],
  ["IDN_POLICIES", IDN_POLICIES, "a838db9856e6c809"],
  ["SCRIPTS", SCRIPTS, "5579a415b108ffc3"],
  ["BUILT_IN_ZONE", [...BUILT_IN_ZONE].toSorted(), "2e65a7724f81d950"],
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
});

Deno.test("scriptOf() is the script of a letter, other for an unlisted script, and undefined for a shared character", () => {
  const scripts = ["a", "д", "δ", "日", "さ", "サ", "한", "\u{1e922}"].map(scriptOf);
  assertEquals(scripts, ["Latn", "Cyrl", "Grek", "Hani", "Hira", "Kana", "Hang", "Adlm"]);
  // A Deseret letter; a digit, a hyphen, the length mark of both kana, a combining accent.
  assertEquals(scriptOf("\u{10428}"), "other");
  assertEquals(["1", "-", "ー", "\u0301"].map(scriptOf), Array(4).fill(undefined));
});
