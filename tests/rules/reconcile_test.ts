import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import type { Offer, RegistrarAnswer, WhoisAnswer } from "../../src/rules/answer.ts";
import {
  type FurtherAnswers,
  mayWhoisChange,
  reconcile,
  REGISTRARS_NOT_ASKED,
} from "../../src/rules/reconcile.ts";
import {
  CANCELLED,
  decide,
  type RegistryEvidence,
  type State,
  stateOf,
  type Verdict,
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

const VERDICTS = {
  delegated: decide({ dns: { kind: "delegated", askedAt: 0 } }),
  registered: decide({ dns: NONE, registry: { kind: "registered" } }),
  reserved: decide({ dns: NONE, registry: denied("reserved") }),
  available: decide({ dns: NONE, registry: denied("plain") }),
  premium: decide({ dns: NONE, registry: denied("premium") }),
  limited: decide({ dns: NONE, registry: limited }),
  paused: decide({ dns: NONE, registry: paused }),
  unlisted: decide({ dns: NONE, registry: { kind: "unlisted" } }),
  unread: decide({ dns: NONE, registry: denied("unread") }),
  noDns: decide({
    dns: { kind: "failed", fault: "down", why: "silent" },
    registry: denied("plain"),
  }),
  cancelled: CANCELLED,
} satisfies Record<string, Verdict>;

type Case = keyof typeof VERDICTS;

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
  limited: { registered: "taken" },
  paused: { registered: "taken" },
  unlisted: { registered: "taken", reserved: "reserved" },
  unread: { registered: "taken" },
  noDns: { registered: "taken" },
};

const entries = <K extends string, V>(record: Readonly<Record<K, V>>) =>
  Object.entries(record) as [K, V][];

for (const [name, verdict] of entries<Case, Verdict>(VERDICTS)) {
  for (const [kind, whois] of entries(WHOIS)) {
    const state = BY_WHOIS[name]?.[kind] ?? stateOf(verdict);
    Deno.test(`reconcile() returns ${state} for ${name} when WHOIS says ${kind}`, () => {
      const result = reconcile(verdict, { whois });
      assertEquals(stateOf(result), state);
      assertEquals(result.error !== undefined, state === "unknown");
      assertEquals(result.reason !== undefined, state === "reserved");
      assertEquals(result.cause !== undefined, state === "unknown");
      if (state === stateOf(verdict) && kind !== "notFound") assertEquals(result, verdict);
      if (state !== stateOf(verdict)) assert(mayWhoisChange(verdict));
    });
  }
}

Deno.test("reconcile() returns likely taken for an unknown name only when an untested WHOIS server has a record of it, and then calls none available", () => {
  for (const test of ["failed", "undecided"] as const) {
    for (const verdict of Object.values(VERDICTS)) {
      const result = reconcile(verdict, { whois: { kind: "registered", askedAt: 1, test } });
      const isOpen = stateOf(verdict) === "unknown" && verdict !== VERDICTS.cancelled;
      if (verdict.available) assertEquals(result.cause, "whois");
      else assertEquals(result, isOpen ? { ...verdict, likely: "taken" } : verdict);
    }
  }
});

Deno.test("reconcile() names WHOIS as the source when it decides", () => {
  const taken = reconcile(VERDICTS.limited, { whois: WHOIS.registered });
  assertEquals([taken.source, taken.status], ["whois", ["undelegated", "active"]]);
  const reserved = reconcile(VERDICTS.available, { whois: WHOIS.reserved });
  assertEquals([reserved.source, reserved.status], ["whois", ["undelegated"]]);
  assertMatch(reserved.reason ?? "", /WHOIS says: "Blocked by GlobalBlock"/);
});

Deno.test("reconcile() returns likely available, and when to ask again, where a needed witness did not answer", () => {
  for (
    const [fault, words] of [
      ["unasked", "could not be asked yet"],
      ["limited", "refuses our queries"],
      ["down", "did not answer"],
      ["unclear", "has trouble"],
    ] as const
  ) {
    const whois: WhoisAnswer = { kind: "missing", fault, retryAfterMs: 2_500 };
    const result = reconcile(VERDICTS.available, { whois });
    const { available, status, cause, likely, retryAfter, error = "" } = result;
    assertEquals([available, status], [false, ["unknown", "undelegated"]]);
    assertEquals(cause, "whois_missing");
    assertEquals([likely, retryAfter, error.endsWith(words)], ["available", 3, true], error);
  }
});

Deno.test("reconcile() returns the later time to ask again where neither RDAP nor a needed WHOIS server was asked", () => {
  const after = (retryAfterMs: number) =>
    reconcile(VERDICTS.paused, { whois: { kind: "missing", fault: "unasked", retryAfterMs } });
  assertEquals([after(5_000), after(2_500)], [VERDICTS.paused, VERDICTS.paused]);
  const { retryAfter, error } = after(61_500);
  assertEquals([retryAfter, error], [62, "paused; its WHOIS, which is needed, in 62 s"]);
});

Deno.test("reconcile() quotes what no phrase reads in WHOIS", () => {
  const { cause, error } = reconcile(VERDICTS.available, { whois: WHOIS.unread });
  assertEquals(cause, "whois_unread");
  assertMatch(error ?? "", /^The registry's WHOIS answers otherwise .*: "gesperrt"$/);
});

Deno.test("reconcile() returns unknown and not in DNS when RDAP and WHOIS of the registry differ", () => {
  const { status, cause, source, error } = reconcile(VERDICTS.available, {
    whois: WHOIS.registered,
  });
  assertEquals([status, cause, source], [["unknown", "undelegated"], "whois", "rdap"]);
  assertMatch(error ?? "", /WHOIS server has a record/);
});

Deno.test("reconcile() calls a name likely available that WHOIS denies where no RDAP server is known", () => {
  const { state, likely, error } = {
    state: stateOf(VERDICTS.unlisted),
    ...reconcile(VERDICTS.unlisted, { whois: WHOIS.notFound }),
  };
  assertEquals([state, likely], ["unknown", "available"]);
  assertMatch(error ?? "", /WHOIS has no record, so probably available$/);
});

Deno.test("reconcile() says probably available when RDAP has no answer and WHOIS has no record", () => {
  for (const name of ["limited", "paused"] as const) {
    const { error, ...rest } = reconcile(VERDICTS[name], { whois: WHOIS.notFound });
    const { error: before, ...others } = VERDICTS[name];
    assertEquals(rest, others, "the pause and the cause stay");
    assertEquals(error, `${before}; its WHOIS has no record, so probably available`);
  }
  for (const name of ["unread", "noDns", "cancelled", "available"] as const) {
    assertEquals(reconcile(VERDICTS[name], { whois: WHOIS.notFound }), VERDICTS[name]);
  }
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
  Deno.test(`reconcile() returns ${available} with ${offer?.price ?? "no price"} when registrars answer ${said}`, () => {
    const results = [VERDICTS.available, VERDICTS.premium].map((verdict) =>
      reconcile(verdict, { registrars })
    );
    assertEquals(results.map(stateOf), [available, premium]);
    assertEquals(results.map((result) => result.offer), [offer, offer]);
    for (const { status, cause, error } of results.filter((one) => stateOf(one) === "unknown")) {
      assertEquals([status, cause], [["unknown", "undelegated"], "registrar"]);
      assertMatch(error ?? "", /Shop does not sell it/);
    }
  });
}

Deno.test("a verdict that rests on a registrar's refusal, or lacks its answer, is unknown", () => {
  const refused = reconcile(VERDICTS.available, { registrars: [REFUSES] });
  for (const { source, cause, status } of [refused, REGISTRARS_NOT_ASKED]) {
    assertEquals([source, cause, status], ["rdap", "registrar", ["unknown", "undelegated"]]);
  }
});

Deno.test("reconcile() does not let a registrar change what is taken, reserved or unknown", () => {
  for (const [, verdict] of entries<Case, Verdict>(VERDICTS)) {
    if (verdict.available) continue;
    for (const answer of [SELLS, SELLS_PREMIUM, SAYS_PREMIUM, REFUSES, SILENT]) {
      assertEquals(reconcile(verdict, { registrars: [answer] }), verdict);
    }
  }
});

Deno.test("reconcile() never makes a name available", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(VERDICTS)),
      fc.option(fc.constantFrom(...Object.values(WHOIS)), { nil: undefined }),
      fc.array(fc.constantFrom(SELLS, SELLS_PREMIUM, SAYS_PREMIUM, REFUSES, SILENT), {
        maxLength: 3,
      }),
      (verdict, whois, registrars) => {
        const result = reconcile(verdict, { whois, registrars });
        assert(!result.available || verdict.available);
        assertEquals(result.status.includes("inactive"), result.available);
        assertEquals(result.premium, stateOf(result) === "premium");
      },
    ),
  );
});

Deno.test("reconcile() returns unknown when an answer has an unknown kind", () => {
  const novel = { kind: "novel" } as never;
  const unreadable: FurtherAnswers[] = [{ whois: novel }, { registrars: [novel] }];
  for (const answers of unreadable) {
    const verdict = reconcile(VERDICTS.available, answers);
    assertEquals([stateOf(verdict), verdict.cause], ["unknown", "unreadable"]);
  }
});
