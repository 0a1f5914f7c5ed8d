import { assertEquals } from "@std/assert";
import { describeDetails } from "../../src/rules/describe_details.ts";

Deno.test("describeDetails() has a line for each group of facts that there are", () => {
  assertEquals(describeDetails({}), []);
  assertEquals(
    describeDetails({
      registrar: { name: "Shop Ltd", ianaId: 42 },
      createdAt: "2011-03-04T05:06:07.000Z",
      updatedAt: "2021-03-04T05:06:07.000Z",
      expiresAt: "2031-03-04T05:06:07.000Z",
      status: ["active", "server hold"],
      nameServers: ["ns1.a.example", "ns2.a.example"],
      dnssec: true,
      drop: { phase: "auto_renew", earliest: "2031-04-08", latest: "2031-05-24", rule: "estimate" },
      forSale: { price: "USD750", url: "https://a.example/" },
      reason: "kept back",
      error: "why",
    }),
    [
      "registrar: Shop Ltd (IANA 42)",
      "created 2011-03-04, updated 2021-03-04, expires 2031-03-04",
      "status: active, server hold",
      "name servers: ns1.a.example, ns2.a.example",
      "DNSSEC: signed",
      "could drop between 2031-04-08 and 2031-05-24 if not renewed (auto renew; estimate)",
      "for sale USD750 https://a.example/",
      "reserved: kept back",
      "error: why",
    ],
  );
  assertEquals(describeDetails({ registrar: { name: "Shop Ltd" }, dnssec: false, forSale: {} }), [
    "registrar: Shop Ltd",
    "DNSSEC: not signed",
    "for sale",
  ]);
  assertEquals(describeDetails({ registrar: { ianaId: 42 } }), ["registrar: (IANA 42)"]);
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
