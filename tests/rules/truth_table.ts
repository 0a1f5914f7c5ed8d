/** What leads to which answer, as rows: the tests of the verdict check each. */
import type {
  Canary,
  DnsAnswer,
  LabelPolicy,
  Notice,
  RestrictingRule,
  WhoisAnswer,
} from "../../src/rules/answer.ts";
import type { Denial, RegistryEvidence, Said, State, Verdict } from "../../src/rules/verdict.ts";

/** One row. */
export interface TruthRow {
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
export const TRUTH_TABLE: readonly TruthRow[] = [
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
  { finding: "no record by WHOIS alone, under a TLD that sells at the third level only", evidence: { dns: NONE, registry: { kind: "unlisted" } }, whois: { kind: "notFound", askedAt: 0, rule: THIRD_LEVEL }, state: "reserved", source: "rdap", says: "com.br only" },
  { finding: "no answer by RDAP and no record by WHOIS, under a TLD that may sell at the third level only", evidence: { dns: NONE, registry: LIMITED }, whois: { kind: "notFound", askedAt: 0, rule: MAYBE_THIRD_LEVEL }, state: "unknown", source: "rdap", says: "Unknown whether" },
  { finding: "not in DNS, and no RDAP server is known for the TLD", evidence: { dns: NONE, registry: { kind: "unlisted" } }, state: "unknown", source: "dns", says: "No RDAP server" },
  { finding: "available by RDAP, and WHOIS has a record of the name", evidence: { dns: NONE, registry: denied("plain") }, whois: { kind: "registered", askedAt: 0 }, state: "unknown", source: "rdap", says: "WHOIS server has a record" },
  { finding: "available by RDAP, and WHOIS says reserved or blocked", evidence: { dns: NONE, registry: denied("plain") }, whois: { kind: "reserved", askedAt: 0, words: "Blocked" }, state: "reserved", source: "whois", says: "Blocked" },
  { finding: "available by RDAP, and WHOIS has no record or does not answer", evidence: { dns: NONE, registry: denied("plain") }, whois: { kind: "notFound", askedAt: 0 }, state: "available", source: "rdap" },
  { finding: "no answer by RDAP, and WHOIS has a record of the name", evidence: { dns: NONE, registry: LIMITED }, whois: { kind: "registered", askedAt: 0 }, state: "taken", source: "whois" },
  { finding: "no answer by RDAP, and WHOIS has no record", evidence: { dns: NONE, registry: LIMITED }, whois: { kind: "notFound", askedAt: 0 }, state: "unknown", source: "rdap", says: "probably available" },
];
