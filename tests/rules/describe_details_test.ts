import { assertEquals } from "@std/assert";
import { ensDates } from "../../src/rules/ens.ts";
import { type DescribedDetails, describeDetails } from "../../src/rules/describe_details.ts";

/** Each group of facts, in the order of their lines. */
const FACTS: [details: DescribedDetails, line: string][] = [
  [{ registrar: { name: "Shop Ltd", ianaId: 42 } }, "registrar: Shop Ltd (IANA 42)"],
  [
    {
      createdAt: "2011-03-04T05:06:07Z",
      updatedAt: "2021-03-04T05:06:07Z",
      ...ensDates(Date.UTC(2031, 2, 4) / 1_000, 0),
      premiumBelow: [{ usd: 100, on: "2031-06-20" }],
    },
    "created 2011-03-04, updated 2021-03-04, expires 2031-03-04, grace ends 2031-06-02, premium below 100 USD from 2031-06-20, premium ends 2031-06-23",
  ],
  [{ status: ["active", "server hold"] }, "status: active, server hold"],
  [{ nameServers: ["a.example", "b.example"] }, "name servers: a.example, b.example"],
  [{ dnssec: true }, "DNSSEC: signed"],
  [{
    drop: { phase: "auto_renew", earliest: "2031-04-08", latest: "2031-05-24", rule: "estimate" },
  }, "could drop between 2031-04-08 and 2031-05-24 if not renewed (auto renew; estimate)"],
  [{ forSale: { price: "USD7", url: "https://a.example/" } }, "for sale USD7 https://a.example/"],
  [{ reason: "kept back" }, "reserved: kept back"],
  [{ error: "why" }, "error: why"],
];

const OTHERS: typeof FACTS = [
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
