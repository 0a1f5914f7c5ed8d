import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import type {
  Canary,
  DnsAnswer,
  LabelPolicy,
  Notice,
  RestrictingRule,
  WhoisAnswer,
} from "../../src/rules/answer.ts";
import {
  CANCELLED,
  decide,
  type Denial,
  INTERNAL_ERROR,
  lifetimeMs,
  type RegistryEvidence,
  type Said,
  type State,
  stateOf,
  STATES,
  type Status,
  type UnknownCause,
  type Verdict,
  verdictOf,
} from "../../src/rules/verdict.ts";

/** What leads to which answer, as a row. */
interface TruthRow {
  /** In words. */
  readonly finding: string;
  readonly evidence: Said;
  /** Asked besides, where the row is about it. */
  readonly whois?: WhoisAnswer;
  readonly state: State;
  /** What the verdict rests on. */
  readonly source: Verdict["source"];
  /** Part of the reason or the error of the answer. */
  readonly says?: string;
}

const PASSED: Canary = { kind: "passed", witness: "google", templates: [] };
const FAILED: Canary = { kind: "failed", why: "it answers 404 for registered names" };
const CONFIRMS_ALL: Canary = {
  kind: "failed",
  why: "it has a record of a made-up name",
  confirmsMadeUp: true,
};
const UNDECIDED: Canary = { kind: "undecided", why: "it could not be tested" };
const NONE: DnsAnswer = { kind: "none", askedAt: 0 };
const DELEGATED: Extract<DnsAnswer, { kind: "delegated" }> = { kind: "delegated", askedAt: 0 };
const NO_DNS: DnsAnswer = { kind: "failed", fault: "down", why: "it did not answer in time" };
const NOT_A_NAME: DnsAnswer = {
  kind: "failed",
  fault: "invalid",
  why: "no DNS query can carry it",
};
const REGISTERED: RegistryEvidence = { kind: "registered" };
const UNPROVEN: RegistryEvidence = { kind: "registered", canary: CONFIRMS_ALL };
const UNLISTED: RegistryEvidence = { kind: "unlisted" };
const LIMITED: RegistryEvidence = { kind: "failed", fault: "limited", why: "too many requests" };
const ALLOWED: LabelPolicy = { kind: "allowed" };
const FORBIDDEN: LabelPolicy = { kind: "forbidden", rule: "No such names are sold" };
const NO_POLICY: LabelPolicy = { kind: "unknown", why: "The rules are not known" };
const THIRD_LEVEL: RestrictingRule = { kind: "forbidden", rule: "Sold under com.br only" };
const MAYBE_THIRD_LEVEL: RestrictingRule = { kind: "unknown", why: "Unknown whether sold" };
const JUST_DROPPED: LabelPolicy = {
  kind: "unknown",
  why: "Just dropped: it may be held back",
  isJustDropped: true,
};
const NOTICES: Readonly<Record<Notice["kind"], Notice>> = {
  plain: { kind: "plain" },
  premium: { kind: "premium" },
  reserved: { kind: "reserved", words: "kept back" },
  unsupported: { kind: "unsupported" },
  unread: { kind: "unread", words: "gesperrt" },
};

function denied(notice: Notice["kind"], more: Partial<Denial> = {}): Denial {
  return { kind: "notFound", notice: NOTICES[notice], canary: PASSED, policy: ALLOWED, ...more };
}

/** Every row. */
// deno-fmt-ignore -- one row a line
const TRUTH_TABLE: readonly TruthRow[] = [
  { finding: "DNS shows name servers", evidence: { dns: DELEGATED }, state: "taken", source: "dns" },
  { finding: "DNS shows name servers, and the registry denies the name", evidence: { dns: DELEGATED, registry: denied("plain", { policy: FORBIDDEN }) }, state: "taken", source: "dns" },
  { finding: "not in DNS, and the registry has a record of the name", evidence: { dns: NONE, registry: REGISTERED }, state: "taken", source: "rdap" },
  { finding: "DNS does not answer, and the registry has a record of the name", evidence: { dns: NO_DNS, registry: REGISTERED }, state: "taken", source: "rdap" },
  { finding: "not in DNS, and a record from a registry that failed its test by denying registered names", evidence: { dns: NONE, registry: { kind: "registered", canary: FAILED } }, state: "taken", source: "rdap" },
  { finding: "not in DNS, and a record from a registry that has one of a random name, too", evidence: { dns: NONE, registry: UNPROVEN }, state: "unknown", source: "rdap", says: "proves nothing" },
  { finding: "a record from a registry that has one of a random name, too, and DNS shows name servers", evidence: { dns: DELEGATED, registry: UNPROVEN }, state: "taken", source: "dns" },
  { finding: "not in DNS, a record from a registry that has one of a random name, too, and WHOIS has a record of the name", evidence: { dns: NONE, registry: UNPROVEN }, whois: { kind: "registered", askedAt: 0 }, state: "taken", source: "whois" },
  { finding: "not in DNS, a record from a registry that has one of a random name, too, and WHOIS has no record", evidence: { dns: NONE, registry: UNPROVEN }, whois: { kind: "notFound", askedAt: 0 }, state: "unknown", source: "rdap", says: "proves nothing" },
  { finding: "not in DNS, and a 404 as for a random name, from a registry that passed its test", evidence: { dns: NONE, registry: denied("plain") }, state: "available", source: "rdap" },
  { finding: "not in DNS, and a 404 that says premium, from a registry that passed its test", evidence: { dns: NONE, registry: denied("premium") }, state: "premium", source: "rdap" },
  { finding: "not in DNS, and a 404 that says reserved or blocked, from a registry that passed its test", evidence: { dns: NONE, registry: denied("reserved") }, state: "reserved", source: "rdap", says: "kept back" },
  { finding: "not in DNS, and a 404 with a text that no rule reads, from a registry that passed its test", evidence: { dns: NONE, registry: denied("unread") }, state: "unknown", source: "rdap", says: "gesperrt" },
  { finding: "a 404 from a server that does not serve the TLD", evidence: { dns: NONE, registry: denied("unsupported") }, state: "unknown", source: "rdap", says: "does not serve" },
  { finding: "a 404 from a server that does not serve the TLD, and DNS does not answer", evidence: { dns: NO_DNS, registry: denied("unsupported") }, state: "unknown", source: "rdap", says: "does not serve" },
  { finding: "a 404 from a server that does not serve the TLD and failed its test", evidence: { dns: NONE, registry: denied("unsupported", { canary: FAILED }) }, state: "unknown", source: "rdap", says: "does not serve" },
  { finding: "a 404 for a name that the TLD's rules forbid, or that no registry sells", evidence: { dns: NONE, registry: denied("plain", { policy: FORBIDDEN }) }, state: "reserved", source: "rdap", says: "No such names" },
  { finding: "a 404 that says premium, for a name that the TLD's rules forbid, or that no registry sells", evidence: { dns: NONE, registry: denied("premium", { policy: FORBIDDEN }) }, state: "reserved", source: "rdap", says: "No such names" },
  { finding: "a 404 for a name whose rules are not known", evidence: { dns: NONE, registry: denied("plain", { policy: NO_POLICY }) }, state: "unknown", source: "rdap", says: "not known" },
  { finding: "a 404 that says premium, for a name whose rules are not known", evidence: { dns: NONE, registry: denied("premium", { policy: NO_POLICY }) }, state: "unknown", source: "rdap", says: "not known" },
  { finding: "a 404 for a name that was registered within two days, from a registry that may hold deleted names back", evidence: { dns: NONE, registry: denied("plain", { policy: JUST_DROPPED }) }, state: "unknown", source: "rdap", says: "held back" },
  { finding: "a 404 that says reserved, for a name whose rules are not known", evidence: { dns: NONE, registry: denied("reserved", { policy: NO_POLICY }) }, state: "reserved", source: "rdap", says: "kept back" },
  { finding: "a 404 from a registry that failed its test", evidence: { dns: NONE, registry: denied("plain", { canary: FAILED }) }, state: "unknown", source: "rdap", says: "404 for registered names" },
  { finding: "a 404 that says reserved, from a registry that failed its test", evidence: { dns: NONE, registry: denied("reserved", { canary: FAILED }) }, state: "unknown", source: "rdap", says: "404 for registered names" },
  { finding: "a 404 for a forbidden name, from a registry that failed its test", evidence: { dns: NONE, registry: denied("plain", { canary: FAILED, policy: FORBIDDEN }) }, state: "unknown", source: "rdap", says: "404 for registered names" },
  { finding: "a 404 from a registry that could not be tested", evidence: { dns: NONE, registry: denied("premium", { canary: UNDECIDED }) }, state: "unknown", source: "rdap", says: "could not be tested" },
  { finding: "a 404, and DNS does not answer", evidence: { dns: NO_DNS, registry: denied("plain") }, state: "unknown", source: "rdap", says: "DNS could not confirm" },
  { finding: "a 404 that says reserved, and DNS does not answer", evidence: { dns: NO_DNS, registry: denied("reserved") }, state: "unknown", source: "rdap", says: "DNS could not confirm" },
  { finding: "a 404 for a name that no DNS query can carry and that the TLD's rules forbid", evidence: { dns: NOT_A_NAME, registry: denied("plain", { policy: FORBIDDEN }) }, state: "reserved", source: "rdap", says: "No such names" },
  { finding: "a 404 for a name that no DNS query can carry and that the rules forbid, from a registry that failed its test", evidence: { dns: NOT_A_NAME, registry: denied("plain", { canary: FAILED, policy: FORBIDDEN }) }, state: "unknown", source: "rdap", says: "404 for registered names" },
  { finding: "a 404 for a name that no DNS query can carry", evidence: { dns: NOT_A_NAME, registry: denied("plain") }, state: "unknown", source: "rdap", says: "DNS could not confirm" },
  { finding: "a 404 for a name that no DNS query can carry and whose rules are not known", evidence: { dns: NOT_A_NAME, registry: denied("plain", { policy: NO_POLICY }) }, state: "unknown", source: "rdap", says: "DNS could not confirm" },
  { finding: "a 404 for a name that the rules forbid, and DNS does not answer", evidence: { dns: NO_DNS, registry: denied("plain", { policy: FORBIDDEN }) }, state: "unknown", source: "rdap", says: "DNS could not confirm" },
  { finding: "not in DNS, and the registry does not answer or asks for a pause", evidence: { dns: NONE, registry: LIMITED }, state: "unknown", source: "rdap", says: "too many requests" },
  { finding: "a public suffix, or a name under a TLD that is closed to the public: no server is asked", evidence: { dns: NONE, registry: { kind: "closed", why: "Only its company" } }, state: "reserved", source: "rdap", says: "Only its company" },
  { finding: "a 404 under a TLD that sells at the third level only, even from a registry that failed its test", evidence: { dns: NONE, registry: denied("premium", { canary: FAILED, policy: THIRD_LEVEL, isUnsold: true }) }, state: "reserved", source: "rdap", says: "com.br only" },
  { finding: "a 404 under a TLD that may sell at the third level only", evidence: { dns: NONE, registry: denied("plain", { policy: MAYBE_THIRD_LEVEL }) }, state: "unknown", source: "rdap", says: "Unknown whether" },
  { finding: "a 404 under a TLD that sells at the third level only, and DNS does not answer", evidence: { dns: NO_DNS, registry: denied("plain", { policy: THIRD_LEVEL, isUnsold: true }) }, state: "unknown", source: "rdap", says: "DNS could not confirm" },
  { finding: "no record by WHOIS alone, under a TLD that sells at the third level only", evidence: { dns: NONE, registry: UNLISTED }, whois: { kind: "notFound", askedAt: 0, rule: THIRD_LEVEL }, state: "reserved", source: "rdap", says: "com.br only" },
  { finding: "no answer by RDAP and no record by WHOIS, under a TLD that may sell at the third level only", evidence: { dns: NONE, registry: LIMITED }, whois: { kind: "notFound", askedAt: 0, rule: MAYBE_THIRD_LEVEL }, state: "unknown", source: "rdap", says: "Unknown whether" },
  { finding: "not in DNS, and no RDAP server is known for the TLD", evidence: { dns: NONE, registry: UNLISTED }, state: "unknown", source: "dns", says: "No RDAP server" },
  { finding: "available by RDAP, and WHOIS has a record of the name", evidence: { dns: NONE, registry: denied("plain") }, whois: { kind: "registered", askedAt: 0 }, state: "unknown", source: "rdap", says: "WHOIS server has a record" },
  { finding: "available by RDAP, and WHOIS says reserved or blocked", evidence: { dns: NONE, registry: denied("plain") }, whois: { kind: "reserved", askedAt: 0, words: "Blocked" }, state: "reserved", source: "whois", says: "Blocked" },
  { finding: "available by RDAP, and WHOIS has no record or does not answer", evidence: { dns: NONE, registry: denied("plain") }, whois: { kind: "notFound", askedAt: 0 }, state: "available", source: "rdap" },
  { finding: "no answer by RDAP, and WHOIS has a record of the name", evidence: { dns: NONE, registry: LIMITED }, whois: { kind: "registered", askedAt: 0 }, state: "taken", source: "whois" },
  { finding: "no answer by RDAP, and WHOIS has no record", evidence: { dns: NONE, registry: LIMITED }, whois: { kind: "notFound", askedAt: 0 }, state: "unknown", source: "rdap", says: "probably available" },
];

const STATUS: Readonly<Record<State, readonly Status[]>> = {
  available: ["undelegated", "inactive"],
  premium: ["undelegated", "inactive", "premium"],
  reserved: ["undelegated"],
  taken: ["undelegated", "active"],
  unknown: ["unknown"],
};

function statusOf({ state, source, whois }: TruthRow): readonly Status[] {
  if (state === "taken" && source === "dns") return ["active"];
  const isDisputed = state === "unknown" && whois?.kind === "registered";
  return isDisputed ? ["unknown", "undelegated"] : STATUS[state];
}

for (const [place, row] of TRUTH_TABLE.entries()) {
  const { finding, evidence, whois, state, source, says = "" } = row;
  Deno.test(`row ${place + 1} of the truth table: ${state}, if ${finding}`, () => {
    const verdict = decide({ ...evidence, whois });
    assertEquals([stateOf(verdict), verdict.status, verdict.source], [
      state,
      statusOf(row),
      source,
    ]);
    assertEquals(verdict.available, state === "available" || state === "premium");
    assertEquals(verdict.premium, state === "premium");
    assertEquals(verdict.error !== undefined, state === "unknown");
    assertEquals(verdict.reason !== undefined, state === "reserved");
    assertStringIncludes(`${verdict.error ?? verdict.reason}`, says);
  });
}

Deno.test("the truth table has rows for every state", () => {
  const states = new Set(TRUTH_TABLE.map(({ state }) => state));
  assert(STATES.every((state) => states.has(state)));
});

/** The rows that are about DNS and RDAP alone. */
const TABLE = TRUTH_TABLE.filter(({ whois }) => whois === undefined);

const anyDenial = fc.record({
  kind: fc.constant("notFound" as const),
  notice: fc.constantFrom(...Object.values(NOTICES)),
  canary: fc.constantFrom(PASSED, FAILED, UNDECIDED),
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
  assertEquals([undefined, PASSED, FAILED, UNDECIDED].map(stateBy), [
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
  ["registry", { dns: NONE, registry: { kind: "failed", why: "429" } }],
  ["registry_limited", { dns: NONE, registry: LIMITED }],
  ["registry_down", { dns: NO_DNS, registry: { ...LIMITED, fault: "down" } }],
  ["dns", { dns: NO_DNS, registry: denied("plain") }],
  ["canary_failed", { dns: NONE, registry: denied("plain", { canary: FAILED }) }],
  ["canary_failed", { dns: NONE, registry: UNPROVEN }],
  ["canary_undecided", { dns: NONE, registry: denied("plain", { canary: UNDECIDED }) }],
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
