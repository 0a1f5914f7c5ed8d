import { assertEquals } from "@std/assert";
import { type DescribedDetails, describeDetails } from "../../src/rules/describe_details.ts";

/** Each group of facts, in the order of their lines. */
const FACTS: [details: DescribedDetails, line: string][] = [
  [{ registrar: { name: "Shop Ltd", ianaId: 42 } }, "registrar: Shop Ltd (IANA 42)"],
  [{
    createdAt: "2011-03-04T05:06:07Z",
    updatedAt: "2021-03-04T05:06:07Z",
    expiresAt: "2031-03-04T05:06:07Z",
  }, "created 2011-03-04, updated 2021-03-04, expires 2031-03-04"],
  [{ status: ["active", "server hold"] }, "status: active, server hold"],
  [
    { nameServers: ["ns1.a.example", "ns2.a.example"] },
    "name servers: ns1.a.example, ns2.a.example",
  ],
  [{ dnssec: true }, "DNSSEC: signed"],
  [{
    drop: { phase: "auto_renew", earliest: "2031-04-08", latest: "2031-05-24", rule: "estimate" },
  }, "could drop between 2031-04-08 and 2031-05-24 if not renewed (auto renew; estimate)"],
  [
    { forSale: { price: "USD750", url: "https://a.example/" } },
    "for sale USD750 https://a.example/",
  ],
  [{ reason: "kept back" }, "reserved: kept back"],
  [{ error: "why" }, "error: why"],
];

const OTHERS: typeof FACTS = [
  [{ registrar: { name: "Shop Ltd" } }, "registrar: Shop Ltd"],
  [{ registrar: { ianaId: 42 } }, "registrar: (IANA 42)"],
  [{ dnssec: false }, "DNSSEC: not signed"],
  [{ forSale: {} }, "for sale"],
];

Deno.test("describeDetails() has a line for each group of facts that there are", () => {
  assertEquals(describeDetails({}), []);
  for (const [details, line] of [...FACTS, ...OTHERS]) {
    assertEquals(describeDetails(details), [line]);
  }
  const all = Object.assign({}, ...FACTS.map(([details]) => details));
  assertEquals(describeDetails(all), FACTS.map(([, line]) => line));
});

Deno.test("describeDetails() has the days on which the premium of a .eth name falls", () => {
  const lines = describeDetails({
    expiresAt: "2026-11-01T00:00:00Z",
    graceEndsAt: "2027-01-30T00:00:00Z",
    premiumBelow: [{ usd: 100, on: "2027-02-19" }],
    premiumEndsAt: "2027-02-20T00:00:00Z",
  });
  const days = ["expires 2026-11-01", "grace ends 2027-01-30"];
  days.push("premium below 100 USD from 2027-02-19", "premium ends 2027-02-20");
  assertEquals(lines, [days.join(", ")]);
});
