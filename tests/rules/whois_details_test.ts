import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readWhoisDetails } from "../../src/rules/readers/whois_reply.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";

Deno.test("readWhoisDetails() reads registrar, dates, status words, name servers and DNSSEC of a record", () => {
  const record = [
    "Domain Name: held.example",
    "Registrar WHOIS Server: whois.shop.example",
    "Updated Date: 2025-02-03T04:05:06Z",
    "Creation Date: 2011-03-04T05:06:07Z",
    "Registry Expiry Date: 2031-03-04T05:06:07Z",
    "Registrar: Shop Ltd",
    "Domain Status: clientTransferProhibited https://icann.org/epp#clientTransferProhibited",
    "Domain Status: ok",
    "Registrant Name: Jane Doe",
    "Name Server: NS1.HOSTING.EXAMPLE 192.0.2.1",
    "Name Server: ns2.hosting.example.",
    "DNSSEC: unsigned",
  ];
  assertEquals(readWhoisDetails(record.join("\n")), {
    registrar: { name: "Shop Ltd" },
    createdAt: "2011-03-04T05:06:07.000Z",
    updatedAt: "2025-02-03T04:05:06.000Z",
    expiresAt: "2031-03-04T05:06:07.000Z",
    status: ["client transfer prohibited", "active"],
    nameServers: ["ns1.hosting.example", "ns2.hosting.example"],
    dnssec: false,
  });
  assertEquals(readWhoisDetails(""), { status: [], nameServers: [] });
});

Deno.test("readWhoisDetails() reads dates in the forms of registries, and none that may mean two days", () => {
  const forms: Record<string, string | undefined> = {
    "2031-03-04": "2031-03-04",
    "2031-03-04 05:06:07": "2031-03-04T05:06:07",
    "2031-03-04 05:06:07 UTC": "2031-03-04T05:06:07",
    "2031-03-04T05:06:07+02:00": "2031-03-04T03:06:07",
    "2031/03/04": "2031-03-04",
    "2031. 03. 04.": "2031-03-04",
    "2031.03.04 05:06:07": "2031-03-04",
    "20310304": "2031-03-04",
    "2031-Mar-04.": "2031-03-04",
    "04-Mar-2031": "2031-03-04",
    "4 March 2031": "2031-03-04",
    "Tue, 04 Mar 2031": "2031-03-04",
    "04.03.2031": "2031-03-04",
    "4.3.2031 05:06:07": "2031-03-04",
    "29-12-2031": "2031-12-29",
    "29/12/2031": "2031-12-29",
    "04/03/2031": undefined,
    "04-03-2031": undefined,
    "12/29/2031": undefined,
    "2031-02-30": undefined,
    "31.04.2031": undefined,
    "9999-12-31": undefined,
    "0001-01-01": undefined,
    "2031": undefined,
    "soon": undefined,
    "Jane Doe 2031-03-04": undefined,
  };
  for (const [text, day] of Object.entries(forms)) {
    const { expiresAt } = readWhoisDetails(`domain: held.example\nexpires: ${text}\n`);
    const time = day === undefined ? undefined : new Date(`${day}${day.includes("T") ? "Z" : ""}`);
    assertEquals(expiresAt, time?.toISOString(), text);
  }
});

Deno.test("readWhoisDetails() reads the dates of each registry's form, or none, and a registration that ends before it begins not at all", () => {
  let dated = 0;
  for (const [tld, { record }] of Object.entries(WHOIS_FORMS)) {
    const { createdAt, expiresAt } = readWhoisDetails(record(`held.${tld}`));
    if (createdAt !== undefined || expiresAt !== undefined) dated += 1;
  }
  assert(dated >= Object.keys(WHOIS_FORMS).length / 2, `${dated}`);
  const reversed = readWhoisDetails("created: 2031-03-04\nexpires: 2011-03-04");
  assertEquals(reversed, { status: [], nameServers: [] });
});

Deno.test("readWhoisDetails() passes on nothing of a person, in any field but the registrar's", () => {
  const keys = [
    ...["domain", "holder", "Registrant Name", "person", "descr", "admin-c", "e-mail", "phone"],
    ...["created", "expires", "changed", "nserver", "status", "DNSSEC", "address", "** Registrant"],
  ];
  const texts = [
    ...["Jane Doe", "jane.doe@mail.example", "+1.2025550123", "7 Elm Street, Springfield"],
    ...["active", "2031-03-04", "2011-03-04 Jane Doe", ""],
  ];
  const line = fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...texts));
  fc.assert(fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
    const text = lines.map(([key, value]) => `${key}: ${value}`).join("\n");
    const read = JSON.stringify(readWhoisDetails(text));
    assert(!/jane|doe|elm|springfield|2025550123|@/i.test(read), `${text}\n${read}`);
  }));
});
