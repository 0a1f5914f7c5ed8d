import { assertEquals } from "@std/assert";
import { ensDates } from "../../src/rules/ens.ts";
import { detailRows, type Details } from "../../static/detail_rows.js";

const WINDOW = { earliest: "2031-04-08", latest: "2031-05-24" };
const DROP = { phase: "auto_renew", ...WINDOW, rule: "estimate" };

Deno.test("detailRows() has a row for each fact that there is", () => {
  const details: Details = {
    registrar: { name: "Shop Ltd", ianaId: 42 },
    createdAt: "2011-03-04T05:06:07Z",
    updatedAt: "2021-03-04T05:06:07Z",
    ...ensDates(Date.UTC(2031, 2, 4) / 1_000, 0),
    premiumBelow: [{ usd: 100, on: "2031-06-20" }, { usd: 10, on: "2031-06-22" }],
    drop: DROP,
    forSale: { price: "USD7", url: "https://a.example/" },
    status: ["active", "server hold"],
    nameServers: ["a.example", "b.example"],
    dnssec: true,
    reason: "kept back",
    error: "why",
  };
  assertEquals(detailRows(details).map((row) => row.join(": ")), [
    "Registrar: Shop Ltd, number 42 at IANA",
    "Registered: 4 Mar 2011",
    "Updated: 4 Mar 2021",
    "Expires: 4 Mar 2031",
    "Can be renewed until: 2 Jun 2031",
    "Premium: if it is not renewed, below 100 USD from 20 Jun 2031, below 10 USD from 22 Jun 2031",
    "Premium until: 23 Jun 2031",
    "Could be free: expired, the registrar can still renew it; if it is not renewed, 8 Apr – 24 May 2031 (estimate)",
    "For sale: USD7, https://a.example/",
    "Status: active, server hold",
    "Name servers: a.example, b.example",
    "DNSSEC: signed",
    "Reserved: kept back",
    "Not known: why",
  ]);
  const others: Details[] = [
    { registrar: { ianaId: 42 } },
    { dnssec: false },
    { forSale: {} },
    { drop: { ...DROP, phase: "constructor", latest: DROP.earliest } },
    { createdAt: "no date", status: [] },
  ];
  assertEquals(others.flatMap(detailRows), [
    ["Registrar", "number 42 at IANA"],
    ["DNSSEC", "not signed"],
    ["For sale", "its holder offers it"],
    ["Could be free", "8 Apr 2031 (estimate)"],
  ]);
});
