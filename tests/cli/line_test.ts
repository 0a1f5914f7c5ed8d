import { assertEquals } from "@std/assert";
import { lineOf } from "../../src/cli/line.ts";
import type { Row } from "../../src/cli/row.ts";

const ROW: Row = {
  kind: "domain",
  domain: "x.com",
  result: {
    domain: "x.com",
    tld: "com",
    state: "available",
    available: true,
    status: ["undelegated", "inactive"],
    premium: false,
    source: "rdap",
    checkedAt: "2026-11-21T12:00:00.000Z",
    responseMs: 7,
    offer: { registrar: "Shop\u001b[2J", price: 28.12, renewal: 51.8, premium: false, years: 2 },
  },
};

Deno.test("lineOf() shows a registrar's price, without control characters", () => {
  assertEquals(
    lineOf(ROW, { colour: false, width: 0 }),
    "✓ Available  x.com  not in the registry · $28.12 for 2 years at Shop�[2J, then $51.80 a year · 7 ms",
  );
});
