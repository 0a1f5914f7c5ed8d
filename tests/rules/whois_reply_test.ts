import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { coverageOf } from "../../src/rules/coverage.ts";
import {
  readAvailabilityReply,
  readRandomReply,
  readWhoisDetails,
  readWhoisReply,
} from "../../src/rules/readers/whois_reply.ts";
import type { AskedName } from "../../src/rules/readers/statements.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";

const askedOf = (label: string, tld = "io"): AskedName => ({ label, domain: `${label}.${tld}` });
const ZEBRA = askedOf("zebra77");
const MADE_UP = askedOf("qmzkvhbfyxwltoprcjnsgdaeuiqmzk");
const USUAL = templateOf("Domain not found.");

function templateOf(text: string, asked = MADE_UP) {
  const reply = readRandomReply(text, asked);
  assert(reply.kind === "denial", `${text}: ${JSON.stringify(reply)}`);
  return reply.template;
}

/** What a text about zebra77.io says beside the usual denial. */
function read(text: string, { asked = ZEBRA, usual = USUAL } = {}) {
  return readWhoisReply(text, { asked, askedAt: 7, templates: [usual] });
}

/** The kind of a reading, and of a doubtful one what it would be, and of what kind the refusal. */
function kindsOf(reading: ReturnType<typeof readWhoisReply>): string {
  return reading.kind === "doubtful" ? `${reading.fault} or ${reading.reading.kind}` : reading.kind;
}

/** A record with these lines in place of its first. */
function record(...lines: string[]): string {
  return [...lines, "Registrar: Lab Registrar Ltd", "Creation Date: 2011-03-04", ""].join("\n");
}

for (const [tld, form] of Object.entries(WHOIS_FORMS)) {
  const asked = askedOf(ZEBRA.label, tld);
  const madeUp = askedOf(MADE_UP.label, tld);
  const usual = templateOf(form.denial(madeUp.domain), madeUp);

  Deno.test(`readWhoisReply() reads records and denials of ${tld}`, () => {
    const recorded = read(form.record(asked.domain), { asked, usual });
    assertEquals(recorded, { kind: "registered", askedAt: 7 });
    // A record needs no template, as in a test.
    const question = { asked, askedAt: 7, templates: [] };
    assertEquals(readWhoisReply(form.record(asked.domain), question).kind, "registered");
    const denied = read(form.denial(asked.domain), { asked, usual });
    assertEquals(denied, { kind: "notFound", askedAt: 7 });
    const other = read(form.record(`not-${asked.domain}`), { asked, usual });
    assertEquals(other, { kind: "unread", askedAt: 7, words: "a record of another name" });
    assertEquals(readRandomReply(form.record(madeUp.domain), madeUp), { kind: "record" });
    // Phrases before the legal text.
    const legal = form.denial(asked.domain).split(/\r?\n\r?\n/).slice(1).join("\n\n");
    const readBefore = (line: string) => read(`${line}\n\n${legal}`, { asked, usual });
    const words = "This name is not available for registration.";
    assertEquals(readBefore(words), { kind: "reserved", askedAt: 7, words });
    assertEquals(readBefore("This premium domain is available for purchase.").kind, "premium");
    assertEquals(kindsOf(readBefore("Try again in an hour.")), "unclear or unread");
  });
}

// deno-fmt-ignore -- one row a line
const RECORDS: [string, string][] = [
  ["in upper case and indented", record("   DOMAIN NAME: ZEBRA77.IO\r")],
  ["with a trailing dot", record("domain: zebra77.io.")],
  ["in one word with its label", record("DomainName: zebra77.io")],
  ["after a space and a colon", record("Domain Name : zebra77.io")],
  ["beside another in a sentence", record("Domain Name: zebra77.io", "Sponsoring domain: b.io")],
  ["with indented fields", "Domain Name: zebra77.io\n  Registrar: Lab\n\tCreation Date: 2011"],
  ["with fields without spaces", "Domain Name:zebra77.io\nRegistrar:Lab\nUpdated Date :2011"],
  ["in the next line", record("Domain:\n    zebra77.io")],
  ["in brackets", record("a [Domain Name]   ZEBRA77.IO")],
  ["with signs of comments in values", "Domain: zebra77.io\nRegistrar: #1 Lab\nCreated: > 2011"],
  ["under a key with a remark", record("Domain Name (ASCII): zebra77.io")],
  ["after a letter", record("a. Domain Name: zebra77.io")],
  ["after its handle", record("Domain:   (Handle zebra77)", "Domain Name: zebra77.io")],
  ["after a time", record("12:30", "Domain Name: zebra77.io")],
  ["twice", record("Domain Name: zebra77.io", "Domain Name: Zebra77.io")],
  ["with legal words", record("Domain Name: zebra77.io", "", "Reserved and blocked names: limits.")],
];

Deno.test("readWhoisReply() reads a record of an IDN by its A-label or its letters, and in any text that has its lines", () => {
  const [label, domain] = ["xn--bcher-kva", "xn--bcher-kva.com"];
  const asked = { label, domain, unicodeDomain: "bücher.com" };
  for (const name of ["XN--BCHER-KVA.COM", "BÜCHER.COM", "bu\u0308cher.com"]) {
    assertEquals(read(record(`Domain Name: ${name}`), { asked }).kind, "registered");
  }
  assertEquals(read(record("Domain Name: b�cher.com"), { asked }).kind, "unread");
  const other = fc.stringMatching(/^[a-z ]{0,20}$/);
  fc.assert(fc.property(fc.array(other), fc.array(other), (before, after) => {
    const text = [...before, record("Domain Name: zebra77.io"), ...after].join("\n");
    assertEquals(read(text).kind, "registered");
  }));
});

/** Texts that are neither a record nor the usual denial, and how they are understood. */
// deno-fmt-ignore -- one row a line
const UNREAD: [string, string, string][] = [
  ["the name alone", "zebra77.io\r\n", "unread"],
  ["an echo of the name", "Domain Name: zebra77.io", "unread"],
  ["an echo with empty fields", "Domain Name: zebra77.io\nRegistrar:\nCreation Date:", "unread"],
  ["an echo with one field", "Domain Name: zebra77.io\nRegistrar: none", "unread"],
  ["an echo with a field twice", "Domain Name: zebra77.io\nRegistrar: a\nREGISTRAR: b", "unread"],
  ["an echo in sentences", "Domain: zebra77.io\nNo registrar: a\nNo creation date: b", "unread"],
  ["an echo in brackets", "Domain Name [zebra77.io]\n[Registrar] Lab", "unread"],
  ["an echo over an empty key", "Domain: zebra77.io\nRegistrar:\nRegistrant:\nnone", "unread"],
  ["a record without its name", record("zebra77.io"), "unread"],
  ["a record with two names", record("Domain Name: zebra77.io", "Domain Name: b.io"), "unread"],
  ["a record with a longer name", record("Domain Name: zebra77.io.example"), "unread"],
  ["a record with the key within a line", record("see [Domain Name] zebra77.io"), "unread"],
  ["a record with the name in a comment", record("  # Domain Name: zebra77.io"), "unread"],
  ["a page with a title", "\n  <!DOCTYPE html>\nDomain not found.", "unread"],
  ["a text too long for a denial", `Domain not found.\n${"x ".repeat(4_096)}`, "unread"],
  ["nothing", "\r\n \r\n", "unread"],
  ["another language", "Domain ist gesperrt.", "unread"],
  ["a TLD that is not served", "Tld not supported by this registry interface", "unread"],
  ["a refusal without what is refused", "Blocked.", "unread"],
  ["the usual denial and further words", "Domain not found.\nBut wait.", "unread"],
  ["the usual denial twice", "Domain not found.\n\nDomain not found.", "unread"],
  ["a status", "Status: withheld for the government", "unread"],
  ["a limit", "Domain not found.\nQuery limit exceeded", "limited or unread"],
  ["a limit in an indented comment", "Domain not found.\n  % Query limit: 30 a day", "unread"],
  ["a limit in percent", "Domain not found.\nThe WHOIS query limit is 100% used", "limited or unread"],
  ["a limit below the usual denial", "Domain not found.\n\nThe query quota is used", "limited or unread"],
  ["a limit beside a refusal", "This name is blocked\nYour quota is used", "limited or reserved"],
  ["a list of the registry", "This domain name is on the registry's blacklist and cannot be registered", "limited or reserved"],
  ["an unavailable service", "The registry service is currently unavailable", "unclear or reserved"],
];

Deno.test("readWhoisReply() reads a record with the name in any of these forms and a denial of at most 8,192 characters, and is unread or doubtful for any other text", () => {
  for (const [what, text, kinds] of UNREAD) assertEquals(kindsOf(read(text)), kinds, what);
  for (const [how, text] of RECORDS) {
    assertEquals(read(text), { kind: "registered", askedAt: 7 }, how);
  }
  const kinds = [8_192, 8_193].map((length) => read("Domain not found.".padEnd(length, " ")).kind);
  assertEquals(kinds, ["notFound", "unread"]);
  const lines = [95, 96].map((count) => read(`Domain not found.${"\n".repeat(count)}`).kind);
  assertEquals(lines, ["notFound", "unread"]);
});

Deno.test("readWhoisReply() quotes what differs from the text for a random name, a sentence that no rule reads, and nothing that may hold a person's data in whatever form", () => {
  const terms = "% Terms of use: see the website.";
  const usual = templateOf(`Domain not found.\n\n${terms}`);
  const wordsOf = (text: string) => {
    const reading = read(text, { usual });
    return reading.kind === "unread" && reading.words;
  };
  assertEquals(wordsOf(`Gesperrt.\n\n${terms}`), "Gesperrt.");
  assertEquals(wordsOf("Domain not found."), `lacks: description: ${terms}`);
  const texts = [
    "Admin-name\t\tJane Doe",
    "Name: Jane Doe",
    "Kontakt Jane Doe\rTelefon 0907 555 883",
    "Jane Doe\u2028Elm Street 7\u2028Springfield\u2028Oregon",
    "owner=Jane Doe",
    "<owner>Jane Doe</owner>",
    "\u0432\u043b\u0430\u0434\u0435\u043b\u0435\u0446: Jane Doe",
    "owner\uff1aJane Doe",
    "% Jane Doe\n% jane@mail.example",
    "Jane Doe\nElm Street 7\nSpringfield\nOregon",
  ];
  for (const text of texts) {
    const reading = read(text);
    assertEquals(reading.kind, "unread", text);
    assert(!JSON.stringify(reading).includes("Jane"), JSON.stringify(reading));
  }
  const words = "Dieser Name ist gesperrt";
  assertEquals(read(words), { kind: "unread", askedAt: 7, words });
});

const KEPT_BACK = [
  "Domain Name: zebra77.io\nThis name is not available for registration:\nRegistry Reserved",
  "zebra77.io blocked by BSA",
  "Domain Name: zebra77.io\n\n>>> This name is not available for registration:\n>>> Reserved by us.",
  "This domain is currently available for application via the PIR Dropzone service.",
  "This name is reserved by the Registry in accordance with ICANN Policy.",
  "The registration of this domain is restricted, as it is protected by the DPML Brand Protection policy",
  "Reserved Domain Name",
  "This name subscribes to the Uni EPS+ product",
];

/** What a refusal names. */
// deno-fmt-ignore -- a list
const REFUSED_THINGS = [
  "name", "names", "domain", "domains", "registration", "globalblock", "global block", "auction", "adultblock",
  "adult block", "bsa", "dpml", "dropzone", "drop zone",
];

Deno.test("readWhoisReply() reads the words of registries that keep a name back, and a refusal that names what is refused, as reserved", () => {
  for (const text of [...KEPT_BACK, ...REFUSED_THINGS.map((thing) => `Blocked: ${thing}`)]) {
    assertEquals(read(text).kind, "reserved", text);
    // The usual denial beside it changes nothing.
    assertEquals(read(`${text}\n\nDomain not found.`).kind, "reserved", text);
  }
});

// deno-fmt-ignore -- a list
const OF_THE_CLIENT = [
  "exceeded", "quota", "throttled", "too many", "blacklist", "black list", "connection limit",
  "query limits", "rate limit", "your ip", "your address", "your access", "your connection",
];
// deno-fmt-ignore -- a list
const OF_THE_SERVER = [
  "an ip", "the address", "connection", "connections", "query", "queries", "request", "requests",
  "limit", "limits", "limited", "try again", "temporarily", "access", "maintenance", "overloaded",
  "busy", "server", "database unavailable", "service is not available", "system unavailable",
  "whois is currently not available",
];

Deno.test("readWhoisReply() is doubtful for a refusal with words about the client or the server", () => {
  const kindsFor = (words: string) => kindsOf(read(`This domain name is blocked: ${words}`));
  for (const words of OF_THE_CLIENT) assertEquals(kindsFor(words), "limited or reserved", words);
  for (const words of OF_THE_SERVER) assertEquals(kindsFor(words), "unclear or reserved", words);
});

Deno.test("readWhoisReply() lets the time of the answer differ from that for a random name", () => {
  const at = (time: string) => `Domain not found.\n>>> Last update of WHOIS database: ${time} <<<`;
  const time = "2026-09-30T14:49:51Z";
  const templates = [templateOf(at(time), { ...MADE_UP, askedAt: Date.parse(time) })];
  const kinds = ["2026-10-01T14:49:51Z", "2026-10-02T14:49:51Z"].map((time) =>
    readWhoisReply(at(time), { asked: ZEBRA, askedAt: Date.UTC(2026, 9, 1, 14, 50), templates })
      .kind
  );
  assertEquals(kinds, ["notFound", "unread"]);
});

Deno.test("readWhoisReply() reads the words of a premium price, unless others say more", () => {
  const platinum = "This platinum domain is available for purchase.";
  assertEquals(read(platinum), { kind: "premium", askedAt: 7 });
  const early = "This domain is currently available for registration in the Expiry Access Period";
  assertEquals(read(early).kind, "reserved");
  assertEquals(read(`${platinum}\nRegistry Reserved`).kind, "reserved");
  assertEquals(read(`${platinum}\nUnread words`).kind, "unread");
});

Deno.test("readRandomReply() is unfit for a text that speaks against the name or the query, or is none", () => {
  const faultOf = (text: string) => {
    const reply = readRandomReply(text, MADE_UP);
    return `${reply.kind} ${"why" in reply ? reply.why : ""}`;
  };
  const unfit: [string, RegExp][] = [
    ["", /^against .* no denial/],
    ["\r\n\r\n", /^against .* no denial/],
    ["<html>Domain not found.", /^against .* no denial/],
    ["Welcome.\n  <html>\nDomain not found.", /^against .* no denial/],
    ["Domain not found.\n".repeat(1_000), /^against .* no denial/],
    // Its template is too long for KV.
    [`Domain not found${"\u0001".repeat(5_000)}`, /^against/],
    [record(`Domain Name: ${MADE_UP.domain}`), /^record/],
    ["This name is not available for registration.", /^against reports a made-up/],
    ["Tld not supported by this registry interface", /^against reports a made-up/],
    ["% This name is reserved.", /^against reports a made-up/],
    ["Domain Name: a\n\n>>> This name is reserved by us.", /^against reports a made-up/],
    ["Domain Information:\n[Domain Name] A\n\n[Status] Reserved", /^against reports a made-up/],
    ["Query limit exceeded: no match", /^failed it refused/],
    ["Internal server error", /^failed it failed/],
    ["Request timed-out: unable to connect to the back end", /^failed it failed/],
  ];
  for (const [text, expected] of unfit) assertMatch(`${faultOf(text)}`, expected, text);
});

const GENERAL_DENIALS = [
  "NO MATCH",
  MADE_UP.domain,
  `Domain Name: ${MADE_UP.domain}\nNo match`,
  "Registrar: a\nCreation Date: b",
  "The name is available for registration",
  "NO MATCH in <title>",
  "NO MATCH\n% Terms of use: names may be reserved. Queries are limited.",
  "% Terms of use: access is restricted.\n\nNO MATCH",
  "NO MATCH\n\n  Terms of use: names may be reserved.",
  "NO MATCH\n\nAll rights\nreserved.",
  "NO MATCH\n\n* we may restrict your access\n* exceeding our query limits is prohibited",
  "Welcome to the registry\n\nOther use is prohibited.\n\nNO MATCH",
  "[ The database is restricted to lawful use. ]\n\nNO MATCH",
  "WHOIS server of the registry\n\nNO MATCH",
  "Error: not found in the database",
];

/** Refusals of a query in the shapes of real servers, of which many put a denial or terms beside them. */
const REFUSALS = [
  "WHOIS LIMIT EXCEEDED - SEE WWW.REGISTRY.EXAMPLE FOR DETAILS",
  "whois.registry.example: only 1 request per second allowed, try again later",
  "whois.registry.example: Server too busy",
  "Error: too many requests - limit reached",
  "%% This is the server.\n%%\n%% Too many requests...\n%%\n\n%% No entries found.",
  "% Error: 55 Connection refused; access control limit reached.",
  "% Terms: the data must not be copied.\n%\n% Maximum queries per hour reached (100)",
  "% Terms: the data must not be copied.\n%\n-1: Still in grace period, wait 77 seconds",
  'Error for "a.example".\n\nThe query quota for 192.0.2.1 has been exceeded.\n\n--\nTerms.',
  "TERMS OF USE: no automated queries.\n\nThe data is as it is.\n\nLookup quota exceeded.",
  "% Terms\nversion: 5\nquery_status: 440 Request Denied",
  "Queried interval is too short.",
  "IP Address Has Reached Rate Limit",
  "Service temporarily unavailable.",
];

Deno.test("readRandomReply() takes a denial in any words, with general terms of use, and a refusal of a query for none of the name", () => {
  for (const text of GENERAL_DENIALS) {
    const lines = templateOf(text).members.flatMap(({ lines }) => lines);
    assertEquals(lines.length, text.split(/\n+/).length, text);
  }
  for (const text of REFUSALS) {
    const reply = readRandomReply(text, MADE_UP);
    assertEquals(reply.kind === "failed" && reply.fault, "refused", text);
  }
});

/** Lines of replies, and pieces of them, in any order. */
const PIECES = [
  ...["Domain Name: ", "zebra7.io", "zebra77", ".io", "zebra77.com", "Registrar: Lab", "blocked"],
  ...["Creation Date: 2011", "Domain not found.", "\r\n", "\n\n", " "],
];
const anyReply = fc.array(
  fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...PIECES)),
  { maxLength: 30 },
).map((pieces) => pieces.join(""));

Deno.test("readWhoisReply() never throws, and never reads a record in a text without the exact name", () => {
  fc.assert(
    fc.property(anyReply, (text) => {
      const { kind } = read(text);
      if (!text.toLowerCase().includes(ZEBRA.domain)) assert(kind !== "registered");
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("readWhoisDetails() reads registrar, dates, status words, name servers and DNSSEC of a record", () => {
  const record = [
    "Domain Name: held.example",
    "Registrar WHOIS Server: whois.shop.example",
    "Updated Date: 2025-02-03T04:05:06Z",
    "Creation Date: 2011-03-04T05:06:07Z",
    "Registry Expiry Date: 2031-03-04T05:06:07Z",
    "Domain Status: clientTransferProhibited https://icann.org/epp#clientTransferProhibited",
    "Domain Status: ok",
    ...["Registrant Name", "Creation Date", "Domain Status", "Name Server", "DNSSEC"]
      .map((key) => `${key}: Jane Doe`),
    ...["jane.doe@mail.example", "Name: Jane Doe"].map((value) => `Registrar: ${value}`),
    "Name Server: NS1.HOSTING.EXAMPLE 192.0.2.1",
    "Name Server: ns2.hosting.example.",
    "Registrar: Shop Ltd",
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
  const dnssec = (word: string) => readWhoisDetails(`DNSSEC: ${word}`).dnssec;
  for (const word of ["signedDelegation", "signed delegation", "Signed", "yes", "active"]) {
    assertEquals(dnssec(word), true, word);
  }
  for (const word of ["unsigned delegation", "no", "inactive"]) assertEquals(dnssec(word), false);
  assertEquals(dnssec("designed"), undefined);
});

Deno.test("readWhoisDetails() reads dates in the forms of registries, none that may mean two days, and none of a registration that ends before it begins", () => {
  const forms: Readonly<Record<string, readonly string[]>> = {
    "2031-03-04": [
      ...["2031-03-04", "2031/03/04", "2031. 03. 04.", "2031.03.04 05:06:07", "20310304"],
      ...["2031-Mar-04.", "04-Mar-2031", "4 March 2031", "Tue, 04 Mar 2031", "04.03.2031"],
      "4.3.2031 05:06:07",
    ],
    "2031-03-04T05:06:07Z": ["2031-03-04 05:06:07", "2031-03-04 05:06:07 UTC"],
    "2031-03-04T03:06:07Z": ["2031-03-04T05:06:07+02:00"],
    "2031-12-29": ["29-12-2031", "29/12/2031"],
    "2031-04-04": ["04/04/2031"],
  };
  const expires = (text: string) =>
    readWhoisDetails(`domain: a.example\nexpires: ${text}\n`).expiresAt;
  for (const [day, texts] of Object.entries(forms)) {
    for (const text of texts) assertEquals(expires(text), new Date(day).toISOString(), text);
  }
  const others = ["04/03/2031", "04-03-2031", "12/29/2031", "2031-02-30", "31.04.2031", "2031"];
  for (const text of [...others, "9999-12-31", "0001-01-01", "soon", "Jane Doe 2031-03-04"]) {
    assertEquals(expires(text), undefined, text);
  }
  const dated = Object.entries(WHOIS_FORMS).filter(([tld, { record }]) => {
    const { createdAt, expiresAt } = readWhoisDetails(record(`held.${tld}`));
    return createdAt !== undefined || expiresAt !== undefined;
  });
  assert(dated.length >= Object.keys(WHOIS_FORMS).length / 2, `${dated.length}`);
  const reversed = readWhoisDetails("created: 2031-03-04\nexpires: 2011-03-04");
  assertEquals(reversed, { status: [], nameServers: [] });
});

const serviceOf = (suffix: string) => coverageOf(suffix).whois!.availability!;

const REPLIES: [suffix: string, text: string, kind: string][] = [
  ["eu", "Domain: x\r\n\t Status: FREE\r\n", "notFound"],
  ["eu", "Status: REGISTERED", "registered"],
  ["eu", "Status: BLOCKED", "reserved"],
  ["be", "Status: NOT ALLOWED", "reserved"],
  ["lt", "Status: pendingDelete", "registered"],
  ["lt", "Status: restrictedRights", "reserved"],
  ["lt", "Status: available", "notFound"],
  ["be", "Status:not available", "registered"],
  ["be", "% Status: AVAILABLE", "unread"],
  ["be", "Status: AVAILABLE\nStatus: AVAILABLE\n", "unread"],
  ["be", "", "unread"],
  ["be", "Status AVAILABLE", "unread"],
  ["be", "Status: MAYBE", "unread"],
  ["be", "Status: AVAILABLE\nStatus: NOT AVAILABLE", "unread"],
  ["be", "<html><p>AVAILABLE</p>", "unread"],
  ["eu", "Status: NOT ALLOWED\n", "unread"],
  ["eu", "No Status: AVAILABLE\n", "unread"],
];

Deno.test("readAvailabilityReply() reads what each service documents, and nothing else, and quotes no text that may be a record", () => {
  for (const [suffix, text, kind] of REPLIES) {
    const reading = readAvailabilityReply(text, serviceOf(suffix), 7);
    assertEquals([reading.kind, reading.askedAt], [kind, 7], text);
  }
  const text = "Domain: x\nOwner: Jane Doe\nStatus: RESERVED\n";
  const words = "a text with fields, which may be a record";
  const reading = readAvailabilityReply(text, serviceOf("eu"), 7);
  assertEquals(reading, { kind: "reserved", askedAt: 7, words });
});
