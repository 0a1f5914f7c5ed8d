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

const UNKNOWN: Row = {
  ...ROW,
  result: {
    domain: "x.com",
    tld: "com",
    state: "unknown",
    available: false,
    status: ["unknown"],
    premium: false,
    source: "rdap",
    checkedAt: "2026-11-21T12:00:00.000Z",
    responseMs: 7,
    error: "WHOIS could not be asked",
  },
};

Deno.test("lineOf() shows what an unknown name most likely is by its own icon, word and colour", () => {
  const lineFor = (likely: "available" | "taken", colour = false) =>
    lineOf({ ...UNKNOWN, result: { ...UNKNOWN.result, likely } } as Row, { colour, width: 0 });
  assertEquals(lineFor("available"), "≈ Probably available  x.com  WHOIS could not be asked");
  assertEquals(lineFor("taken"), "≉ Probably taken  x.com  WHOIS could not be asked");
  assertEquals(lineFor("available", true).startsWith("\x1b[94m≈ Probably available\x1b[0m"), true);
  assertEquals(lineOf(UNKNOWN, { colour: false, width: 0 }).startsWith("? Unknown  "), true);
});
