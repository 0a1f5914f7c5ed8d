import { assertEquals } from "@std/assert";
import { readDetails } from "../../src/rules/readers/registry_details.ts";

/** An entity with everything that a jCard may say of a person. */
function contact(roles: readonly string[], name: string, more: readonly unknown[] = []) {
  return {
    objectClassName: "entity",
    handle: "HANDLE-JDOE",
    roles,
    vcardArray: ["vcard", [
      ["version", {}, "text", "4.0"],
      ["fn", {}, "text", name],
      ["adr", {}, "text", ["", "", "7 Elm Street", "Springfield", "", "12345", "US"]],
      ["tel", { type: "voice" }, "uri", "tel:+1.2025550123"],
      ["email", {}, "text", "jane.doe@mail.example"],
      ...more,
    ]],
  };
}

const RECORD = {
  objectClassName: "domain",
  ldhName: "NAME.COM",
  handle: "JANE-DOE-1",
  status: ["clientTransferProhibited", "client transfer prohibited", "ok", "Jane Doe's", 7],
  events: [
    { eventAction: "registration", eventActor: "Jane Doe", eventDate: "1995-08-14T04:00:00Z" },
    { eventAction: "expiration", eventDate: "Jane Doe" },
    { eventAction: "expiration", eventDate: "2024-06-18T22:01:39+03:00" },
    { eventAction: "last changed", eventDate: "294247-01-10T04:00:54.775Z" },
  ],
  secureDNS: { delegationSigned: true },
  nameservers: [
    { ldhName: "NS1.HOSTING.EXAMPLE." },
    { ldhName: "ns1.hosting.example", entities: [contact(["technical"], "Jane Doe")] },
    { ldhName: "jane.doe@mail.example" },
    null,
  ],
  entities: [
    contact(["registrant"], "Jane Doe"),
    contact(["registrar", "registrant"], "Jane Doe"),
    {
      ...contact(["registrar", "sponsor"], "Shop\u202e Ltd", [["kind", {}, "text", "org"]]),
      publicIds: [{ type: "IANA Registrar ID", identifier: "376" }],
      entities: [contact(["abuse"], "Jane Doe")],
    },
  ],
  remarks: [{ title: "Jane Doe", description: ["7 Elm Street"] }],
};

Deno.test("readDetails() reads registrar, dates, status words, name servers and DNSSEC, and nothing else", () => {
  assertEquals(readDetails(RECORD), {
    registrar: { name: "Shop Ltd", ianaId: 376 },
    createdAt: "1995-08-14T04:00:00.000Z",
    expiresAt: "2024-06-18T19:01:39.000Z",
    status: ["client transfer prohibited", "active"],
    nameServers: ["ns1.hosting.example"],
    dnssec: true,
  });
  assertEquals(readDetails({}), { status: [], nameServers: [] });
  const events = ["2026-02-31T99:99:99Z", "2026-02-03"]
    .map((eventDate) => ({ eventAction: "last changed", eventDate }));
  assertEquals(readDetails({ events }).updatedAt, "2026-02-03T00:00:00.000Z");
});

/** The registrar of a record with one entity of this name. */
function registrarOf(name: unknown, publicIds: unknown = [], more: readonly unknown[] = []) {
  const entity = contact(["registrar"], name as string, more);
  return readDetails({ entities: [{ ...entity, publicIds }] }).registrar;
}

Deno.test("readDetails() takes no registrar that may be a person, an address or a telephone number, none of over 100 characters, and no number but that at IANA", () => {
  const contacts = ["jane.doe@mail.example", "Call +1 (202) 555-0123", "https://a.example"];
  for (const name of [...contacts, "", 7, "1 2 3 4 5 6", "2025550123", "x".repeat(101)]) {
    assertEquals(registrarOf(name), undefined, `${name}`);
  }
  assertEquals(registrarOf("Jane Doe", [], [["kind", {}, "text", "individual"]]), undefined);
  const names = ["1und1 Ltd", "Domains 24 by 7", "1 2 3 4 5", "Shop 12345", "x".repeat(100)];
  for (const name of names) assertEquals(registrarOf(name), { name });
  const id = (type: string, identifier: unknown) => ({ type, identifier });
  const ids = [id("Tax number", "12"), id("IANA Registrar ID", 146)];
  assertEquals(registrarOf("Shop", ids), { name: "Shop", ianaId: 146 });
  for (const identifier of ["a146", "146a", "1234567", undefined, { identifier: "146" }]) {
    assertEquals(registrarOf("Shop", [id("IANA Registrar ID", identifier)]), { name: "Shop" });
  }
});

Deno.test("readDetails() reads what registries write in other words than RFC 9083", () => {
  const day = "2027-07-03T00:00:00.000Z";
  const dated = (eventAction: string) =>
    readDetails({ events: [{ eventAction, eventDate: "2027-07-03" }] });
  const words = {
    expiresAt: ["expiration", "Record expires", "Expiry date", "EXPIRES", "expired"],
    createdAt: ["Registration", "created", "Creation Date", "domain registration"],
    updatedAt: ["Last Changed", "last update", "updated", "Last modified"],
  };
  const nothing = { status: [], nameServers: [] };
  for (const [fact, actions] of Object.entries(words)) {
    for (const one of actions) assertEquals(dated(one), { ...nothing, [fact]: day }, one);
  }
  for (const one of ["last update of RDAP database", "registrar expiration", "transfer", ""]) {
    assertEquals(dated(one), nothing, one);
  }
  const dnssec = (secureDNS: unknown) => readDetails({ secureDNS }).dnssec;
  const key = { algorithm: 13, flags: 257, protocol: 3, publicKey: "AQ==" };
  for (const data of [{ keyData: [key] }, { dsData: [{}] }]) assertEquals(dnssec(data), true);
  for (const data of [{ keyData: [] }, {}, { delegationSigned: "false" }]) {
    assertEquals(dnssec(data), undefined);
  }
  assertEquals(dnssec({ delegationSigned: false, dsData: [{}] }), false);
});

Deno.test("readDetails() names a registrar without a card by its number, and by the organisation below it", () => {
  const publicIds = [{ type: "IANA Registrar ID", identifier: "9999" }];
  const abuse = contact(["abuse"], "Jane Doe");
  const organisation = contact(["abuse"], "Shop Ltd", [["kind", {}, "text", "org"]]);
  const of = (entities: unknown[]) =>
    readDetails({ entities: [{ roles: ["registrar"], publicIds, entities }] }).registrar;
  assertEquals(of([]), { ianaId: 9999 });
  const odd = [{ roles: [{}, "registrar"], publicIds }];
  assertEquals(readDetails({ entities: odd }).registrar, undefined);
  assertEquals(of([abuse]), { ianaId: 9999 });
  assertEquals(of([abuse, organisation]), { name: "Shop Ltd", ianaId: 9999 });
});

Deno.test("readDetails() reads dates of these forms only, and neither of a registration that would end before it begins", () => {
  const updatedAt = (eventDate: unknown) =>
    readDetails({ events: [{ eventAction: "last changed", eventDate }] }).updatedAt;
  const times = ["T00:00Z", "T00:00:00.0Z", "T00:00:00.000000000Z", "t00:00:00z"];
  times.push("T01:00:00+01:00", "T01:00:00+0100");
  for (const time of times) {
    assertEquals(updatedAt(`2026-02-03${time}`), "2026-02-03T00:00:00.000Z", time);
  }
  const others = ["on 2026-02-03", "2026-02-03 or so", "2026-02-03 00:00:00", "2026-02-03T00"];
  others.push("2026-02-03T00:00:00.xZ", "Tue, 03 Feb 2026 00:00:00 GMT");
  // No day of the calendar, and years that registries write for "never" and for no date.
  others.push("2030-02-30T10:00:00Z", "2026-13-01", "2026-00-10", "9999-12-31T23:59:59Z");
  for (const date of [...others, "0001-01-01T00:00:00Z", ["2026-02-03"]]) {
    assertEquals(updatedAt(date), undefined, `${date}`);
  }
  const datesOf = (registration: string, expiration: string) => {
    const dates = Object.entries({ registration, expiration });
    const events = dates.map(([eventAction, eventDate]) => ({ eventAction, eventDate }));
    const { createdAt, expiresAt } = readDetails({ events });
    return [createdAt, expiresAt];
  };
  assertEquals(datesOf("2027-01-01", "2026-01-01"), [undefined, undefined]);
  assertEquals(datesOf("2026-01-01", "2026-01-01"), Array(2).fill("2026-01-01T00:00:00.000Z"));
});

Deno.test("readDetails() and readRetryAfterMs() read a time without a zone as UTC, in any local time zone", async () => {
  const readers = new URL("../../src/rules/readers/", import.meta.url);
  const code = `
    import { readRetryAfterMs } from "${readers}http_message.ts";
    import { readDetails } from "${readers}registry_details.ts";
    const createdAt = (eventDate) =>
      readDetails({ events: [{ eventAction: "registration", eventDate }] }).createdAt;
    const waitMs = (date) => readRetryAfterMs(date, Date.UTC(2026, 10, 21, 12));
    console.log(JSON.stringify([
      ...["2026-02-03T01:00", "2026-02-03t01:00:00.0"].map(createdAt),
      ...["Sat Nov 21 12:00:30 2026", "Sat, 21 Nov 2026 12:00:30 GMT"].map(waitMs),
    ]));`;
  const time = "2026-02-03T01:00:00.000Z";
  // The zone is one of the process, which other tests run in, too.
  for (const TZ of ["UTC", "Asia/Tokyo", "America/New_York"]) {
    const options = { args: ["eval", code], env: { TZ } };
    const { stdout } = await new Deno.Command(Deno.execPath(), options).output();
    assertEquals(JSON.parse(new TextDecoder().decode(stdout)), [time, time, 30_000, 30_000], TZ);
  }
});

Deno.test("readDetails() bounds names and lists, and leaves out what is of another type", () => {
  const nameServers = (...names: unknown[]) =>
    readDetails({ nameservers: names.map((ldhName) => ({ ldhName })) }).nameServers;
  assertEquals(nameServers("a.b.example", "a.b.example.", 7, undefined), ["a.b.example"]);
  const label = (length: number) => "a".repeat(length);
  const longest = `${label(63)}.${label(63)}.${label(63)}.${label(62)}`;
  assertEquals([longest.length, nameServers(longest)], [254, [longest]]);
  assertEquals(nameServers(`${label(63)}.${label(63)}.${label(63)}.${label(63)}`), []);
  const many = Array.from({ length: 20 }, (_, at) => `ns${at}.host.example`);
  assertEquals(nameServers(...many).length, 13);
  const late = Array.from({ length: 101 }, (_, at) => at < 100 ? 7 : "ns.host.example");
  assertEquals(nameServers(...late), []);
  assertEquals(readDetails({ status: "active", nameservers: {} }).status, []);
  assertEquals(readDetails({ status: [`active${" ".repeat(44)}`] }).status, ["active"]);
  assertEquals(readDetails({ status: [`active${" ".repeat(45)}`] }).status, []);
});
