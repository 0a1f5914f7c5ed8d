import { assertEquals } from "@std/assert";
import { BUILT_IN_TLDS, startWantedFirst, WANTED_TLDS } from "../../src/rules/tlds.ts";

Deno.test("startWantedFirst() starts the wanted TLDs first, then the others in their order, and keeps the places", () => {
  const started: string[] = [];
  const tasks = startWantedFirst(BUILT_IN_TLDS, ({ tld }) => (started.push(tld), tld));
  const all = BUILT_IN_TLDS.map(({ tld }) => tld);
  assertEquals(tasks, all);
  assertEquals(started, [...WANTED_TLDS, ...all.filter((tld) => !WANTED_TLDS.includes(tld))]);
  assertEquals(startWantedFirst([], () => 1), []);
});

Deno.test("WANTED_TLDS are built-in TLDs, com first", () => {
  assertEquals(WANTED_TLDS[0], "com");
  const all = BUILT_IN_TLDS.map(({ tld }) => tld);
  assertEquals(WANTED_TLDS.filter((tld) => !all.includes(tld)), []);
});
