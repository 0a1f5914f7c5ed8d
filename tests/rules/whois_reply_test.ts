import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import {
  readWhoisReply,
  type WhoisReading,
  whoisWordingOf,
} from "../../src/rules/readers/whois_reply.ts";
import type { AskedName, Wording } from "../../src/rules/readers/wording.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";

const ZEBRA: AskedName = { label: "zebra77", domain: "zebra77.io" };
const MADE_UP: AskedName = { label: "qmzkvhbfyxwltoprcjnsgdaeuiqmzk", domain: "" };
const USUAL = ["description: domain not found."];

/** What a text about zebra77.io says beside the usual denial. */
function read(
  text: string,
  { asked = ZEBRA, wording = USUAL }: { asked?: AskedName; wording?: Wording } = {},
): WhoisReading {
  return readWhoisReply(text, { asked, askedAt: 7, wordings: [wording] });
}

function faultOf(reading: WhoisReading): string {
  return reading.kind === "failed" ? reading.fault : reading.kind;
}

/** A record with these lines in place of its first. */
function record(...lines: string[]): string {
  return [...lines, "Registrar: Lab Registrar Ltd", "Creation Date: 2011-03-04", ""].join("\n");
}

for (const [tld, form] of Object.entries(WHOIS_FORMS)) {
  const asked: AskedName = { label: "zebra77", domain: `zebra77.${tld}` };
  const madeUp: AskedName = { ...MADE_UP, domain: `${MADE_UP.label}.${tld}` };
  const wording = whoisWordingOf(form.denial(madeUp.domain), madeUp) ?? [];

  Deno.test(`readWhoisReply() reads records and denials of ${tld}`, () => {
    const recorded = read(form.record(asked.domain), { asked, wording });
    assertEquals(recorded, { kind: "registered", askedAt: 7 });
    // A record needs no wording, as in a test.
    assertEquals(read(form.record(asked.domain), { asked, wording: [] }).kind, "registered");
    assertEquals(read(form.denial(asked.domain), { asked, wording }), {
      kind: "notFound",
      askedAt: 7,
    });
    const other = read(form.record(`not-${asked.domain}`), { asked, wording });
    assertMatch(other.kind === "failed" ? other.why : "", /a record of another name$/);
    assertEquals(whoisWordingOf(form.record(madeUp.domain), madeUp), undefined);
  });

  Deno.test(`readWhoisReply() reads phrases before the legal text of ${tld}`, () => {
    const legal = form.denial(asked.domain).split(/\r?\n\r?\n/).slice(1).join("\n\n");
    const readBefore = (line: string) => read(`${line}\n\n${legal}`, { asked, wording });
    assertEquals(readBefore("This name is not available for registration."), {
      kind: "reserved",
      askedAt: 7,
      words: "This name is not available for registration.",
    });
    assertEquals(readBefore("This premium domain is available for purchase.").kind, "premium");
    assertEquals(readBefore("Try again in an hour.").kind, "failed");
  });
}

const RECORDS: [string, string][] = [
  ["in upper case and indented", record("   DOMAIN NAME: ZEBRA77.IO\r")],
  ["with a trailing dot", record("domain: zebra77.io.")],
  ["in one word with its label", record("DomainName: zebra77.io")],
  ["after a space and a colon", record("Domain Name : zebra77.io")],
  ["beside another in a sentence", record("Domain Name: zebra77.io", "Sponsoring domain: b.io")],
  ["with indented fields", "Domain Name: zebra77.io\n  Registrar: Lab\n\tCreation Date: 2011"],
  ["with fields without spaces", "Domain Name:zebra77.io\nRegistrar:Lab\nUpdated Date :2011"],
  ["after other lines", record("Welcome.", "", "Domain Name:zebra77.io")],
  ["twice", record("Domain Name: zebra77.io", "Domain Name: Zebra77.io")],
  [
    "with legal words",
    record("Domain Name: zebra77.io", "", "Reserved and blocked names: limits."),
  ],
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
  assertEquals(faultOf(read(other, { asked })), "unclear");
});

/** Texts that are no evidence, and how they are understood. */
const FAILURES: [string, string, string][] = [
  ["nothing", "", "unclear"],
  ["line breaks", "\r\n \r\n", "unclear"],
  ["the name alone", "zebra77.io\r\n", "unclear"],
  ["an echo of the name", "Domain Name: zebra77.io", "unclear"],
  ["an echo with empty fields", "Domain Name: zebra77.io\nRegistrar:\nCreation Date:", "unclear"],
  ["an echo with one field", "Domain Name: zebra77.io\nRegistrar: none", "unclear"],
  ["an echo with a field twice", "Domain Name: zebra77.io\nRegistrar: a\nREGISTRAR: b", "unclear"],
  ["an echo in sentences", "Domain: zebra77.io\nNo registrar: a\nNo creation date: b", "unclear"],
  ["a record without its name", record("zebra77.io"), "unclear"],
  ["a record with two names", record("Domain Name: zebra77.io", "Domain Name: b.io"), "unclear"],
  ["a record with the name elsewhere", record("Domain Name: b.io", "zebra77.io"), "unclear"],
  ["a record with a longer name", record("Domain Name: zebra77.io.example"), "unclear"],
  ["an HTML page", "<html><p>Domain not found.", "unclear"],
  ["a page with a title", "\n  <!DOCTYPE html>\nDomain not found.", "unclear"],
  ["a text too long for a denial", `Domain not found.\n${"x ".repeat(4_096)}`, "unclear"],
  ["another language", "Domain ist gesperrt.", "unclear"],
  ["a TLD that is not served", "Tld not supported by this registry interface", "unclear"],
  ["a refusal without what is refused", "Blocked.", "unclear"],
  ["a denial with further words", "Domain not found.\nBut wait.", "unclear"],
  ["a limit beside a refusal", "This name is blocked\nYour quota is used", "limited"],
  ["a limit beside trouble", "Please try again\nYour quota is used", "limited"],
  ["a limit", "Domain not found.\nQuery limit exceeded", "limited"],
  ["a blocked address", "Your IP has been blocked", "limited"],
  ["too many queries", "Too many queries: this name is blocked", "limited"],
  ["a refused request", "This domain query is not permitted", "unclear"],
  ["a restricted service", "Your access to domain names is restricted", "limited"],
  ["an unavailable service", "The registry service is currently unavailable", "unclear"],
  ["maintenance", "Names are not available during maintenance", "unclear"],
];

for (const [what, text, fault] of FAILURES) {
  Deno.test(`readWhoisReply() fails for ${what}`, () => {
    const reading = read(text);
    assertEquals([reading.kind, faultOf(reading)], ["failed", fault]);
  });
}

const KEPT_BACK = [
  "This name is not available for registration:\nRegistry Reserved",
  "Domain Name: zebra77.io\nThis name is not available for registration:\nRegistry Reserved",
  "This name has been blocked by a GlobalBlock service",
  "zebra77.io blocked by BSA",
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

const OF_THE_CLIENT = [
  "exceeded",
  "quota",
  "throttled",
  "too many",
  "blacklist",
  "black list",
  "connection limit",
  "query limits",
  "rate limit",
  "your ip",
  "your address",
  "your access",
  "your connection",
];
const OF_THE_SERVER = [
  "an ip",
  "the address",
  "connection",
  "connections",
  "query",
  "queries",
  "request",
  "requests",
  "limit",
  "limits",
  "limited",
  "try again",
  "temporarily",
  "access",
  "maintenance",
  "overloaded",
  "busy",
  "server",
  "database unavailable",
  "service is not available",
  "system unavailable",
  "whois is currently not available",
];

Deno.test("readWhoisReply() fails for a refusal with words about the client or the server", () => {
  for (const words of OF_THE_CLIENT) {
    assertEquals(faultOf(read(`This domain name is blocked: ${words}`)), "limited", words);
  }
  for (const words of OF_THE_SERVER) {
    assertEquals(faultOf(read(`This domain name is blocked: ${words}`)), "unclear", words);
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
  const kinds = [8_192, 8_193].map((length) => read("Domain not found.".padEnd(length, "\n")).kind);
  assertEquals(kinds, ["notFound", "failed"]);
});

Deno.test("readWhoisReply() reads the words of a premium price, unless others say more", () => {
  const platinum = "This platinum domain is available for purchase.";
  assertEquals(read(platinum), { kind: "premium", askedAt: 7 });
  const early = "This domain is currently available for registration in the Expiry Access Period";
  assertEquals(read(early).kind, "reserved");
  assertEquals(read(`${platinum}\nRegistry Reserved`).kind, "reserved");
  assertEquals(read(`${platinum}\nUnread words`).kind, "failed");
});

Deno.test("whoisWordingOf() is undefined for a text that does not deny the name", () => {
  const asked = { ...MADE_UP, domain: `${MADE_UP.label}.io` };
  const texts = [
    "",
    asked.domain,
    "This name is not available for registration.",
    "Query limit exceeded: no match",
    "% Domain not found.",
    "<html>Domain not found.",
    "Welcome.\n  <html>\nDomain not found.",
    "  % Domain not found.",
    record(`Domain Name: ${asked.domain}`, "Domain not found."),
    "Domain not found.\n".repeat(1_000),
  ];
  assertEquals(texts.map((text) => whoisWordingOf(text, asked)), texts.map(() => undefined));
  const denials = [
    "NO MATCH",
    "Not registered",
    "This cannot be registered: no such name",
    "The name is available for registration",
    "NO MATCH in <title>",
    "NO MATCH: you may register it",
    "NO MATCH\n% Terms of use",
    "% Terms of use\n\nNO MATCH",
    "Welcome\nNO MATCH",
  ];
  for (const text of denials) assert(whoisWordingOf(text, asked), text);
});

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
