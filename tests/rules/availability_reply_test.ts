import { assertEquals } from "@std/assert";
import { readAvailabilityReply } from "../../src/rules/readers/whois_reply.ts";
import { SUFFIX_ROWS } from "../../src/rules/tables/coverage/suffix_rows.ts";
import { type AvailabilityService, whoisPort, whoisQuery } from "../../src/rules/tables/hosts.ts";

function serviceOf(suffix: string): AvailabilityService {
  const { availability } = SUFFIX_ROWS.find((row) => row.suffix === suffix) ?? {};
  if (availability === undefined) throw new Error(`${suffix} has no availability service`);
  return availability;
}

const REPLIES: [suffix: string, text: string, kind: string][] = [
  ["ch", "1: domain is free\r\n", "notFound"],
  ["ch", "0: domain is not free\n", "reserved"],
  ["ch", "-1: unknown domain\n", "unread"],
  ["ch", "-95: too many requests\n", "unread"],
  ["ch", "10: ten\n", "unread"],
  ["ch", "free\n1: later\n", "unread"],
  ["ch", "1: free\n0: not free\n", "unread"],
  ["be", "Domain: x.be\r\nStatus: AVAILABLE\r\n", "notFound"],
  ["be", "Status:not available", "registered"],
  ["be", "Domain: x.be\n\t Status: AVAILABLE\n", "notFound"],
  ["be", "% Status: AVAILABLE", "unread"],
  ["be", "%Status: AVAILABLE", "unread"],
  ["be", "Status: AVAILABLE\nStatus: AVAILABLE\n", "unread"],
  ["be", "", "unread"],
  ["eu", "Domain: x\nStatus: RESERVED\n", "reserved"],
  ["eu", "Status: NOT ALLOWED\n", "unread"],
  ["lt", "Domain: x.lt\nStatus: pendingDelete\n", "registered"],
  // A code may stand alone, or before blanks.
  ["ch", "1", "notFound"],
  ["ch", "1 : domain is free", "notFound"],
  ["ch", "1free: it is not", "unread"],
  ["eu", "No Status: AVAILABLE\n", "unread"],
  ["eu", "Status:\n", "unread"],
];

/** What each service documents, in any letter case. */
const DOCUMENTED: readonly [suffix: string, kind: string, words: string][] = [
  ["eu", "notFound", "AVAILABLE FREE"],
  ["eu", "registered", "REGISTERED"],
  ["eu", "reserved", "RESERVED BLOCKED"],
  ["be", "reserved", "NOT_ALLOWED"],
  ["lt", "notFound", "available"],
  [
    "lt",
    "registered",
    "registered pendingCreate pendingDelete pendingRelease stopped outOfService",
  ],
  ["lt", "reserved", "blocked reserved restrictedDisposal restrictedRights"],
];

for (const [suffix, kind, words] of DOCUMENTED) {
  Deno.test(`readAvailabilityReply() reads as ${kind} of ${suffix}: ${words}`, () => {
    for (const word of words.split(" ")) {
      const text = `Status: ${word.replace("_", " ")}\n`;
      assertEquals([word, readAvailabilityReply(text, serviceOf(suffix), 7).kind], [word, kind]);
    }
  });
}

Deno.test("an availability service is asked at its own host", () => {
  assertEquals(["ch", "eu", "be", "lt"].map((suffix) => serviceOf(suffix).host), [
    "whois.nic.ch",
    "das.eu",
    "das.dns.be",
    "das.domreg.lt",
  ]);
  assertEquals(whoisQuery({ host: "", availability: serviceOf("ch") }, "foo.ch"), "foo.ch");
});

for (const [suffix, text, kind] of REPLIES) {
  Deno.test(`readAvailabilityReply() reads ${JSON.stringify(text)} of ${suffix} as ${kind}`, () => {
    const reading = readAvailabilityReply(text, serviceOf(suffix), 7);
    assertEquals([reading.kind, reading.askedAt], [kind, 7]);
  });
}

Deno.test("readAvailabilityReply() reads a code of several digits", () => {
  const service = { answer: "code", meanings: new Map([["-95", "taken"]] as const) } as const;
  assertEquals(readAvailabilityReply("-95: registered", service, 7).kind, "registered");
});

Deno.test("whoisQuery() and whoisPort() are those of the availability service, where a server is one", () => {
  const [be, eu] = ["be", "eu"].map((suffix) => {
    const availability = serviceOf(suffix);
    return { host: availability.host, availability };
  });
  assertEquals(be && [whoisQuery(be, "foo.be"), whoisPort(be)], ["foo.be", 4_343]);
  assertEquals(eu && [whoisQuery(eu, "foo.eu"), whoisPort(eu)], ["get 1.0 foo", 4_343]);
  const whois = { host: "whois.example", prefix: "domain " };
  assertEquals([whoisQuery(whois, "foo.com"), whoisPort(whois)], ["domain foo.com", 43]);
});

Deno.test("readAvailabilityReply() quotes no text that may be a record", () => {
  const text = "Domain: x\nOwner: Jane Doe\nStatus: RESERVED\n";
  const reading = readAvailabilityReply(text, serviceOf("eu"), 7);
  assertEquals(reading, {
    kind: "reserved",
    askedAt: 7,
    words: "a text with fields, which may be a record",
  });
});
