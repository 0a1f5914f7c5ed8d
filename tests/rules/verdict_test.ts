import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { TRUTH_TABLE } from "./truth_table.ts";
import type { Canary, DnsAnswer, LabelPolicy, Notice } from "../../src/rules/answer.ts";
import {
  CANCELLED,
  decide,
  type Denial,
  INTERNAL_ERROR,
  lifetimeMs,
  type RegistryEvidence,
  type Said,
  stateOf,
  type UnknownCause,
  verdictOf,
} from "../../src/rules/verdict.ts";

const PASSED: Canary = { kind: "passed", witness: "google", templates: [] };
const LYING: Canary = { kind: "failed", why: "it lies" };
const CONFIRMS_ALL: Canary = { ...LYING, kind: "failed", confirmsMadeUp: true } as Canary;
const UNTESTED: Canary = { kind: "undecided", why: "no time" };
const NONE: DnsAnswer = { kind: "none", askedAt: 0 };
const DELEGATED: Extract<DnsAnswer, { kind: "delegated" }> = { kind: "delegated", askedAt: 0 };
const NO_DNS: DnsAnswer = { kind: "failed", fault: "down", why: "it did not answer in time" };
const NOT_A_NAME: DnsAnswer = { kind: "failed", fault: "invalid", why: "it cannot resolve it" };
const REGISTERED: RegistryEvidence = { kind: "registered" };
const UNPROVEN: RegistryEvidence = { kind: "registered", canary: CONFIRMS_ALL };
const LIMITED: RegistryEvidence = { kind: "failed", why: "429" };
const UNLISTED: RegistryEvidence = { kind: "unlisted" };
const ALLOWED: LabelPolicy = { kind: "allowed" };
const FORBIDDEN: LabelPolicy = { kind: "forbidden", rule: "No IDNs are sold" };
const NO_POLICY: LabelPolicy = { kind: "unknown", why: "The IDN policy is not known" };
const JUST_DROPPED: LabelPolicy = {
  ...NO_POLICY,
  kind: "unknown",
  isJustDropped: true,
} as LabelPolicy;
const NOTICES: Readonly<Record<Notice["kind"], Notice>> = {
  plain: { kind: "plain" },
  premium: { kind: "premium" },
  reserved: { kind: "reserved", words: "kept back" },
  unsupported: { kind: "unsupported" },
  unread: { kind: "unread", words: "gesperrt" },
};

function denied(notice: Notice["kind"], more: Partial<Denial> = {}): Denial {
  const usual = { canary: PASSED, policy: ALLOWED };
  return { kind: "notFound", notice: NOTICES[notice], ...usual, ...more };
}

/** The rows that are about DNS and RDAP alone; `truth_table_test.ts` checks what they lead to. */
const TABLE = TRUTH_TABLE.filter(({ whois }) => whois === undefined);

const anyDenial = fc.record({
  kind: fc.constant("notFound" as const),
  notice: fc.constantFrom(...Object.values(NOTICES)),
  canary: fc.constantFrom(PASSED, LYING, UNTESTED),
  policy: fc.constantFrom(ALLOWED, FORBIDDEN, NO_POLICY, JUST_DROPPED),
});

Deno.test("decide() returns available only when DNS shows none, the 404 is plain, the canary passed and the label is allowed", () => {
  fc.assert(
    fc.property(
      fc.constantFrom<DnsAnswer>(NONE, DELEGATED, NO_DNS, NOT_A_NAME),
      fc.oneof(anyDenial, fc.constantFrom(REGISTERED, UNPROVEN, LIMITED, UNLISTED)),
      (dns, registry) => {
        const verdict = decide({ dns, registry });
        const isProven = dns.kind === "none" && registry.kind === "notFound" &&
          ["plain", "premium"].includes(registry.notice.kind) &&
          registry.canary.kind === "passed" && registry.policy.kind === "allowed";
        assertEquals(verdict.available, isProven);
        assertEquals(verdict.status.includes("unknown"), verdict.error !== undefined);
        assertEquals(verdict.status.includes("inactive"), verdict.available);
      },
    ),
    { numRuns: 2_000 },
  );
});

Deno.test("decide() returns unknown when stored evidence has an unknown kind", () => {
  const novel = { kind: "novel", why: "", rule: "", words: "" } as never;
  const evidence: Said[] = [
    { dns: novel, registry: denied("plain") },
    { dns: NONE, registry: novel },
    { dns: NONE, registry: { ...denied("plain"), notice: novel } },
    { dns: NONE, registry: denied("plain", { canary: novel }) },
    { dns: NONE, registry: denied("plain", { policy: novel }) },
    { dns: NONE, registry: { kind: "registered", canary: novel } },
    {},
  ];
  for (const verdict of evidence.map(decide)) {
    assertEquals([stateOf(verdict), verdict.source], ["unknown", "rdap"]);
    assertEquals(verdict.error, "The stored evidence for this name is not readable");
    assertEquals(verdict.cause, "unreadable");
  }
});

Deno.test("decide() takes a record as proof unless the registry has one of a made-up name", () => {
  const stateBy = (canary: Canary | undefined) =>
    stateOf(decide({ dns: NONE, registry: { kind: "registered", canary } }));
  assertEquals([undefined, PASSED, LYING, UNTESTED].map(stateBy), [
    "taken",
    "taken",
    "taken",
    "taken",
  ]);
  for (const dns of [NONE, NO_DNS]) {
    const verdict = decide({ dns, registry: UNPROVEN });
    assertEquals([stateOf(verdict), verdict.available], ["unknown", false]);
    assertEquals(verdict.likely, "taken");
    assertEquals(
      verdict.error,
      "The registry's record of this name proves nothing: its RDAP server has one of a made-up name, too",
    );
  }
  assertEquals(decide({ dns: DELEGATED, registry: UNPROVEN }), decide({ dns: DELEGATED }));
});

/** The cause of an unknown verdict, by the evidence for it. */
const CAUSES: [cause: UnknownCause, evidence: Said][] = [
  ["unlisted", { dns: NONE, registry: UNLISTED }],
  ["registry", { dns: NONE, registry: LIMITED }],
  ["registry_limited", { dns: NONE, registry: { ...LIMITED, fault: "limited" } }],
  ["registry_down", { dns: NO_DNS, registry: { ...LIMITED, fault: "down" } }],
  ["dns", { dns: NO_DNS, registry: denied("plain") }],
  ["canary_failed", { dns: NONE, registry: denied("plain", { canary: LYING }) }],
  ["canary_failed", { dns: NONE, registry: UNPROVEN }],
  ["canary_undecided", { dns: NONE, registry: denied("plain", { canary: UNTESTED }) }],
  ["policy", { dns: NONE, registry: denied("plain", { policy: NO_POLICY }) }],
  ["just_dropped", { dns: NONE, registry: denied("plain", { policy: JUST_DROPPED }) }],
  ["notice", { dns: NONE, registry: denied("unread") }],
  ["unsupported", { dns: NONE, registry: denied("unsupported") }],
];

Deno.test("decide() returns the cause of each unknown verdict, and none for a known state", () => {
  assertEquals(
    CAUSES.map(([, evidence]) => decide(evidence).cause),
    CAUSES.map(([cause]) => cause),
  );
  for (const { evidence, state } of TABLE) {
    assertEquals(decide(evidence).cause === undefined, state !== "unknown");
  }
});

Deno.test("decide() returns retryAfter in whole seconds, at least 1, only when the registry's failure has a pause", () => {
  const retryAfter = (retryAfterMs: number) =>
    decide({ dns: NONE, registry: { ...LIMITED, retryAfterMs } as RegistryEvidence }).retryAfter;
  assertEquals([0, 1, 1_000, 1_001, 60_000].map(retryAfter), [1, 1, 1, 2, 60]);
  assertEquals("retryAfter" in decide({ dns: NONE, registry: LIMITED }), false);
});

Deno.test("INTERNAL_ERROR and CANCELLED are unknown with source dns", () => {
  for (const verdict of [INTERNAL_ERROR, CANCELLED]) {
    assertEquals([stateOf(verdict), verdict.source], ["unknown", "dns"]);
  }
  assertEquals([INTERNAL_ERROR.cause, CANCELLED.cause], ["internal", "cancelled"]);
});

Deno.test("verdictOf() returns every cached verdict without its reason", () => {
  const sources = { dns: [{ dns: DELEGATED }], rdap: TABLE.map(({ evidence }) => evidence) };
  for (const evidence of [...sources.dns, ...sources.rdap]) {
    const { reason: _, ...verdict } = decide(evidence);
    const state = stateOf(verdict);
    assertEquals(verdictOf(state, verdict.source), state === "unknown" ? undefined : verdict);
  }
  assertEquals(verdictOf("novel" as never, "rdap"), undefined);
});

Deno.test("lifetimeMs() is an hour for taken, 5 minutes for available, a day for reserved and 0 for unknown", () => {
  const minutes = (evidence: Said) => lifetimeMs(decide(evidence)) / 60_000;
  assertEquals(minutes({ dns: DELEGATED }), 60);
  assertEquals(minutes({ dns: NONE, registry: REGISTERED }), 60);
  assertEquals(minutes({ dns: NONE, registry: denied("plain") }), 5);
  assertEquals(minutes({ dns: NONE, registry: denied("premium") }), 5);
  assertEquals(minutes({ dns: NONE, registry: denied("reserved") }), 24 * 60);
  assertEquals(minutes({ dns: NONE, registry: LIMITED }), 0);
});

Deno.test("decide() by DNS alone never says available, and only a delegation is cached", () => {
  const verdicts = [DELEGATED, NONE, NO_DNS].map((dns) => decide({ dns }));
  assertEquals(verdicts.map(({ available }) => available), [false, false, false]);
  assertEquals(verdicts.map(({ status }) => status), [["active"], ["unknown", "undelegated"], [
    "unknown",
  ]]);
  assertEquals(verdicts.map(stateOf), ["taken", "unknown", "unknown"]);
  assertEquals(verdicts.map((verdict) => lifetimeMs(verdict) > 0), [true, false, false]);
  assertEquals(verdicts.map(({ source }) => source), ["dns", "dns", "dns"]);
  assertEquals(verdicts.map(({ cause }) => cause), [undefined, "dns_only", "dns"]);
  assertEquals(verdicts.map(({ error }) => error), [
    undefined,
    "Not in DNS; the registry was not asked",
    "DNS could not be asked, and the registry was not: it did not answer in time",
  ]);
});

Deno.test("decide() by DNS alone is unknown when DNS answers with a kind that it does not know", () => {
  const { available, status, cause } = decide({ dns: { kind: "novel" } as never });
  assertEquals([available, status, cause], [false, ["unknown"], "unreadable"]);
});
