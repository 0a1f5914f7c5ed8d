import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import type {
  DnsAnswer,
  Offer,
  RegistrarAnswer,
  RestrictingRule,
  WhoisAnswer,
} from "../../src/rules/answer.ts";
import {
  decide,
  isAvailable,
  lifetimeMs,
  type Said,
  type State,
  STATES,
  type Status,
  statusOf,
  type Verdict,
} from "../../src/rules/verdict.ts";
import {
  CANARIES,
  denied,
  DNS,
  NOTICES,
  POLICIES,
  REGISTRARS,
  REGISTRIES,
  WHOIS,
} from "../support/answers.ts";

/** What leads to which verdict, as a row. */
interface TruthRow extends Omit<Verdict, "reason" | "error"> {
  /** In words. */
  readonly finding: string;
  readonly evidence: Said;
  /** Asked besides, where the row is about it. */
  readonly whois?: WhoisAnswer;
  /** Part of the reason or the error. */
  readonly says?: string;
}

const THIRD_LEVEL: RestrictingRule = { kind: "forbidden", rule: "Sold under com.br only" };
const JUST_DROPPED = { kind: "unknown", isJustDropped: true, why: "held back" } as const;

/** Every row. */
// deno-fmt-ignore -- one row a line
const TRUTH_TABLE: readonly TruthRow[] = [
  { finding: "DNS shows name servers", evidence: { dns: DNS.delegated }, state: "taken", source: "dns" },
  { finding: "not in DNS, and the registry was not to be asked", evidence: { dns: DNS.none }, state: "unknown", source: "dns", cause: "dns_only", says: "Not in DNS; the registry was not asked" },
  { finding: "DNS does not answer, and the registry was not to be asked", evidence: { dns: DNS.down }, state: "unknown", source: "dns", cause: "dns", says: "DNS could not be asked, and the registry was not: it did not answer in time" },
  { finding: "DNS shows name servers, and the registry denies the name", evidence: { dns: DNS.delegated, registry: denied("plain", { policy: POLICIES.forbidden }) }, state: "taken", source: "dns" },
  { finding: "not in DNS, and the registry has a record of the name", evidence: { dns: DNS.none, registry: REGISTRIES.registered }, state: "taken", source: "rdap" },
  { finding: "DNS does not answer, and the registry has a record of the name", evidence: { dns: DNS.down, registry: REGISTRIES.registered }, state: "taken", source: "rdap" },
  { finding: "not in DNS, and a record from a registry that failed its test by denying registered names", evidence: { dns: DNS.none, registry: { kind: "registered", canary: CANARIES.failed } }, state: "taken", source: "rdap" },
  { finding: "not in DNS, and a record from a registry that has one of a random name, too", evidence: { dns: DNS.none, registry: REGISTRIES.unproven }, state: "unknown", source: "rdap", cause: "canary_failed", says: "proves nothing", likely: "taken" },
  { finding: "not in DNS, a record from a registry that has one of a random name, too, and WHOIS has a record of the name", evidence: { dns: DNS.none, registry: REGISTRIES.unproven }, whois: { kind: "registered", askedAt: 0 }, state: "taken", source: "whois" },
  { finding: "not in DNS, a record from a registry that has one of a random name, too, and WHOIS has no record", evidence: { dns: DNS.none, registry: REGISTRIES.unproven }, whois: { kind: "notFound", askedAt: 0 }, state: "unknown", source: "rdap", cause: "canary_failed", says: "proves nothing", likely: "taken" },
  { finding: "not in DNS, and a 404 as for a random name, from a registry that passed its test", evidence: { dns: DNS.none, registry: denied("plain") }, state: "available", source: "rdap" },
  { finding: "not in DNS, and a 404 that says premium, from a registry that passed its test", evidence: { dns: DNS.none, registry: denied("premium") }, state: "premium", source: "rdap" },
  { finding: "not in DNS, and a 404 that says reserved or blocked, from a registry that passed its test", evidence: { dns: DNS.none, registry: denied("reserved") }, state: "reserved", source: "rdap", says: "kept back" },
  { finding: "not in DNS, and a 404 with a text that no rule reads, from a registry that passed its test", evidence: { dns: DNS.none, registry: denied("unread") }, state: "unknown", source: "rdap", cause: "notice", says: "gesperrt" },
  { finding: "a 404 for a name that the TLD's rules forbid, or that no registry sells", evidence: { dns: DNS.none, registry: denied("plain", { policy: POLICIES.forbidden }) }, state: "reserved", source: "rdap", says: "No such names" },
  { finding: "a 404 that says reserved, for a name that the TLD's rules forbid, or that no registry sells", evidence: { dns: DNS.none, registry: denied("reserved", { policy: POLICIES.forbidden }) }, state: "reserved", source: "rdap", says: "No such names" },
  { finding: "a 404 for a name whose rules are not known", evidence: { dns: DNS.none, registry: denied("plain", { policy: POLICIES.unknown }) }, state: "unknown", source: "rdap", cause: "policy", says: "not known" },
  { finding: "a 404 for a name that was registered within two days, from a registry that may hold deleted names back", evidence: { dns: DNS.none, registry: denied("plain", { policy: JUST_DROPPED }) }, state: "unknown", source: "rdap", cause: "just_dropped", says: "held back" },
  { finding: "a 404 that says reserved, for a name whose rules are not known", evidence: { dns: DNS.none, registry: denied("reserved", { policy: POLICIES.unknown }) }, state: "reserved", source: "rdap", says: "kept back" },
  { finding: "a 404 that says reserved, from a registry that failed its test", evidence: { dns: DNS.none, registry: denied("reserved", { canary: CANARIES.failed }) }, state: "unknown", source: "rdap", cause: "canary_failed", says: "404 for registered names" },
  { finding: "a 404 for a forbidden name, from a registry that failed its test", evidence: { dns: DNS.none, registry: denied("plain", { canary: CANARIES.failed, policy: POLICIES.forbidden }) }, state: "unknown", source: "rdap", cause: "canary_failed", says: "404 for registered names" },
  { finding: "a 404 from a registry that could not be tested", evidence: { dns: DNS.none, registry: denied("premium", { canary: CANARIES.undecided }) }, state: "unknown", source: "rdap", cause: "canary_undecided", says: "could not be tested" },
  { finding: "a 404, and DNS does not answer", evidence: { dns: DNS.down, registry: denied("plain") }, state: "unknown", source: "rdap", cause: "dns", says: "DNS could not confirm", likely: "available" },
  { finding: "a 404 for a name that no DNS query can carry and that the TLD's rules forbid", evidence: { dns: DNS.invalid, registry: denied("plain", { policy: POLICIES.forbidden }) }, state: "reserved", source: "rdap", says: "No such names" },
  { finding: "a 404 for a name that no DNS query can carry and that the rules forbid, from a registry that failed its test", evidence: { dns: DNS.invalid, registry: denied("plain", { canary: CANARIES.failed, policy: POLICIES.forbidden }) }, state: "unknown", source: "rdap", cause: "canary_failed", says: "404 for registered names" },
  { finding: "a 404 for a name that the rules forbid, and DNS does not answer", evidence: { dns: DNS.down, registry: denied("plain", { policy: POLICIES.forbidden }) }, state: "unknown", source: "rdap", cause: "dns", says: "DNS could not confirm" },
  { finding: "not in DNS, and the registry does not answer or asks for a pause", evidence: { dns: DNS.none, registry: REGISTRIES.limited }, state: "unknown", source: "rdap", cause: "registry_limited", says: "too many" },
  { finding: "a public suffix, or a name under a TLD that is closed to the public: no server is asked", evidence: { registry: { kind: "closed", why: "Only its company" } }, state: "reserved", source: "rdap", says: "Only its company" },
  { finding: "a 404 under a TLD that sells at the third level only, even from a registry that failed its test", evidence: { dns: DNS.none, registry: denied("premium", { canary: CANARIES.failed, policy: THIRD_LEVEL, isUnsold: true }) }, state: "reserved", source: "rdap", says: "com.br only" },
  { finding: "a 404 under a TLD that sells at the third level only, and DNS does not answer", evidence: { dns: DNS.down, registry: denied("plain", { policy: THIRD_LEVEL, isUnsold: true }) }, state: "unknown", source: "rdap", cause: "dns", says: "DNS could not confirm" },
  { finding: "not in DNS, and no RDAP server is known for the TLD", evidence: { dns: DNS.none, registry: REGISTRIES.unlisted }, state: "unknown", source: "dns", cause: "unlisted", says: "No RDAP server" },
  { finding: "a 404 that says premium, and DNS does not answer", evidence: { dns: DNS.down, registry: denied("premium") }, state: "unknown", source: "rdap", cause: "dns", likely: "available" },
  { finding: "a 404 with a text that no rule reads, and DNS does not answer", evidence: { dns: DNS.down, registry: denied("unread") }, state: "unknown", source: "rdap", cause: "dns" },
  { finding: "a 404 from a registry that failed its test, and DNS does not answer", evidence: { dns: DNS.down, registry: denied("plain", { canary: CANARIES.failed }) }, state: "unknown", source: "rdap", cause: "dns" },
  { finding: "a 404 that says reserved, from a registry that failed its test, and WHOIS has no record", evidence: { dns: DNS.none, registry: denied("reserved", { canary: CANARIES.failed }) }, whois: WHOIS.notFound, state: "unknown", source: "rdap", cause: "canary_failed" },
  { finding: "a 404 from a registry that could not be tested and WHOIS has no record, and DNS does not answer", evidence: { dns: DNS.down, registry: denied("plain", { canary: CANARIES.undecided }) }, whois: WHOIS.notFound, state: "unknown", source: "rdap", cause: "dns", says: "could not confirm it: it did not answer in time; the registry's WHOIS has no record", likely: "available" },
  { finding: "a 404 and WHOIS has other words, and DNS does not answer", evidence: { dns: DNS.down, registry: denied("plain") }, whois: WHOIS.unread, state: "unknown", source: "rdap", cause: "dns" },
  { finding: "a 404, but WHOIS has other words", evidence: { dns: DNS.none, registry: denied("plain") }, whois: WHOIS.unread, state: "unknown", source: "rdap", cause: "whois_unread", says: ': "gesperrt"' },
  { finding: "a 404, and WHOIS refuses our queries", evidence: { dns: DNS.none, registry: denied("plain") }, whois: { ...WHOIS.missing, fault: "limited" }, state: "unknown", source: "rdap", cause: "whois_missing", says: "withholds, refuses our queries", likely: "available", retryAfter: 3 },
  { finding: "a 404 for a name whose rules are not known, and a record by WHOIS", evidence: { dns: DNS.none, registry: denied("plain", { policy: POLICIES.unknown }) }, whois: WHOIS.registered, state: "unknown", source: "rdap", cause: "whois" },
  { finding: "a 404 from a registry that could not be tested, and a record by WHOIS", evidence: { dns: DNS.none, registry: denied("plain", { canary: CANARIES.undecided }) }, whois: WHOIS.registered, state: "taken", source: "whois" },
];

const STATUS: Readonly<Record<State, readonly Status[]>> = {
  available: ["undelegated", "inactive"],
  premium: ["undelegated", "inactive", "premium"],
  reserved: ["undelegated"],
  taken: ["undelegated", "active"],
  unknown: ["unknown"],
};

function expectedStatus({ evidence: { dns }, state, source, cause }: TruthRow): readonly Status[] {
  if (state === "taken" && source === "dns") return ["active"];
  const isConfirmed = dns?.kind === "none" && /^(?:dns_only|whois)/.test(cause ?? "");
  return isConfirmed ? ["unknown", "undelegated"] : STATUS[state];
}

for (const [place, row] of TRUTH_TABLE.entries()) {
  const { finding, evidence, whois, state, source, cause, says = "", likely, retryAfter } = row;
  Deno.test(`row ${place + 1} of the truth table: ${state}, if ${finding}`, () => {
    const verdict = decide({ ...evidence, whois });
    const found = [verdict.state, statusOf(verdict), verdict.source, verdict.cause];
    assertEquals(found, [state, expectedStatus(row), source, cause]);
    assertEquals([verdict.likely, verdict.retryAfter], [likely, retryAfter]);
    assertEquals(verdict.error !== undefined, state === "unknown");
    assertEquals(verdict.reason !== undefined, state === "reserved");
    assertStringIncludes(`${verdict.error ?? verdict.reason}`, says);
  });
}

Deno.test("decide() returns available only when DNS shows none, the 404 is plain, the canary passed and the label is allowed", () => {
  const anyDenial = fc.record({
    kind: fc.constant("notFound" as const),
    notice: fc.constantFrom(...Object.values(NOTICES)),
    canary: fc.constantFrom(CANARIES.passed, CANARIES.failed, CANARIES.undecided),
    policy: fc.constantFrom(POLICIES.allowed, POLICIES.forbidden, POLICIES.unknown, JUST_DROPPED),
  });
  fc.assert(
    fc.property(
      fc.constantFrom<DnsAnswer>(DNS.none, DNS.delegated, DNS.down, DNS.invalid),
      fc.oneof(anyDenial, fc.constantFrom(...Object.values(REGISTRIES))),
      (dns, registry) => {
        const verdict = decide({ dns, registry });
        const isProven = dns.kind === "none" && registry.kind === "notFound" &&
          ["plain", "premium"].includes(registry.notice.kind) &&
          registry.canary.kind === "passed" && registry.policy.kind === "allowed";
        assertEquals(isAvailable(verdict), isProven);
      },
    ),
    { numRuns: 2_000 },
  );
});

Deno.test("decide() returns retryAfter in whole seconds, at least 1, only when the registry's failure has a pause", () => {
  const retryAfter = (retryAfterMs: number) =>
    decide({ dns: DNS.none, registry: { ...REGISTRIES.limited, retryAfterMs } })
      .retryAfter;
  assertEquals([0, 1, 1_000, 1_001, 60_000].map(retryAfter), [1, 1, 1, 2, 60]);
  assertEquals("retryAfter" in decide({ dns: DNS.none, registry: REGISTRIES.limited }), false);
});

Deno.test("lifetimeMs() is how long a verdict is cached", () => {
  const minutes = STATES.map((state) => lifetimeMs({ state, source: "rdap" }) / 60_000);
  assertEquals(minutes, [5, 5, 24 * 60, 60, 0]);
});

/** What DNS and RDAP say. */
const CASES = {
  delegated: { dns: DNS.delegated },
  registered: { dns: DNS.none, registry: REGISTRIES.registered },
  reserved: { dns: DNS.none, registry: denied("reserved") },
  available: { dns: DNS.none, registry: denied("plain") },
  premium: { dns: DNS.none, registry: denied("premium") },
  limited: { dns: DNS.none, registry: REGISTRIES.limited },
  paused: { dns: DNS.none, registry: REGISTRIES.paused },
  unlisted: { dns: DNS.none, registry: REGISTRIES.unlisted },
  unread: { dns: DNS.none, registry: denied("unread") },
  noDns: { dns: DNS.down, registry: denied("plain") },
} satisfies Record<string, Said>;

type Case = keyof typeof CASES;

/** The state that each WHOIS answer leads to; the same as before where it is not listed. */
const AGAINST = {
  registered: "unknown",
  reserved: "reserved",
  unread: "unknown",
  missing: "unknown",
} as const;
const INSTEAD = { registered: "taken", reserved: "reserved" } as const;
const BY_WHOIS: Readonly<Partial<Record<Case, Partial<Record<WhoisAnswer["kind"], State>>>>> = {
  available: { ...AGAINST, premium: "premium" },
  premium: AGAINST,
  limited: INSTEAD,
  paused: INSTEAD,
  unlisted: INSTEAD,
  unread: INSTEAD,
  noDns: { registered: "unknown", reserved: "reserved" },
};

const entries = <K extends string, V>(record: Readonly<Record<K, V>>) =>
  Object.entries(record) as [K, V][];

for (const [name, said] of entries<Case, Said>(CASES)) {
  const { likely: _, ...verdict } = decide(said);
  for (const [kind, whois] of entries(WHOIS)) {
    const state = BY_WHOIS[name]?.[kind] ?? verdict.state;
    Deno.test(`decide() returns ${state} for ${name} when WHOIS says ${kind}`, () => {
      const { likely: _, ...result } = decide({ ...said, whois });
      assertEquals(result.state, state);
      assertEquals(result.error !== undefined, state === "unknown");
      assertEquals(result.reason !== undefined, state === "reserved");
      const isChanged = state !== verdict.state;
      const isKnown = state === "taken" || state === "reserved";
      if (isChanged) assertEquals(result.source, isKnown ? "whois" : "rdap");
      const addsWords = kind === "notFound" || kind === "missing" ||
        name === "noDns" && kind === "registered";
      if (!isChanged && !addsWords) assertEquals(result, verdict);
    });
  }
}

Deno.test("decide() returns likely taken for an unknown name only when an untested WHOIS server has a record of it, and then calls none available", () => {
  for (const test of ["failed", "undecided"] as const) {
    for (const said of Object.values<Said>(CASES)) {
      const verdict = decide(said);
      const result = decide({ ...said, whois: { kind: "registered", askedAt: 1, test } });
      const isOpen = verdict.state === "unknown";
      if (isAvailable(verdict)) assertEquals(result.cause, "whois");
      else assertEquals(result, isOpen ? { ...verdict, likely: "taken" } : verdict);
    }
  }
});

Deno.test("decide() says when to ask again where RDAP settles nothing and WHOIS was not asked, the later time if RDAP has one too", () => {
  for (const said of [CASES.limited, CASES.unlisted, CASES.unread, CASES.noDns]) {
    const { retryAfter, error } = decide({ ...said, whois: WHOIS.missing });
    const words = `${decide(said).error}; its WHOIS server could not be asked yet`;
    assertEquals([retryAfter, error], [3, words]);
  }
  const after = (retryAfterMs: number) =>
    decide({ ...CASES.paused, whois: { ...WHOIS.missing, retryAfterMs } });
  const first = decide(CASES.paused);
  assertEquals([after(5_000), after(2_500)], [first, first]);
  assertEquals(after(61_500).retryAfter, 62);
});

Deno.test("decide() calls a name likely available that WHOIS denies where RDAP says nothing usable, unless a rule speaks against the label", () => {
  const tests = [CANARIES.failed, CANARIES.undecided];
  const untested = tests.map((canary) => denied("plain", { canary }));
  const { unlisted, limited, paused } = REGISTRIES;
  for (const registry of [unlisted, limited, paused, ...untested]) {
    const { error: words, ...before } = decide({ dns: DNS.none, registry });
    const { error, likely, ...rest } = decide({ dns: DNS.none, registry, whois: WHOIS.notFound });
    assertEquals([rest, likely], [before, "available"], "the pause and the cause stay");
    assertEquals(error, `${words}; the registry's WHOIS has no record, so probably available`);
    const ruled = (dns: DnsAnswer, rule: RestrictingRule) =>
      decide(
        registry.kind === "notFound"
          ? { dns, registry: { ...registry, policy: rule }, whois: WHOIS.notFound }
          : { dns, registry, whois: { ...WHOIS.notFound, rule } },
      );
    const reserved = ruled(DNS.none, POLICIES.forbidden);
    assertEquals([reserved.state, reserved.reason], ["reserved", "No such names are sold"]);
    const unconfirmed = ruled(DNS.down, POLICIES.forbidden);
    assertEquals(unconfirmed.error?.match(/DNS could not confirm it/g)?.length, 1);
    const open = [DNS.none, DNS.down].map((dns) => ruled(dns, POLICIES.unknown));
    assertEquals(open.map(({ cause }) => cause), ["policy", "policy"]);
    for (const { likely } of [reserved, unconfirmed, ...open]) assertEquals(likely, undefined);
  }
  for (const name of ["unread", "noDns", "available"] as const) {
    assertEquals(decide({ ...CASES[name], whois: WHOIS.notFound }), decide(CASES[name]));
  }
  // An answer that is no denial may speak against the name.
  const registry = { kind: "failed", fault: "unclear", why: "It answered 422" } as const;
  const { likely } = decide({ dns: DNS.none, registry, whois: WHOIS.notFound });
  assertEquals(likely, undefined);
});

Deno.test("decide() lets a registrar's yes stand in for a missing WHOIS only where the row says that it is enough", () => {
  const verdictOf = (isRegistrarEnough: true | undefined, registrar: RegistrarAnswer) => {
    const whois: WhoisAnswer = { ...WHOIS.missing, isRegistrarEnough };
    const verdict = decide({ ...CASES.available, whois, registrars: [registrar] });
    return [verdict.state, verdict.likely, verdict.offer?.price];
  };
  const { failed, missing } = REGISTRARS;
  const waiting = decide({ ...CASES.available, registrars: [missing, failed] });
  assertEquals([waiting.state, waiting.likely], ["unknown", "available"]);
  assertEquals(verdictOf(true, REGISTRARS.sells), ["available", undefined, 9]);
  assertEquals(verdictOf(true, REGISTRARS.sellsPremium), ["premium", undefined, 900]);
  assertEquals(verdictOf(true, REGISTRARS.premium), ["premium", undefined, undefined]);
  assertEquals(verdictOf(true, REGISTRARS.failed), ["unknown", "available", undefined]);
  assertEquals(verdictOf(undefined, REGISTRARS.sells), ["unknown", "available", 9]);
  assertEquals(verdictOf(true, REGISTRARS.refuses), ["unknown", undefined, undefined]);
  assertEquals(verdictOf(undefined, REGISTRARS.refuses), ["unknown", undefined, undefined]);
});

// deno-fmt-ignore -- one row a line
const BY_REGISTRARS: [answers: RegistrarAnswer[], available: State, premium: State, offer?: Offer][] = [
  [[], "available", "premium"],
  [[REGISTRARS.failed], "available", "premium"],
  [[REGISTRARS.sells], "available", "premium", REGISTRARS.sells.offer],
  // Of two answers the stronger one decides.
  [[REGISTRARS.premium, REGISTRARS.sellsPremium], "premium", "premium", REGISTRARS.sellsPremium.offer],
  [[REGISTRARS.sells, REGISTRARS.premium], "premium", "premium"],
  [[REGISTRARS.refuses, REGISTRARS.sells], "available", "premium", REGISTRARS.sells.offer],
  [[REGISTRARS.missing, REGISTRARS.refuses], "unknown", "unknown"],
];

for (const [registrars, available, premium, offer] of BY_REGISTRARS) {
  const said = registrars.map(({ kind }) => kind).join(", ") || "nothing";
  Deno.test(`decide() returns ${available} with ${offer?.price ?? "no price"} when registrars answer ${said}`, () => {
    const results = [CASES.available, CASES.premium].map((said) => decide({ ...said, registrars }));
    assertEquals(results.map(({ state }) => state), [available, premium]);
    assertEquals(results.map((result) => result.offer), [offer, offer]);
    const unknown = results.filter(({ state }) => state === "unknown");
    for (const { isUndelegated, cause, error } of unknown) {
      assertEquals([isUndelegated, cause], [true, "registrar"]);
      assertMatch(error ?? "", /Shop\.com does not sell it/);
    }
  });
}

Deno.test("decide() never makes a name available by a further witness, and lets no registrar change what is not", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values<Said>(CASES)),
      fc.option(fc.constantFrom(...Object.values(WHOIS)), { nil: undefined }),
      fc.array(fc.constantFrom(...Object.values<RegistrarAnswer>(REGISTRARS)), { maxLength: 3 }),
      (said, whois, registrars) => {
        const result = decide({ ...said, whois, registrars });
        if (isAvailable(decide(said))) return;
        assertEquals(result, decide({ ...said, whois }));
        assert(!isAvailable(result));
      },
    ),
  );
});
