import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { readRandomReply, readWhoisReply } from "../../src/rules/readers/whois_reply.ts";
import type { AskedName } from "../../src/rules/readers/statements.ts";
import type { Template } from "../../src/rules/readers/templates.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";

const ZEBRA: AskedName = { label: "zebra77", domain: "zebra77.io" };
const MADE_UP: AskedName = {
  label: "qmzkvhbfyxwltoprcjnsgdaeuiqmzk",
  domain: "qmzkvhbfyxwltoprcjnsgdaeuiqmzk.io",
};
const USUAL = templateOf("Domain not found.");

function templateOf(text: string, asked = MADE_UP): Template {
  const reply = readRandomReply(text, asked);
  assert(reply.kind === "denial", `${text}: ${JSON.stringify(reply)}`);
  return reply.template;
}

/** What a text about zebra77.io says beside the usual denial. */
function read(
  text: string,
  { asked = ZEBRA, usual = USUAL }: { asked?: AskedName; usual?: Template } = {},
): ReturnType<typeof readWhoisReply> {
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
  const asked: AskedName = { label: "zebra77", domain: `zebra77.${tld}` };
  const madeUp: AskedName = { ...MADE_UP, domain: `${MADE_UP.label}.${tld}` };
  const usual = templateOf(form.denial(madeUp.domain), madeUp);

  Deno.test(`readWhoisReply() reads records and denials of ${tld}`, () => {
    const recorded = read(form.record(asked.domain), { asked, usual });
    assertEquals(recorded, { kind: "registered", askedAt: 7 });
    // A record needs no template, as in a test.
    const question = { asked, askedAt: 7, templates: [] };
    assertEquals(readWhoisReply(form.record(asked.domain), question).kind, "registered");
    assertEquals(read(form.denial(asked.domain), { asked, usual }), {
      kind: "notFound",
      askedAt: 7,
    });
    const other = read(form.record(`not-${asked.domain}`), { asked, usual });
    assertEquals(other, { kind: "unread", askedAt: 7, words: "a record of another name" });
    assertEquals(readRandomReply(form.record(madeUp.domain), madeUp), { kind: "record" });
  });

  Deno.test(`readWhoisReply() reads phrases before the legal text of ${tld}`, () => {
    const legal = form.denial(asked.domain).split(/\r?\n\r?\n/).slice(1).join("\n\n");
    const readBefore = (line: string) => read(`${line}\n\n${legal}`, { asked, usual });
    assertEquals(readBefore("This name is not available for registration."), {
      kind: "reserved",
      askedAt: 7,
      words: "This name is not available for registration.",
    });
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
  ["after other lines", record("Welcome.", "", "Domain Name:zebra77.io")],
  ["twice", record("Domain Name: zebra77.io", "Domain Name: Zebra77.io")],
  ["with legal words", record("Domain Name: zebra77.io", "", "Reserved and blocked names: limits.")],
];

for (const [how, text] of RECORDS) {
  Deno.test(`readWhoisReply() reads a record with the name ${how}`, () => {
    assertEquals(read(text), { kind: "registered", askedAt: 7 });
  });
}

Deno.test("readWhoisReply() reads a record of an IDN by its A-label or its letters", () => {
  const asked = {
    label: "xn--bcher-kva",
    domain: "xn--bcher-kva.com",
    unicodeDomain: "bücher.com",
  };
  for (const name of ["XN--BCHER-KVA.COM", "BÜCHER.COM", "bu\u0308cher.com"]) {
    assertEquals(read(record(`Domain Name: ${name}`), { asked }).kind, "registered");
  }
  const other = record("Domain Name: b�cher.com");
  assertEquals(read(other, { asked }).kind, "unread");
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
  ["a record with the name elsewhere", record("Domain Name: b.io", "zebra77.io"), "unread"],
  ["a record with a longer name", record("Domain Name: zebra77.io.example"), "unread"],
  ["a record with the key within a line", record("see [Domain Name] zebra77.io"), "unread"],
  ["a record with the name in a comment", record("  # Domain Name: zebra77.io"), "unread"],
  ["an HTML page", "<html><p>Domain not found.", "unread"],
  ["a page with a title", "\n  <!DOCTYPE html>\nDomain not found.", "unread"],
  ["a text too long for a denial", `Domain not found.\n${"x ".repeat(4_096)}`, "unread"],
  ["nothing", "\r\n \r\n", "unread"],
  ["another language", "Domain ist gesperrt.", "unread"],
  ["a TLD that is not served", "Tld not supported by this registry interface", "unread"],
  ["a refusal without what is refused", "Blocked.", "unread"],
  ["the usual denial and further words", "Domain not found.\nBut wait.", "unread"],
  ["the usual denial twice", "Domain not found.\n\nDomain not found.", "unread"],
  ["another denial", "No match for zebra77.io", "unread"],
  ["a status", "Status: withheld for the government", "unread"],
  ["a limit", "Domain not found.\nQuery limit exceeded", "limited or unread"],
  ["a limit in an indented comment", "Domain not found.\n  % Query limit: 30 a day", "unread"],
  ["a limit in percent", "Domain not found.\nThe WHOIS query limit is 100% used", "limited or unread"],
  ["a limit below the usual denial", "Domain not found.\n\nThe query quota is used", "limited or unread"],
  ["a limit before terms", "Query limit reached: see our terms of use", "limited or unread"],
  ["a limit beside a refusal", "This name is blocked\nYour quota is used", "limited or reserved"],
  ["a blocked address", "Your IP has been blocked", "limited or unread"],
  ["too many queries", "Too many queries: this name is blocked", "limited or reserved"],
  ["a list of the registry", "This domain name is on the registry's blacklist and cannot be registered", "limited or reserved"],
  ["a refused request", "This domain query is not permitted", "unclear or reserved"],
  ["a request to unblock", "blocked by GlobalBlock. Requests to unblock: a@b.example", "unclear or reserved"],
  ["an unavailable service", "The registry service is currently unavailable", "unclear or reserved"],
  ["maintenance", "Names are not available during maintenance", "unclear or reserved"],
];

for (const [what, text, kinds] of UNREAD) {
  Deno.test(`readWhoisReply() is ${kinds} for ${what}`, () => {
    assertEquals(kindsOf(read(text)), kinds);
  });
}

Deno.test("readWhoisReply() quotes what differs from the text for a random name", () => {
  const usual = templateOf("Domain not found.\n\n% Terms of use: see the website.");
  const legal = "\n\n% Terms of use: see the website.";
  assertEquals(read(`Gesperrt.${legal}`, { usual }), {
    kind: "unread",
    askedAt: 7,
    words: "Gesperrt.",
  });
  assertEquals(read("Domain not found.", { usual }), {
    kind: "unread",
    askedAt: 7,
    words: "lacks: description: % Terms of use: see the website.",
  });
});

const KEPT_BACK = [
  "This name is not available for registration:\nRegistry Reserved",
  "Domain Name: zebra77.io\nThis name is not available for registration:\nRegistry Reserved",
  "This name has been blocked by a GlobalBlock service",
  "zebra77.io blocked by BSA",
  "Domain Name: zebra77.io\n\n>>> This name is not available for registration:\n>>> Reserved by us.",
  "This domain is currently available for application via the PIR Dropzone service.",
  "This name is reserved by the Registry in accordance with ICANN Policy.",
  "The registration of this domain is restricted, as it is protected by the DPML Brand Protection policy",
  "Reserved Domain Name",
  "This name subscribes to the Uni EPS+ product",
];

for (const text of KEPT_BACK) {
  Deno.test(`readWhoisReply() reads as reserved: ${text.replaceAll("\n", " ")}`, () => {
    const reading = read(text);
    assertEquals(reading.kind, "reserved");
    // The usual denial beside it changes nothing.
    assertEquals(read(`${text}\n\nDomain not found.`).kind, "reserved");
  });
}

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
  for (const words of OF_THE_CLIENT) {
    const kinds = kindsOf(read(`This domain name is blocked: ${words}`));
    assertEquals(kinds, "limited or reserved", words);
  }
  for (const words of OF_THE_SERVER) {
    const kinds = kindsOf(read(`This domain name is blocked: ${words}`));
    assertEquals(kinds, "unclear or reserved", words);
  }
});

Deno.test("readWhoisReply() reads a refusal as reserved when it names what is refused", () => {
  const things = ["name", "names", "domain", "domains", "registration", "globalblock"];
  things.push("global block", "adultblock", "adult block", "bsa", "dpml", "dropzone", "drop zone");
  for (const thing of [...things, "auction"]) {
    assertEquals(read(`Blocked: ${thing}`).kind, "reserved", thing);
  }
});

Deno.test("readWhoisReply() reads a denial of at most 8,192 characters", () => {
  const kinds = [8_192, 8_193].map((length) => read("Domain not found.".padEnd(length, " ")).kind);
  assertEquals(kinds, ["notFound", "unread"]);
  const lines = [95, 96].map((count) => read(`Domain not found.${"\n".repeat(count)}`).kind);
  assertEquals(lines, ["notFound", "unread"]);
});

Deno.test("readWhoisReply() quotes nothing of a text that may hold a person's data in whatever form, and a sentence that no rule reads", () => {
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
  assertEquals(read("Dieser Name ist gesperrt"), {
    kind: "unread",
    askedAt: 7,
    words: "Dieser Name ist gesperrt",
  });
});

Deno.test("readWhoisReply() reads the words of a premium price, unless others say more", () => {
  const platinum = "This platinum domain is available for purchase.";
  assertEquals(read(platinum), { kind: "premium", askedAt: 7 });
  const early = "This domain is currently available for registration in the Expiry Access Period";
  assertEquals(read(early).kind, "reserved");
  assertEquals(read(`${platinum}\nRegistry Reserved`).kind, "reserved");
  assertEquals(read(`${platinum}\nUnread words`).kind, "unread");
});

Deno.test("readRandomReply() is unfit for a text whose template is too long for KV", () => {
  const reply = readRandomReply(`Domain not found${"\u0001".repeat(5_000)}`, MADE_UP);
  assertEquals(reply.kind, "against");
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
    [record(`Domain Name: ${MADE_UP.domain}`), /^record/],
    ["This name is not available for registration.", /^against speaks against/],
    ["Tld not supported by this registry interface", /^against speaks against/],
    ["% This name is reserved.", /^against speaks against/],
    ["Domain Name: a\n\n>>> This name is reserved by us.", /^against speaks against/],
    ["Domain Information:\n[Domain Name] A\n\n[Status] Reserved", /^against speaks against/],
    ["Query limit exceeded: no match", /^failed it refused/],
  ];
  for (const [text, expected] of unfit) assertMatch(`${faultOf(text)}`, expected, text);
});

Deno.test("readRandomReply() takes a denial in any words, with general terms of use", () => {
  for (
    const text of [
      "NO MATCH",
      MADE_UP.domain,
      "The name is available for registration",
      "Dieser Name ist frei.",
      "NO MATCH in <title>",
      "NO MATCH\n% Terms of use: names may be reserved. Queries are limited.",
      "% Terms of use: access is restricted.\n\nNO MATCH",
      "NO MATCH\n\n  Terms of use: names may be reserved.",
      "NO MATCH\n\nAll rights\nreserved.",
      "NO MATCH\n\n* we may restrict your access\n* exceeding our query limits is prohibited",
      "Welcome to the registry\n\nOther use is prohibited.\n\nNO MATCH",
      "[ The database is restricted to lawful use. ]\n\nNO MATCH",
    ]
  ) {
    assertEquals(
      templateOf(text).members.flatMap(({ lines }) => lines).length,
      text.split(/\n+/).length,
      text,
    );
  }
});

/** Refusals of a query in the shapes of real servers, of which many put a denial or terms beside them. */
const REFUSALS = [
  "WHOIS LIMIT EXCEEDED - SEE WWW.REGISTRY.EXAMPLE FOR DETAILS",
  "You have exceeded allowed connection rate.",
  "Number of allowed queries exceeded.",
  "Your connection limit exceeded. Slow down.",
  "whois.registry.example: only 1 request per second allowed, try again later",
  "whois.registry.example: Server too busy",
  "Error: too many requests - limit reached",
  "# Too many connections.",
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

for (const text of REFUSALS) {
  Deno.test(`readRandomReply() is limited for ${text.replaceAll("\n", " ")}`, () => {
    const reply = readRandomReply(text, MADE_UP);
    assertEquals(reply.kind === "failed" && reply.fault, "refused");
  });
}

/** Lines of replies, and pieces of them, in any order. */
const anyReply = fc.array(
  fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "Domain Name: ",
      "zebra7.io",
      "zebra77",
      ".io",
      "zebra77.com",
      "Registrar: Lab",
      "Creation Date: 2011",
      "Domain not found.",
      "blocked",
      "\r\n",
      "\n\n",
      " ",
    ),
  ),
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

Deno.test("readWhoisReply() reads a record in any text that has its lines", () => {
  const other = fc.stringMatching(/^[a-z ]{0,20}$/);
  fc.assert(fc.property(fc.array(other), fc.array(other), (before, after) => {
    const text = [...before, record("Domain Name: zebra77.io"), ...after].join("\n");
    assertEquals(read(text).kind, "registered");
  }));
});

Deno.test("readRandomReply() takes a denial that shows the name, or fields, but no record of it", () => {
  for (
    const text of [`Domain Name: ${MADE_UP.domain}\nNo match`, "Registrar: a\nCreation Date: b"]
  ) {
    assertEquals(readRandomReply(text, MADE_UP).kind, "denial", text);
  }
});
