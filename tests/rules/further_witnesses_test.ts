import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import type {
  Offer,
  RegistrarAnswer,
  RestrictingRule,
  WhoisAnswer,
} from "../../src/rules/answer.ts";
import {
  decide,
  type RegistryEvidence,
  type Said,
  type State,
  stateOf,
} from "../../src/rules/verdict.ts";

const NONE = { kind: "none", askedAt: 0 } as const;

function denied(notice: "plain" | "premium" | "reserved" | "unread"): RegistryEvidence {
  return {
    kind: "notFound",
    notice: { kind: notice, words: "kept back" },
    canary: { kind: "passed", witness: "google", templates: [] },
    policy: { kind: "allowed" },
  };
}

const limited: RegistryEvidence = { kind: "failed", why: "429", fault: "limited" };
const paused: RegistryEvidence = { kind: "failed", why: "paused", retryAfterMs: 5_000 };

/** What DNS and RDAP say. */
const CASES = {
  delegated: { dns: { kind: "delegated", askedAt: 0 } },
  registered: { dns: NONE, registry: { kind: "registered" } },
  reserved: { dns: NONE, registry: denied("reserved") },
  available: { dns: NONE, registry: denied("plain") },
  premium: { dns: NONE, registry: denied("premium") },
  limited: { dns: NONE, registry: limited },
  paused: { dns: NONE, registry: paused },
  unlisted: { dns: NONE, registry: { kind: "unlisted" } },
  unread: { dns: NONE, registry: denied("unread") },
  noDns: { dns: { kind: "failed", fault: "down", why: "silent" }, registry: denied("plain") },
} satisfies Record<string, Said>;

type Case = keyof typeof CASES;

const WHOIS: Readonly<Record<WhoisAnswer["kind"], WhoisAnswer>> = {
  registered: { kind: "registered", askedAt: 1 },
  notFound: { kind: "notFound", askedAt: 1 },
  reserved: { kind: "reserved", askedAt: 1, words: "Blocked by GlobalBlock" },
  premium: { kind: "premium", askedAt: 1 },
  unread: { kind: "unread", askedAt: 1, words: "gesperrt" },
  missing: { kind: "missing", fault: "unasked", retryAfterMs: 2_500 },
  absent: { kind: "absent", why: "port 43 is shut" },
  failed: { kind: "failed", fault: "down", why: "silent" },
};

const OFFER: Offer = { registrar: "Shop", price: 9, renewal: 12, premium: false, years: 1 };
const SELLS: RegistrarAnswer = { kind: "sells", askedAt: 1, offer: OFFER };
const SELLS_PREMIUM: RegistrarAnswer = { ...SELLS, offer: { ...OFFER, price: 900, premium: true } };
const SAYS_PREMIUM: RegistrarAnswer = { kind: "premium", askedAt: 1, registrar: "Shop" };
const REFUSES: RegistrarAnswer = { kind: "refuses", askedAt: 1, registrar: "Shop" };
const SILENT: RegistrarAnswer = { kind: "failed", registrar: "Shop", why: "silent" };

/** The state that each WHOIS answer leads to; the same as before where it is not listed. */
const BY_WHOIS: Readonly<Partial<Record<Case, Partial<Record<WhoisAnswer["kind"], State>>>>> = {
  available: {
    registered: "unknown",
    reserved: "reserved",
    premium: "premium",
    unread: "unknown",
    missing: "unknown",
  },
  premium: { registered: "unknown", reserved: "reserved", unread: "unknown", missing: "unknown" },
  limited: { registered: "taken", reserved: "reserved" },
  paused: { registered: "taken", reserved: "reserved" },
  unlisted: { registered: "taken", reserved: "reserved" },
  unread: { registered: "taken", reserved: "reserved" },
  noDns: { registered: "unknown", reserved: "reserved" },
};

const entries = <K extends string, V>(record: Readonly<Record<K, V>>) =>
  Object.entries(record) as [K, V][];

for (const [name, said] of entries<Case, Said>(CASES)) {
  const { likely: _, ...verdict } = decide(said);
  for (const [kind, whois] of entries(WHOIS)) {
    const state = BY_WHOIS[name]?.[kind] ?? stateOf(verdict);
    Deno.test(`decide() returns ${state} for ${name} when WHOIS says ${kind}`, () => {
      const { likely: _, ...result } = decide({ ...said, whois });
      assertEquals(stateOf(result), state);
      assertEquals(result.error !== undefined, state === "unknown");
      assertEquals(result.reason !== undefined, state === "reserved");
      assertEquals(result.cause !== undefined, state === "unknown");
      const addsWords = kind === "notFound" || kind === "missing" ||
        name === "noDns" && kind === "registered";
      if (state === stateOf(verdict) && !addsWords) assertEquals(result, verdict);
    });
  }
}

Deno.test("decide() returns likely taken for an unknown name only when an untested WHOIS server has a record of it, and then calls none available", () => {
  for (const test of ["failed", "undecided"] as const) {
    for (const said of Object.values<Said>(CASES)) {
      const verdict = decide(said);
      const result = decide({ ...said, whois: { kind: "registered", askedAt: 1, test } });
      const isOpen = stateOf(verdict) === "unknown";
      if (verdict.available) assertEquals(result.cause, "whois");
      else assertEquals(result, isOpen ? { ...verdict, likely: "taken" } : verdict);
    }
  }
});

Deno.test("decide() names WHOIS as the source when it decides", () => {
  const taken = decide({ ...CASES.limited, whois: WHOIS.registered });
  assertEquals([taken.source, taken.status], ["whois", ["undelegated", "active"]]);
  const reserved = decide({ ...CASES.available, whois: WHOIS.reserved });
  assertEquals([reserved.source, reserved.status], ["whois", ["undelegated"]]);
  assertMatch(reserved.reason ?? "", /WHOIS says: "Blocked by GlobalBlock"/);
});

Deno.test("decide() returns likely available, and when to ask again, where a needed witness did not answer", () => {
  for (
    const [fault, words] of [
      ["unasked", "could not be asked yet"],
      ["limited", "refuses our queries"],
      ["down", "did not answer"],
      ["unclear", "has trouble"],
    ] as const
  ) {
    const whois: WhoisAnswer = { kind: "missing", fault, retryAfterMs: 2_500 };
    const result = decide({ ...CASES.available, whois });
    const { available, status, cause, likely, retryAfter, error = "" } = result;
    assertEquals([available, status], [false, ["unknown", "undelegated"]]);
    assertEquals(cause, "whois_missing");
    assertEquals([likely, retryAfter, error.endsWith(words)], ["available", 3, true], error);
  }
});

Deno.test("decide() says when to ask again where RDAP settles nothing and WHOIS was not asked, the later time if RDAP has one too", () => {
  for (const said of [CASES.limited, CASES.unlisted, CASES.unread, CASES.noDns]) {
    const { retryAfter, error } = decide({ ...said, whois: WHOIS.missing });
    const words = `${decide(said).error}; its WHOIS server could not be asked yet`;
    assertEquals([retryAfter, error], [3, words]);
  }
  const after = (retryAfterMs: number) =>
    decide({ ...CASES.paused, whois: { kind: "missing", fault: "unasked", retryAfterMs } });
  const first = decide(CASES.paused);
  assertEquals([after(5_000), after(2_500)], [first, first]);
  const { retryAfter, error } = after(61_500);
  assertEquals([retryAfter, error], [
    62,
    "paused; its WHOIS server could not be asked yet",
  ]);
});

Deno.test("decide() calls no name taken by WHOIS alone that a tested registry denies", () => {
  const unknown = { kind: "unknown", why: "Not known" } as const;
  const open = { ...denied("plain"), policy: unknown } as RegistryEvidence;
  for (const said of [CASES.noDns, { dns: NONE, registry: open }]) {
    const { status, cause, likely } = decide({ ...said, whois: WHOIS.registered });
    const isConfirmed = said.dns.kind === "none";
    assertEquals(status, isConfirmed ? ["unknown", "undelegated"] : ["unknown"]);
    assertEquals([cause, likely], ["whois", undefined]);
  }
  const canary = { kind: "undecided", why: "Silent" };
  const untested = { ...denied("plain"), canary } as RegistryEvidence;
  const taken = decide({ dns: NONE, registry: untested, whois: WHOIS.registered });
  assertEquals([stateOf(taken), taken.source], ["taken", "whois"]);
});

Deno.test("decide() quotes what no phrase reads in WHOIS", () => {
  const { cause, error } = decide({ ...CASES.available, whois: WHOIS.unread });
  assertEquals(cause, "whois_unread");
  assertMatch(error ?? "", /^The registry's WHOIS answers otherwise .*: "gesperrt"$/);
});

Deno.test("decide() returns unknown and not in DNS when RDAP and WHOIS of the registry differ", () => {
  const { status, cause, source, error } = decide({ ...CASES.available, whois: WHOIS.registered });
  assertEquals([status, cause, source], [["unknown", "undelegated"], "whois", "rdap"]);
  assertMatch(error ?? "", /WHOIS server has a record/);
});

Deno.test("decide() calls a name likely available that WHOIS denies where RDAP says nothing usable", () => {
  const unusable: RegistryEvidence[] = [
    CASES.unlisted.registry,
    limited,
    paused,
    { ...denied("plain"), notice: { kind: "unsupported" } } as RegistryEvidence,
    { ...denied("plain"), canary: { kind: "failed", why: "It denies all" } } as RegistryEvidence,
  ];
  for (const registry of unusable) {
    const before = decide({ dns: NONE, registry });
    const { error, likely, ...rest } = decide({ dns: NONE, registry, whois: WHOIS.notFound });
    const { error: words, ...others } = before;
    assertEquals([rest, likely], [others, "available"], "the pause and the cause stay");
    assertEquals(error, `${words}; the registry's WHOIS has no record, so probably available`);
  }
  for (const name of ["unread", "noDns", "available"] as const) {
    assertEquals(decide({ ...CASES[name], whois: WHOIS.notFound }), decide(CASES[name]));
  }
});

Deno.test("decide() follows the rule for the label where WHOIS denies a name and RDAP says nothing that counts", () => {
  const whois = WHOIS.notFound as Extract<WhoisAnswer, { kind: "notFound" }>;
  const unusable: ((rule: RestrictingRule) => Omit<Said, "dns">)[] = [
    (rule) => ({ registry: limited, whois: { ...whois, rule } }),
    (rule) => ({ registry: CASES.unlisted.registry, whois: { ...whois, rule } }),
    ...[
      { notice: { kind: "unsupported" } },
      { canary: { kind: "failed", why: "It denies all" } },
      { canary: { kind: "undecided", why: "Silent" } },
    ].map((denial) => (policy: RestrictingRule) => ({
      registry: { ...denied("plain"), ...denial, policy } as RegistryEvidence,
      whois,
    })),
  ];
  for (const said of unusable) {
    const forbidden = said({ kind: "forbidden", rule: "Not sold" });
    const reserved = decide({ dns: NONE, ...forbidden });
    assertEquals([stateOf(reserved), reserved.reason], ["reserved", "Not sold"]);
    const unconfirmed = decide({ dns: CASES.noDns.dns, ...forbidden });
    assertMatch(unconfirmed.error ?? "", /DNS could not confirm it/);
    const open = decide({ dns: NONE, ...said({ kind: "unknown", why: "Not known" }) });
    assertEquals([open.cause, open.error], ["policy", "Not known"]);
    for (const { likely } of [reserved, unconfirmed, open]) assertEquals(likely, undefined);
  }
});

Deno.test("decide() calls a denied name that DNS could not confirm likely available, unless something speaks against it", () => {
  const { dns } = CASES.noDns;
  const likely = (registry: object, whois?: WhoisAnswer) =>
    decide({ dns, registry: { ...denied("plain"), ...registry } as RegistryEvidence, whois })
      .likely;
  assertEquals([likely({}), likely({ notice: { kind: "premium" } })], ["available", "available"]);
  assertEquals(likely({}, WHOIS.notFound), "available");
  for (
    const against of [
      { notice: { kind: "unread", words: "" } },
      { notice: { kind: "reserved", words: "" } },
      { canary: { kind: "failed", why: "" } },
      { policy: { kind: "unknown", why: "" } },
      { policy: { kind: "forbidden", rule: "" } },
    ]
  ) assertEquals(likely(against), undefined, JSON.stringify(against));
  assertEquals([likely({}, WHOIS.reserved), likely({}, WHOIS.unread)], [undefined, undefined]);
});

Deno.test("decide() lets a registrar's yes stand in for a missing WHOIS only where the row says that it is enough", () => {
  const missing = { kind: "missing", fault: "unasked", retryAfterMs: 2_500 } as const;
  const verdictOf = (isRegistrarEnough: true | undefined, ...registrars: RegistrarAnswer[]) => {
    const whois: WhoisAnswer = { ...missing, isRegistrarEnough };
    const verdict = decide({ ...CASES.available, whois, registrars });
    return [stateOf(verdict), verdict.likely, verdict.offer?.price];
  };
  assertEquals(verdictOf(true, SELLS), ["available", undefined, 9]);
  assertEquals(verdictOf(true, SELLS_PREMIUM), ["premium", undefined, 900]);
  assertEquals(verdictOf(true, SAYS_PREMIUM), ["premium", undefined, undefined]);
  assertEquals(verdictOf(true, SILENT), ["unknown", "available", undefined]);
  assertEquals(verdictOf(undefined, SELLS), ["unknown", "available", 9]);
  assertEquals(verdictOf(true, REFUSES), ["unknown", undefined, undefined]);
  assertEquals(verdictOf(undefined, REFUSES), ["unknown", undefined, undefined]);
});

// deno-fmt-ignore -- one row a line
const BY_REGISTRARS: [answers: RegistrarAnswer[], available: State, premium: State, offer?: Offer][] = [
  [[], "available", "premium"],
  [[SILENT], "available", "premium"],
  [[SELLS], "available", "premium", OFFER],
  [[SILENT, SELLS], "available", "premium", OFFER],
  [[REFUSES, SELLS], "available", "premium", OFFER],
  [[SELLS, REFUSES], "available", "premium", OFFER],
  [[SELLS_PREMIUM], "premium", "premium", SELLS_PREMIUM.offer],
  [[SELLS, SELLS_PREMIUM], "premium", "premium", SELLS_PREMIUM.offer],
  [[SAYS_PREMIUM, SELLS_PREMIUM], "premium", "premium", SELLS_PREMIUM.offer],
  [[SAYS_PREMIUM], "premium", "premium"],
  [[SELLS, SAYS_PREMIUM], "premium", "premium"],
  [[REFUSES, SAYS_PREMIUM], "premium", "premium"],
  [[REFUSES], "unknown", "unknown"],
  [[SILENT, REFUSES, SILENT], "unknown", "unknown"],
];

for (const [registrars, available, premium, offer] of BY_REGISTRARS) {
  const said = registrars.map(({ kind }) => kind).join(", ") || "nothing";
  Deno.test(`decide() returns ${available} with ${offer?.price ?? "no price"} when registrars answer ${said}`, () => {
    const results = [CASES.available, CASES.premium].map((said) => decide({ ...said, registrars }));
    assertEquals(results.map(stateOf), [available, premium]);
    assertEquals(results.map((result) => result.offer), [offer, offer]);
    for (const { status, cause, error } of results.filter((one) => stateOf(one) === "unknown")) {
      assertEquals([status, cause], [["unknown", "undelegated"], "registrar"]);
      assertMatch(error ?? "", /Shop does not sell it/);
    }
  });
}

Deno.test("decide() does not let a registrar change what is taken, reserved or unknown", () => {
  for (const said of Object.values<Said>(CASES)) {
    const verdict = decide(said);
    if (verdict.available) continue;
    for (const answer of [SELLS, SELLS_PREMIUM, SAYS_PREMIUM, REFUSES, SILENT]) {
      assertEquals(decide({ ...said, registrars: [answer] }), verdict);
    }
  }
});

Deno.test("decide() never makes a name available by a further witness", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values<Said>(CASES)),
      fc.option(fc.constantFrom(...Object.values(WHOIS)), { nil: undefined }),
      fc.array(fc.constantFrom(SELLS, SELLS_PREMIUM, SAYS_PREMIUM, REFUSES, SILENT), {
        maxLength: 3,
      }),
      (said, whois, registrars) => {
        const result = decide({ ...said, whois, registrars });
        assert(!result.available || decide(said).available);
        assertEquals(result.status.includes("inactive"), result.available);
        assertEquals(result.premium, stateOf(result) === "premium");
      },
    ),
  );
});

Deno.test("decide() returns unknown when a further witness's answer has an unknown kind", () => {
  const novel = { kind: "novel" } as never;
  for (const further of [{ whois: novel }, { registrars: [novel] }]) {
    const verdict = decide({ ...CASES.available, ...further });
    assertEquals([stateOf(verdict), verdict.cause], ["unknown", "unreadable"]);
  }
  assertEquals(decide({ ...CASES.limited, whois: novel }).cause, "unreadable");
});
