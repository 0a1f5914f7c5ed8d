import { assertEquals } from "@std/assert";
import {
  BUILT_IN_SUFFIXES,
  BUILT_IN_TLDS,
  COVERAGES,
  RADIX_TLDS,
  UNLISTED_TLDS,
  WANTED_TLDS,
  wantedRank,
} from "../../src/rules/tables/tlds.ts";
import { PUBLIC_SUFFIXES } from "../../src/rules/tables/coverage/public_suffixes.ts";

Deno.test("wantedRank() counts the wanted TLDs from 0, and gives all others the last rank", () => {
  assertEquals(WANTED_TLDS.map(wantedRank), WANTED_TLDS.map((_, place) => place));
  assertEquals(["info", "no-such-tld"].map(wantedRank), [WANTED_TLDS.length, WANTED_TLDS.length]);
});

Deno.test("WANTED_TLDS are built-in TLDs, com first", () => {
  assertEquals(WANTED_TLDS[0], "com");
  const all = BUILT_IN_TLDS.map(({ tld }) => tld);
  assertEquals(WANTED_TLDS.filter((tld) => !all.includes(tld)), []);
});

Deno.test("BUILT_IN_SUFFIXES has each built-in TLD, with its suffixes of the Public Suffix List", () => {
  const lines = PUBLIC_SUFFIXES.replaceAll("\n ", " ").split("\n").map((line) => line.split(" "));
  const listed = new Map(lines.map(([suffix = "", ...labels]) => [suffix, labels]));
  for (const { tld } of BUILT_IN_TLDS) {
    assertEquals([tld, BUILT_IN_SUFFIXES.get(tld)], [tld, listed.get(tld) ?? []]);
  }
});

Deno.test("UNLISTED_TLDS are those of Identity Digital that IANA does not list, RADIX_TLDS those of Radix", () => {
  assertEquals([...UNLISTED_TLDS], ["io", "me"]);
  const radix = BUILT_IN_TLDS.filter(({ rdapBase }) => rdapBase.includes("radix"));
  assertEquals(radix.filter(({ tld }) => !RADIX_TLDS.has(tld)), []);
  const others = "fun host press pw space uno website".split(" ");
  assertEquals([...RADIX_TLDS].toSorted(), [...radix.map(({ tld }) => tld), ...others].toSorted());
});

Deno.test("COVERAGES has the best witness first", () => {
  assertEquals(COVERAGES, ["rdap", "rdap_unlisted", "whois", "dns", "closed"]);
});
