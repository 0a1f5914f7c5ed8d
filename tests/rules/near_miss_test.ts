import { assertEquals } from "@std/assert";
import { nearMissOf } from "../../src/rules/name.ts";

const KNOWN = ["name", "tld", "depth", "evidence"];

// deno-fmt-ignore -- a table
const WORDS: readonly [word: string, meant: string | undefined][] = [
  ["tlds", "tld"],
  ["names", "name"],
  ["TLD", "tld"],
  ["Evidence", "evidence"],
  ["evidnce", "evidence"],
  ["deptj", "depth"],
  ["nmae", "name"],
  ["nam", "name"],
  ["xtld", "tld"],
  ["tld", undefined],
  ["name", undefined],
  ["tl", undefined],
  ["t", undefined],
  ["", undefined],
  ["utm_source", undefined],
  ["nam3s", undefined],
  ["mane", undefined],
  ["domain", undefined],
  ["nmae-of", undefined],
  ["nmxx", undefined],
  ["__proto__", undefined],
];

for (const [word, meant] of WORDS) {
  Deno.test(`nearMissOf() finds ${meant} when the word is "${word}"`, () => {
    assertEquals(nearMissOf(word, KNOWN), meant);
  });
}

Deno.test("nearMissOf() prefers the word that differs only in the case of its letters", () => {
  assertEquals(nearMissOf("NAME", ["names", "name"]), "name");
  assertEquals(nearMissOf("NAMEX", ["names", "name"]), "names");
});
