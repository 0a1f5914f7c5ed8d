import { assertEquals } from "@std/assert";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { ianaTable } from "./iana_table.ts";
import { REGISTRIES } from "./registries.ts";

const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld);

Deno.test("ianaTable() lists every built-in TLD but io and me", () => {
  const bases = basesOf(ianaTable(REGISTRIES));
  assertEquals(TLDS.filter((tld) => !bases.has(tld)), ["io", "me"]);
  assertEquals(bases.get("com"), "http://rdap.verisign.com/com/v1/");
  assertEquals(bases.get("biz"), "http://rdap.nic.biz/");
});

Deno.test("ianaTable() lists a TLD once, and one base for each service", () => {
  const { services } = ianaTable(REGISTRIES);
  const tlds = services.flatMap(([tlds]) => tlds);
  assertEquals(tlds.length, new Set(tlds).size);
  assertEquals(services.filter(([, urls]) => urls.length !== 1), []);
});

Deno.test("ianaTable() can omit, move or add a TLD", () => {
  const moved = { org: "http://rdap.new.lab/", io: "http://rdap.identitydigital.services/rdap/" };
  const bases = basesOf(ianaTable(REGISTRIES, { lacking: ["com"], moved }));
  assertEquals([bases.get("com"), bases.get("org"), bases.get("io")], [
    undefined,
    moved.org,
    moved.io,
  ]);
});

function basesOf({ services }: ReturnType<typeof ianaTable>): Map<string, string | undefined> {
  return new Map(services.flatMap(([tlds, [base]]) => tlds.map((tld) => [tld, base] as const)));
}
