import { assertEquals } from "@std/assert";
import type { Canary, WhoisAnswer } from "../../src/rules/answer.ts";
import { impliedEntries, isByRule, type Testimony, toEntries } from "../../src/rules/evidence.ts";
import { MEANINGS } from "../../static/vocabulary.js";
import { decide, type RegistryEvidence, type Verdict } from "../../src/rules/verdict.ts";
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

const AT = Date.UTC(2026, 10, 22, 7);

function exchange<Answer>(answer: Answer, said?: string) {
  return { answer, host: "host.example", said, askedAt: AT, ms: 12.4 };
}

const FAULTS = ["limited", "down", "unclear", "unasked"] as const;
const KINDS = Object.keys(NOTICES) as (keyof typeof NOTICES)[];
const TESTS = Object.values<Canary>(CANARIES);
const UNTESTED: WhoisAnswer = { ...WHOIS.registered, test: "failed" };
const WHOIS_ANSWERS: WhoisAnswer[] = [...Object.values(WHOIS), UNTESTED];
const OTHER_REGISTRIES: readonly RegistryEvidence[] = [
  ...[REGISTRIES.unlisted, REGISTRIES.registered],
  ...TESTS.map((canary): RegistryEvidence => ({ kind: "registered", canary })),
  ...FAULTS.map((fault) => ({ ...REGISTRIES.limited, fault })),
];

const entryOf = (testimony: Testimony) => toEntries(testimony)[0]!;

Deno.test("toEntries() prints who said what, when, and how long it took", () => {
  assertEquals(toEntries({ dns: exchange(DNS.delegated, "ns1.example") }), [{
    witness: "dns",
    host: "host.example",
    said: "ns1.example",
    means: "delegated",
    askedAt: "2026-11-22T07:00:00.000Z",
    ms: 12,
    cached: false,
  }]);
  const registrar = entryOf({ registrars: [exchange(REGISTRARS.sells)] });
  assertEquals([registrar.witness, registrar.said], ["registrar:shopcom", ""]);
});

Deno.test("toEntries() adds what the canary found and when, and the rule unless it allows the label", () => {
  const rdapOf = (registry: RegistryEvidence) =>
    entryOf({ rdap: exchange(registry, "404 Not Found") });
  const testedAt = "2026-11-22T06:00:00.000Z";
  const at = Date.parse(testedAt);
  const ofTest = denied("plain", { canary: { ...CANARIES.failed, testedAt: at } });
  assertEquals(rdapOf(ofTest).canary, { found: "failed", testedAt });
  const untested = denied("plain", { canary: CANARIES.failed });
  assertEquals(rdapOf(untested).canary, { found: "failed" });
  const rules = Object.values(POLICIES).map((policy) => rdapOf(denied("plain", { policy })).rule);
  assertEquals(rules, [
    undefined,
    { means: "forbidden", text: "No such names are sold" },
    { means: "unknown", text: "The rules are not known" },
  ]);
  const whois: WhoisAnswer = { ...WHOIS.notFound, rule: POLICIES.forbidden };
  assertEquals(entryOf({ whois: exchange(whois) }).rule, rules[1]);
  assertEquals(rdapOf(denied("plain", { isUnsold: true })).canary, undefined);
  const closed = rdapOf({ kind: "closed", why: "Only for members" });
  assertEquals(closed.rule, { means: "forbidden", text: "Only for members" });
  // The words that decide, which may stand in a notice that is not quoted otherwise.
  const quoted = (["plain", "reserved"] as const).map((notice) => rdapOf(denied(notice)).said);
  assertEquals(quoted, ["404 Not Found", "404 kept back"]);
  // Of a record, only a test that has shown that it proves nothing.
  for (const canary of [undefined, ...TESTS]) {
    const isLying = canary?.kind === "failed" && canary.confirmsMadeUp;
    const tested = canary && { ...canary, testedAt: at };
    const shown = rdapOf({ kind: "registered", canary: tested }).canary;
    assertEquals(shown, isLying ? { found: "failed", testedAt } : undefined);
  }
  for (const answer of WHOIS_ANSWERS) {
    const { canary } = entryOf({ whois: exchange(answer) });
    assertEquals(canary, "test" in answer ? { found: "failed" } : undefined);
  }
});

Deno.test("toEntries() prints the meaning of each answer, by words of MEANINGS of which those for sales are no witness's", () => {
  const testimonies: readonly Testimony[][] = [
    Object.values(DNS).map((answer) => ({ dns: exchange(answer) })),
    KINDS.map((notice) => ({ rdap: exchange(denied(notice)) })),
    OTHER_REGISTRIES.map((answer) => ({ rdap: exchange(answer) })),
    WHOIS_ANSWERS.map((answer) => ({ whois: exchange(answer) })),
    [{ registrars: Object.values(REGISTRARS).map((answer) => exchange(answer)) }],
  ];
  const means = testimonies.map((said) => said.flatMap(toEntries).map(({ means }) => means));
  assertEquals(means.map((words) => words.join(" ")), [
    "delegated not_delegated no_answer blind not_asked invalid",
    "not_found premium reserved unread",
    "no_server registered registered registered registered registered limited no_answer unclear not_asked",
    "registered not_found reserved premium unread not_asked not_in_service failed registered",
    "sells sells_premium sells_premium refuses failed not_asked",
  ]);
  const used: readonly string[] = means.flat();
  const others = Object.keys(MEANINGS).filter((word) => !used.includes(word));
  assertEquals(others, ["for_sale", "parked"]);
});

const HOSTS = { dns: "system", rdap: "rdap.example" };

function impliedBy(verdict: Verdict) {
  return impliedEntries({ ...verdict, checkedAt: "2026-11-22T07:00:00.000Z" }, HOSTS);
}

Deno.test("impliedEntries() quotes the words of a reason, and has no others", () => {
  const [, rdap] = impliedBy(decide({ dns: DNS.none, registry: denied("reserved") }));
  assertEquals([rdap?.means, rdap?.said, rdap?.host], ["reserved", "kept back", "rdap.example"]);
  const verdict = decide({ dns: DNS.none, registry: denied("plain"), whois: WHOIS.reserved });
  const byWhois = impliedBy(verdict);
  const words = byWhois.map(({ witness, means, said, host }) => [witness, means, said, host]);
  assertEquals(words, [["whois", "reserved", WHOIS.reserved.words, ""]]);
  // As an earlier version stored it.
  const { reason: _, ...bare } = verdict;
  const [, stored] = impliedBy({ ...bare, source: "rdap" });
  assertEquals([stored?.means, stored?.said], ["reserved", ""]);
});

Deno.test("impliedEntries() has what each witness must have said for a verdict, and nothing for an unknown one", () => {
  const cases: [Verdict, words: string][] = [
    [{ state: "available", source: "rdap" }, "dns not_delegated, rdap not_found passed"],
    [{ state: "premium", source: "rdap" }, "dns not_delegated, rdap not_found passed"],
    [{ state: "reserved", source: "rdap" }, "dns not_delegated, rdap reserved passed"],
    [{ state: "taken", source: "dns" }, "dns delegated"],
    [{ state: "taken", source: "whois" }, "whois registered"],
    [decide({ dns: DNS.down }), ""],
  ];
  for (const [verdict, expected] of cases) {
    const entries = impliedBy(verdict).map(({ witness, means, canary }) =>
      [witness, means, canary?.found].join(" ").trim()
    );
    assertEquals(entries.join(), expected.replaceAll(", ", ","));
  }
});

Deno.test("isByRule() is true when a rule has reserved a name, even one that quotes as if the registry said it", () => {
  const verdictBy = (...denial: Parameters<typeof denied>) =>
    decide({ dns: DNS.none, registry: denied(...denial) });
  const rules = ["None", 'It is said: The registry says: "no"', 'The registry says: "no", always'];
  for (const rule of rules) {
    assertEquals(isByRule(verdictBy("plain", { policy: { kind: "forbidden", rule } })), true);
  }
  const { reason: _, ...bare } = verdictBy("reserved");
  const byWhois = decide({ dns: DNS.none, registry: denied("plain"), whois: WHOIS.reserved });
  const others = [verdictBy("reserved"), bare, verdictBy("plain"), byWhois];
  assertEquals([...others, verdictBy("plain", { policy: POLICIES.unknown })].filter(isByRule), []);
});
