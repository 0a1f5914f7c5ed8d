import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Canary, DnsAnswer, RdapAnswer } from "../../src/rules/answer.ts";
import { decide, lifetimeMs, type Status } from "../../src/rules/verdict.ts";

const PASSED: Canary = { kind: "passed" };
const LYING: Canary = { kind: "failed", why: "it lies" };
const UNTESTED: Canary = { kind: "undecided", why: "no time" };
const NONE: DnsAnswer = { kind: "none" };
const DELEGATED: DnsAnswer = { kind: "delegated" };
const NO_DNS: DnsAnswer = { kind: "failed", fault: "down", why: "it did not answer in time" };
const REGISTERED: RdapAnswer = { kind: "registered" };
const LIMITED: RdapAnswer = { kind: "failed", fault: "limited", why: "429" };

function notFound(notice: "plain" | "premium" | "reserved" | "unsupported"): RdapAnswer {
  return { kind: "notFound", notice, words: "" };
}

interface Row {
  finding: string;
  dns: DnsAnswer;
  rdap?: RdapAnswer;
  canary?: Canary;
  reserved?: boolean;
  impossible?: boolean;
  available: boolean;
  status: Status[];
  source: "dns" | "rdap";
  error?: RegExp;
}

const UNKNOWN = { available: false, status: ["unknown"] as Status[] };

// deno-fmt-ignore -- it reads like the contract's table
const TABLE: Row[] = [
  { finding: "DNS answers NS", dns: DELEGATED, available: false, status: ["active"], source: "dns" },
  { finding: "DNS answers NS, whatever else is said", dns: DELEGATED, rdap: notFound("plain"), canary: PASSED, reserved: true, available: false, status: ["active"], source: "dns" },
  { finding: "RDAP knows the name", dns: NONE, rdap: REGISTERED, available: false, status: ["undelegated", "active"], source: "rdap" },
  { finding: "RDAP knows the name, DNS is down", dns: NO_DNS, rdap: REGISTERED, available: false, status: ["undelegated", "active"], source: "rdap" },
  { finding: "a clean 404", dns: NONE, rdap: notFound("plain"), canary: PASSED, available: true, status: ["undelegated", "inactive"], source: "rdap" },
  { finding: "the same with a premium notice", dns: NONE, rdap: notFound("premium"), canary: PASSED, available: true, status: ["undelegated", "inactive", "premium"], source: "rdap" },
  { finding: "a 404 that says reserved", dns: NONE, rdap: notFound("reserved"), canary: PASSED, available: false, status: ["undelegated"], source: "rdap" },
  { finding: "a name on the reserved list", dns: NONE, rdap: notFound("plain"), canary: PASSED, reserved: true, available: false, status: ["undelegated"], source: "rdap" },
  { finding: "a reserved name with a premium notice", dns: NONE, rdap: notFound("premium"), canary: PASSED, reserved: true, available: false, status: ["undelegated"], source: "rdap" },
  { finding: "a 404 of a server that does not serve the TLD", dns: NONE, rdap: notFound("unsupported"), canary: PASSED, ...UNKNOWN, source: "rdap", error: /does not serve/ },
  { finding: "a 404 that says reserved, of a server that lies", dns: NONE, rdap: notFound("reserved"), canary: LYING, ...UNKNOWN, source: "rdap", error: /it lies/ },
  { finding: "a 404 that says reserved, but no delegation check", dns: NO_DNS, rdap: notFound("reserved"), canary: PASSED, ...UNKNOWN, source: "rdap", error: /DNS could not confirm/ },
  { finding: "a clean 404 for a name that cannot exist", dns: NONE, rdap: notFound("plain"), canary: PASSED, impossible: true, ...UNKNOWN, source: "rdap", error: /no valid IDN/ },
  { finding: "the same where somebody holds it", dns: NONE, rdap: REGISTERED, impossible: true, available: false, status: ["undelegated", "active"], source: "rdap" },
  { finding: "RDAP fails", dns: NONE, rdap: LIMITED, ...UNKNOWN, source: "rdap", error: /429/ },
  { finding: "RDAP fails for a name on the reserved list", dns: NONE, rdap: LIMITED, reserved: true, ...UNKNOWN, source: "rdap", error: /429/ },
  { finding: "the canary fails", dns: NONE, rdap: notFound("plain"), canary: LYING, ...UNKNOWN, source: "rdap", error: /it lies/ },
  { finding: "the canary could not be tried", dns: NONE, rdap: notFound("premium"), canary: UNTESTED, ...UNKNOWN, source: "rdap", error: /no time/ },
  { finding: "no canary was asked", dns: NONE, rdap: notFound("plain"), ...UNKNOWN, source: "rdap", error: /not been tested/ },
  { finding: "a clean 404, but no delegation check", dns: NO_DNS, rdap: notFound("plain"), canary: PASSED, ...UNKNOWN, source: "rdap", error: /DNS could not confirm/ },
  { finding: "no RDAP server is known", dns: NONE, ...UNKNOWN, source: "dns", error: /No RDAP server/ },
];

for (const row of TABLE) {
  const { finding, dns, rdap, canary, reserved = false, impossible = false, error, ...expected } =
    row;
  Deno.test(`decide() says ${expected.available ? "available" : "not available"} [${expected.status}] when ${finding}`, () => {
    const { error: said, ...verdict } = decide({
      dns,
      reserved,
      impossible,
      ...(rdap && { rdap }),
      ...(canary && { canary }),
    });
    assertEquals(verdict, { premium: expected.status.includes("premium"), ...expected });
    assert(error === undefined ? said === undefined : error.test(said ?? ""), said);
  });
}

const anyDns = fc.constantFrom(NONE, DELEGATED, NO_DNS);
const anyCanary = fc.option(fc.constantFrom(PASSED, LYING, UNTESTED), { nil: undefined });
const anyRdap = fc.option(
  fc.oneof(
    fc.constant(REGISTERED),
    fc.constantFrom("plain", "premium", "reserved", "unsupported").map((notice) =>
      notFound(notice as "plain")
    ),
    fc.record({
      kind: fc.constant("failed" as const),
      fault: fc.constantFrom("limited", "down", "unclear", "unasked"),
      why: fc.string(),
    }) as fc.Arbitrary<RdapAnswer>,
  ),
  { nil: undefined },
);

Deno.test("decide() never says available without a delegation check, a clean 404 and a passed canary", () => {
  const listed = fc.record({ reserved: fc.boolean(), impossible: fc.boolean() });
  fc.assert(
    fc.property(
      anyDns,
      anyRdap,
      anyCanary,
      listed,
      (dns, rdap, canary, { reserved, impossible }) => {
        const testimony = { ...(rdap && { rdap }), ...(canary && { canary }) };
        const verdict = decide({ dns, reserved, impossible, ...testimony });
        const proven = dns.kind === "none" && rdap?.kind === "notFound" &&
          ["plain", "premium"].includes(rdap.notice) && canary?.kind === "passed";
        assertEquals(verdict.available, proven && !reserved && !impossible);
        assertEquals(verdict.status.includes("unknown"), verdict.error !== undefined);
        assertEquals(verdict.status.includes("inactive"), verdict.available);
      },
    ),
    { numRuns: 2_000 },
  );
});

Deno.test("lifetimeMs() keeps taken for an hour, available for 5 minutes, reserved for a day and unknown not at all", () => {
  const minutes = (evidence: Parameters<typeof decide>[0]) => lifetimeMs(decide(evidence)) / 60_000;
  assertEquals(minutes({ dns: DELEGATED, reserved: false }), 60);
  assertEquals(minutes({ dns: NONE, rdap: REGISTERED, reserved: false }), 60);
  assertEquals(minutes({ dns: NONE, rdap: notFound("plain"), canary: PASSED, reserved: false }), 5);
  assertEquals(
    minutes({ dns: NONE, rdap: notFound("premium"), canary: PASSED, reserved: false }),
    5,
  );
  assertEquals(
    minutes({ dns: NONE, rdap: notFound("reserved"), canary: PASSED, reserved: false }),
    24 * 60,
  );
  assertEquals(minutes({ dns: NONE, rdap: LIMITED, reserved: false }), 0);
});
