import { assertEquals } from "@std/assert";
import { BUILT_IN_TLDS, WANTED_TLDS, wantedRank } from "../../src/rules/tables/tlds.ts";

Deno.test("wantedRank() counts the wanted TLDs from 0, and gives all others the last rank", () => {
  assertEquals(WANTED_TLDS.map(wantedRank), WANTED_TLDS.map((_, place) => place));
  assertEquals(["info", "no-such-tld"].map(wantedRank), [WANTED_TLDS.length, WANTED_TLDS.length]);
});

Deno.test("WANTED_TLDS are built-in TLDs, com first", () => {
  assertEquals(WANTED_TLDS[0], "com");
  const all = BUILT_IN_TLDS.map(({ tld }) => tld);
  assertEquals(WANTED_TLDS.filter((tld) => !all.includes(tld)), []);
});
