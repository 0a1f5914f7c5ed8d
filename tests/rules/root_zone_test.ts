import { assertEquals, assertMatch } from "@std/assert";
import { allSuffixes, BUILT_IN_ZONE, coverageOf, divideName } from "../../src/rules/coverage.ts";
import { readRootZone, refuseRootZone } from "../../src/rules/readers/iana.ts";
import { rootZoneList } from "../lab/iana_table.ts";

const NEWER = { day: "20261124", added: ["brandnew", "xn--e1aybc"], removed: ["apple", "museum"] };

function zoneOf(options: Parameters<typeof rootZoneList>[0]) {
  const zone = readRootZone(rootZoneList(options));
  if (zone === undefined) throw new Error("The list is not read");
  return zone;
}

Deno.test("readRootZone() reads IANA's list", () => {
  assertEquals(readRootZone(rootZoneList()), BUILT_IN_ZONE);
  assertEquals(readRootZone(rootZoneList().replaceAll("\n", "\r\n"))?.date, "2026-09-30");
});

for (
  const [what, text] of [
    ["nothing", ""],
    ["a page", "<!doctype html><title>Not found</title>"],
    ["a list without its version", rootZoneList().slice(rootZoneList().indexOf("\n") + 1)],
    ["a list with a word before its version", `Old ${rootZoneList()}`],
    ["a list with another line", `${rootZoneList()}CO.UK\n`],
    ["a list with a gap", rootZoneList().replace("\nPIZZA", "\n\nPIZZA")],
    ["a list that ends early", rootZoneList().slice(0, 5_000)],
  ] satisfies [string, string][]
) {
  Deno.test(`readRootZone() refuses ${what}`, () => {
    assertEquals(readRootZone(text), undefined);
  });
}

Deno.test("readRootZone() reads a list of 1,000 to 5,000 TLDs", () => {
  const [version] = rootZoneList().split("\n", 1);
  const isRead = (count: number) => {
    const tlds = Array.from({ length: count }, (_, place) => `XN--${place}`);
    return readRootZone([version, ...tlds].join("\n")) !== undefined;
  };
  assertEquals([999, 1_000, 5_000, 5_001].map(isRead), [false, true, true, false]);
});

Deno.test("refuseRootZone() takes a later list, and none that is older or has lost too much", () => {
  const reasonOf = (options: Parameters<typeof rootZoneList>[0], enabled = ["com", "museum"]) =>
    refuseRootZone(zoneOf(options), { inUse: BUILT_IN_ZONE, enabled });
  assertEquals(reasonOf({}), undefined);
  assertEquals(reasonOf({ ...NEWER, removed: ["apple"] }), undefined);
  assertEquals(reasonOf(NEWER), "the list has lost museum");
  assertEquals(
    reasonOf({ day: "20260101" }),
    "the list of 2026-01-01 is older than that of 2026-09-30",
  );
  const lost = (count: number) =>
    reasonOf({ removed: [...BUILT_IN_ZONE.tlds].slice(0, count) }, []);
  assertEquals([lost(50), lost(51)], [undefined, "the list has lost 51 TLDs"]);
});

Deno.test("divideName() and allSuffixes() know the TLDs of the root zone that they get", () => {
  const zone = zoneOf(NEWER);
  assertEquals(divideName("foo.brandnew", zone).kind, "registrable");
  assertEquals(divideName("foo.museum", zone), { kind: "unknown_tld", tld: "museum" });
  const all = allSuffixes(zone);
  assertEquals(all.filter((suffix) => /brandnew$|museum$|^apple$/.test(suffix)), ["brandnew"]);
});

Deno.test("coverageOf() is unsure of every label under a TLD that is newer than the tables", () => {
  const zone = zoneOf(NEWER);
  const { facts, unsure } = coverageOf("brandnew", { zone, ianaBase: "https://rdap.example/" }) ??
    {};
  assertEquals([facts?.coverage, facts?.checkedOn], ["rdap", "2026-11-24"]);
  assertEquals(unsure?.labels.test("any"), true);
  assertMatch(unsure?.why ?? "", /\.brandnew are sold: the TLD is new/);
  assertEquals(coverageOf("brandnew", { zone })?.facts.coverage, "dns");
  assertEquals(coverageOf("museum", { zone }), undefined);
});
