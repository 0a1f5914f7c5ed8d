import { assertEquals } from "@std/assert";
import { hanCharacters } from "../../src/rules/han_characters.ts";
import { HAN_VARIANTS } from "../../src/rules/han_variants.ts";
import { IDN_POLICIES } from "../../src/rules/idn_policies.ts";
import { JAPANESE_MISPLACED, LOOKALIKES, REPERTOIRES } from "../../src/rules/idn_repertoires.ts";

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
  ["REPERTOIRES", REPERTOIRES, "1a18b6c14ff83876"],
  ["LOOKALIKES", LOOKALIKES, "1b738b1d8b5fa562"],
  ["JAPANESE_MISPLACED", JAPANESE_MISPLACED.source, "f169fec204039a17"],
  ["IDN_POLICIES", IDN_POLICIES, "cd11db0c7d355c5c"],
];

for (const [name, table, digest] of REVIEWED) {
  Deno.test(`${name} is the table that was taken from its source`, async () => {
    assertEquals(await digestOf(table), digest);
  });
}

Deno.test("hanCharacters() has every Han character of the registries' character sets, and no other", async () => {
  const { chinese, japanese, variants } = hanCharacters();
  assertEquals([chinese.size, japanese.size, variants.size], [15_441, 6_355, 7_295]);
  const digests = [chinese, japanese, variants].map((set) => digestOf([...set].toSorted()));
  assertEquals(await Promise.all(digests), [
    "8acbc1432785e2ce",
    "0f82fbb6d92b7f21",
    "ab17eb8cecb0d3b0",
  ]);
  assertEquals([chinese.has("\u5338"), chinese.has("中"), japanese.has("働")], [false, true, true]);
});
