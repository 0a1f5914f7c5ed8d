import { assert, assertEquals, assertMatch } from "@std/assert";
import { PARKING_NAME_SERVERS, parkingHouseOf } from "../../src/rules/readers/for_sale.ts";

Deno.test("parkingHouseOf() finds name servers of a row or below it, in any letter case", () => {
  for (const { domain, house } of PARKING_NAME_SERVERS) {
    assertEquals(parkingHouseOf([`ns1.${domain}`]), house);
    assertEquals(parkingHouseOf(["ns.example", `NS2.${domain.toUpperCase()}.`]), house);
    assertEquals(parkingHouseOf([domain]), house);
    assertEquals(parkingHouseOf([`ns1.not${domain}`, `${domain}.example`]), undefined);
  }
  assertEquals(parkingHouseOf(["ns1.sedoparking.com"]), "Sedo");
  assertEquals(parkingHouseOf([]), undefined);
  assertEquals(parkingHouseOf(["", "."]), undefined);
});

Deno.test("PARKING_NAME_SERVERS are in alphabetical order, each once and with a source", () => {
  const domains = PARKING_NAME_SERVERS.map(({ domain }) => domain);
  assertEquals(domains, [...new Set(domains)].toSorted());
  for (const { domain, house, source } of PARKING_NAME_SERVERS) {
    assertMatch(domain, /^[a-z0-9-]+\.[a-z]+$/);
    assert(house !== "");
    assertMatch(source, /20\d\d-\d\d$/);
  }
});
