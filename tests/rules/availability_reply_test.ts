import { assertEquals } from "@std/assert";
import { readAvailabilityReply } from "../../src/rules/readers/availability_reply.ts";
import { SUFFIX_ROWS } from "../../src/rules/tables/coverage/suffix_rows.ts";
import type { AvailabilityService } from "../../src/rules/tables/whois_servers.ts";
import { whoisPort, whoisQuery } from "../../src/rules/tables/whois_servers.ts";

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
  ["be", "% Status: AVAILABLE", "unread"],
  ["be", "Status: AVAILABLE\nStatus: AVAILABLE\n", "unread"],
  ["be", "", "unread"],
  ["eu", "Domain: x\nStatus: RESERVED\n", "reserved"],
  ["eu", "Status: NOT ALLOWED\n", "unread"],
  ["lt", "Domain: x.lt\nStatus: pendingDelete\n", "registered"],
];

for (const [suffix, text, kind] of REPLIES) {
  Deno.test(`readAvailabilityReply() reads ${JSON.stringify(text)} of ${suffix} as ${kind}`, () => {
    const reading = readAvailabilityReply(text, serviceOf(suffix), 7);
    assertEquals([reading.kind, reading.askedAt], [kind, 7]);
  });
}

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
