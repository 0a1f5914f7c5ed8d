import { assertEquals } from "@std/assert";
import type {
  Canary,
  DnsAnswer,
  LabelPolicy,
  Notice,
  RegistrarAnswer,
  WhoisAnswer,
} from "../../src/rules/answer.ts";
import {
  describeEntry,
  type EvidenceEntry,
  type Exchange,
  impliedEntries,
  isByRule,
  type Testimony,
  toEntries,
} from "../../src/rules/evidence.ts";
import { MEANINGS } from "../../static/vocabulary.js";
import { decide, type RegistryEvidence, type Verdict, verdictOf } from "../../src/rules/verdict.ts";

const AT = Date.UTC(2026, 10, 22, 7);

function exchange<Answer>(answer: Answer, said?: string): Exchange<Answer> {
  return { answer, host: "host.example", said, askedAt: AT, ms: 12.4 };
}

const DNS: readonly DnsAnswer[] = [
  { kind: "delegated", askedAt: AT, said: "ns1.example" },
  { kind: "none", askedAt: AT },
  { kind: "failed", fault: "down", why: "late" },
  { kind: "failed", fault: "blind", why: "hides names" },
  { kind: "failed", fault: "invalid", why: "no such query" },
  { kind: "failed", fault: "unasked", why: "full" },
];
const NOTICES: readonly Notice[] = [
  { kind: "plain" },
  { kind: "premium" },
  { kind: "reserved", words: "kept back" },
  { kind: "unsupported" },
  { kind: "unread", words: "who knows" },
];
const CANARIES: readonly Canary[] = [
  { kind: "passed", witness: "google", templates: [] },
  { kind: "failed", why: "lies" },
  { kind: "failed", why: "lies", confirmsMadeUp: true },
  { kind: "undecided", why: "untested" },
];
const POLICIES: readonly LabelPolicy[] = [
  { kind: "allowed" },
  { kind: "forbidden", rule: "No IDNs are sold" },
  { kind: "unknown", why: "The IDN policy is not known" },
];
const WHOIS: readonly WhoisAnswer[] = [
  { kind: "registered", askedAt: AT },
  { kind: "notFound", askedAt: AT },
  { kind: "reserved", askedAt: AT, words: "Blocked" },
  { kind: "premium", askedAt: AT },
  { kind: "failed", fault: "down", why: "silent" },
  { kind: "missing", fault: "limited", retryAfterMs: 1 },
  { kind: "absent", why: "shut" },
  { kind: "unread", askedAt: 1, words: "Gesperrt" },
  { kind: "registered", askedAt: AT, test: "failed" },
];
const offer = (premium: boolean) => ({ registrar: "Shop.com", price: 9, premium, years: 1 });
const REGISTRARS: readonly RegistrarAnswer[] = [
  { kind: "sells", askedAt: AT, offer: offer(false) },
  { kind: "sells", askedAt: AT, offer: offer(true) },
  { kind: "premium", askedAt: AT, registrar: "Shop.com" },
  { kind: "refuses", askedAt: AT, registrar: "Shop.com" },
  { kind: "failed", registrar: "Shop.com", why: "silent" },
  { kind: "missing", registrar: "Shop.com" },
];
const denied = (
  notice: Notice,
  { canary = CANARIES[0]!, policy = POLICIES[0]!, isUnsold = false } = {},
): RegistryEvidence => ({ kind: "notFound", notice, canary, policy, isUnsold });
const OTHER_REGISTRIES: readonly RegistryEvidence[] = [
  { kind: "unlisted" },
  { kind: "registered" },
  ...CANARIES.map((canary): RegistryEvidence => ({ kind: "registered", canary })),
  ...(["limited", "down", "unclear", "unasked"] as const)
    .map((fault): RegistryEvidence => ({ kind: "failed", fault, why: fault })),
];

const entryOf = (testimony: Testimony) => toEntries(testimony)[0]!;

Deno.test("toEntries() prints who said what, when, and how long it took", () => {
  assertEquals(toEntries({ dns: exchange(DNS[0]!, "ns1.example") }), [{
    witness: "dns",
    host: "host.example",
    said: "ns1.example",
    means: "delegated",
    askedAt: "2026-11-22T07:00:00.000Z",
    ms: 12,
    cached: false,
  }]);
  const registrar = entryOf({ registrars: [exchange(REGISTRARS[0]!)] });
  assertEquals([registrar.witness, registrar.said], ["registrar:shopcom", ""]);
});

Deno.test("toEntries() adds what the canary found and when, and the rule unless it allows the label", () => {
  const rdapOf = (registry: RegistryEvidence, testedAt?: string) =>
    entryOf({ rdap: { ...exchange(registry, "404 Not Found"), testedAt } });
  const testedAt = "2026-11-22T06:00:00.000Z";
  const untested = denied(NOTICES[0]!, { canary: CANARIES[1]! });
  assertEquals(rdapOf(untested, testedAt).canary, { found: "failed", testedAt });
  assertEquals(rdapOf(untested).canary, { found: "failed" });
  const rules = POLICIES.map((policy) => rdapOf(denied(NOTICES[0]!, { policy })).rule);
  assertEquals(rules, [
    undefined,
    { means: "forbidden", text: "No IDNs are sold" },
    { means: "unknown", text: "The IDN policy is not known" },
  ]);
  const whois = exchange({ kind: "notFound", askedAt: AT, rule: POLICIES[1] } as WhoisAnswer);
  assertEquals(entryOf({ whois }).rule, rules[1]);
  assertEquals(rdapOf(denied(NOTICES[0]!, { isUnsold: true })).canary, undefined);
  const closed = rdapOf({ kind: "closed", why: "Only for members" });
  assertEquals(closed.rule, { means: "forbidden", text: "Only for members" });
  // The words that decide, which may stand in a notice that is not quoted otherwise.
  const quoted = [NOTICES[0]!, NOTICES[2]!].map((notice) => rdapOf(denied(notice)).said);
  assertEquals(quoted, ["404 Not Found", "404 kept back"]);
  // Of a record, only a test that has shown that it proves nothing.
  for (const canary of [undefined, ...CANARIES]) {
    const isLying = canary?.kind === "failed" && canary.confirmsMadeUp;
    const shown = rdapOf({ kind: "registered", canary }, testedAt).canary;
    assertEquals(shown, isLying ? { found: "failed", testedAt } : undefined);
  }
  for (const answer of WHOIS) {
    const { canary } = entryOf({ whois: exchange(answer) });
    assertEquals(canary, "test" in answer ? { found: "failed" } : undefined);
  }
});

Deno.test("toEntries() prints the meaning of each answer, by words of MEANINGS of which those for sales are no witness's", () => {
  const testimonies: readonly Testimony[][] = [
    DNS.map((answer) => ({ dns: exchange(answer) })),
    NOTICES.map((notice) => ({ rdap: exchange(denied(notice)) })),
    OTHER_REGISTRIES.map((answer) => ({ rdap: exchange(answer) })),
    WHOIS.map((answer) => ({ whois: exchange(answer) })),
    [{ registrars: REGISTRARS.map((answer) => exchange(answer)) }],
  ];
  const means = testimonies.map((said) => said.flatMap(toEntries).map(({ means }) => means));
  assertEquals(means.map((words) => words.join(" ")), [
    "delegated not_delegated no_answer blind invalid not_asked",
    "not_found premium reserved unsupported unread",
    "no_server registered registered registered registered registered limited no_answer unclear not_asked",
    "registered not_found reserved premium failed limited not_in_service unread registered",
    "sells sells_premium sells_premium refuses failed not_asked",
  ]);
  const used: readonly string[] = means.flat();
  const others = Object.keys(MEANINGS).filter((word) => !used.includes(word));
  assertEquals(others, ["for_sale", "parked"]);
});

const HOSTS = { dns: "system", rdap: "rdap.example" };
const CHECKED_AT = "2026-11-22T07:00:00.000Z";

function impliedBy(verdict: Verdict): EvidenceEntry[] {
  return impliedEntries({ ...verdict, checkedAt: CHECKED_AT }, HOSTS);
}

Deno.test("impliedEntries() quotes the words of a reason, and has no others", () => {
  const none = DNS[1]!;
  const [, rdap] = impliedBy(decide({ dns: none, registry: denied(NOTICES[2]!) }));
  assertEquals([rdap?.means, rdap?.said, rdap?.host], ["reserved", "kept back", "rdap.example"]);
  const verdict = decide({ dns: none, registry: denied(NOTICES[0]!), whois: WHOIS[2] });
  const byWhois = impliedBy(verdict);
  const words = byWhois.map(({ witness, means, said, host }) => [witness, means, said, host]);
  assertEquals(words, [["whois", "reserved", "Blocked", ""]]);
  // As an earlier version stored it.
  const { reason: _, ...bare } = verdict;
  const [, stored] = impliedBy({ ...bare, source: "rdap" });
  assertEquals([stored?.means, stored?.said], ["reserved", ""]);
});

Deno.test("impliedEntries() has what each witness must have said for a verdict, and nothing for an unknown one", () => {
  const cases: [Verdict | undefined, words: string][] = [
    [verdictOf("available", "rdap"), "dns not_delegated, rdap not_found passed"],
    [verdictOf("premium", "rdap"), "dns not_delegated, rdap premium passed"],
    [verdictOf("reserved", "rdap"), "dns not_delegated, rdap reserved passed"],
    [verdictOf("taken", "dns"), "dns delegated"],
    [verdictOf("taken", "whois"), "whois registered"],
    [decide({ dns: DNS[2]! }), ""],
  ];
  for (const [verdict, expected] of cases) {
    const entries = impliedBy(verdict!).map(({ witness, means, canary }) =>
      [witness, means, canary?.found].join(" ").trim()
    );
    assertEquals(entries.join(), expected.replaceAll(", ", ","));
  }
});

Deno.test("isByRule() is true when a rule has reserved a name, even one that quotes as if the registry said it", () => {
  const verdictBy = (notice: Notice, policy: LabelPolicy = POLICIES[0]!) =>
    decide({ dns: DNS[1]!, registry: denied(notice, { policy }) });
  const rules = ["None", 'It is said: The registry says: "no"', 'The registry says: "no", always'];
  const byRule = rules.map((rule) => verdictBy(NOTICES[0]!, { kind: "forbidden", rule }));
  assertEquals(byRule.map(isByRule), [true, true, true]);
  const { reason: _, ...bare } = verdictBy(NOTICES[2]!);
  const byWhois = decide({ dns: DNS[1]!, registry: denied(NOTICES[0]!), whois: WHOIS[2] });
  const others = [verdictBy(NOTICES[2]!), bare, verdictBy(NOTICES[0]!), byWhois];
  assertEquals([...others, verdictBy(NOTICES[0]!, POLICIES[2]!)].filter(isByRule), []);
});

Deno.test("describeEntry() is one line with the server, the meaning, the words and the notes", () => {
  const entry = { ...entryOf({ dns: exchange(DNS[1]!) }), host: "system" };
  const [rdap, said] = [{ witness: "rdap", host: "", means: "not_found" }, 'so it "says"'] as const;
  const passed = { found: "passed", testedAt: CHECKED_AT } as const;
  const closed = entryOf({ rdap: exchange({ kind: "closed", why: "Only its company" }) });
  const lines: [entry: Parameters<typeof describeEntry>[0], line: string][] = [
    [entry, "dns system: not delegated (12 ms)"],
    [
      { ...entry, ...rdap, said, cached: true, canary: passed, rule: { text: "None" } },
      `rdap: not found, "so it 'says'" (cached; test of its 404s at ${CHECKED_AT}: passed; rule: None)`,
    ],
    [
      { ...entry, canary: { found: "failed" } },
      "dns system: not delegated (12 ms; test of its 404s: failed)",
    ],
    [
      { ...closed, unlisted: true },
      "rdap host.example: not asked (12 ms; rule: Only its company; IANA does not list this server)",
    ],
  ];
  for (const [entry, line] of lines) assertEquals(describeEntry(entry), line);
});
