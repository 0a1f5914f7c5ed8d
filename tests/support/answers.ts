/** Answers of each kind that a witness can give, and what is known beside them. */
import type {
  Canary,
  DnsAnswer,
  LabelPolicy,
  Notice,
  RegistrarAnswer,
  WhoisAnswer,
} from "../../src/rules/answer.ts";
import type { RegistryDetails } from "../../src/rules/readers/registry_details.ts";
import type { Denial, RegistryEvidence } from "../../src/rules/verdict.ts";

const down = { kind: "failed", fault: "down", why: "it did not answer in time" } as const;

/** Of DNS, by kind and fault. */
export const DNS = {
  delegated: { kind: "delegated", askedAt: 0 },
  none: { kind: "none", askedAt: 0 },
  down,
  blind: { ...down, fault: "blind" },
  unasked: { ...down, fault: "unasked" },
  /** No query can carry the name. */
  invalid: { ...down, fault: "invalid" },
} satisfies Record<string, DnsAnswer>;

const failed = { kind: "failed", why: "it answers 404 for registered names" } as const;

/** What the test of a registry's server found. */
export const CANARIES = {
  passed: { kind: "passed", witness: "google", templates: [] },
  failed,
  confirmsMadeUp: { ...failed, confirmsMadeUp: true },
  undecided: { kind: "undecided", why: "it could not be tested" },
} satisfies Record<string, Canary>;

/** The rules for a label. */
export const POLICIES = {
  allowed: { kind: "allowed" },
  forbidden: { kind: "forbidden", rule: "No such names are sold" },
  unknown: { kind: "unknown", why: "The rules are not known" },
} satisfies Record<LabelPolicy["kind"], LabelPolicy>;

/** What a 404 says. */
export const NOTICES = {
  plain: { kind: "plain" },
  premium: { kind: "premium" },
  reserved: { kind: "reserved", words: "kept back" },
  unread: { kind: "unread", words: "gesperrt" },
} satisfies Record<Notice["kind"], Notice>;

/** Of a registry without a 404. */
export const REGISTRIES = {
  unlisted: { kind: "unlisted" },
  registered: { kind: "registered" },
  unproven: { kind: "registered", canary: CANARIES.confirmsMadeUp },
  limited: { kind: "failed", fault: "limited", why: "too many requests" },
  paused: { kind: "failed", fault: "unasked", why: "it wants a pause", retryAfterMs: 5_000 },
} satisfies Record<string, RegistryEvidence>;

/** The 404 of a registry that has passed its test for a label that is allowed, unless it is said otherwise. */
export function denied(notice: Notice["kind"], more: Partial<Denial> = {}): Denial {
  const [{ passed: canary }, { allowed: policy }] = [CANARIES, POLICIES];
  return { kind: "notFound", notice: NOTICES[notice], canary, policy, ...more };
}

/** Of WHOIS. */
export const WHOIS = {
  registered: { kind: "registered", askedAt: 1 },
  notFound: { kind: "notFound", askedAt: 1 },
  reserved: { kind: "reserved", askedAt: 1, words: "Blocked by GlobalBlock" },
  premium: { kind: "premium", askedAt: 1 },
  unread: { kind: "unread", askedAt: 1, words: "gesperrt" },
  missing: { kind: "missing", fault: "unasked", retryAfterMs: 2_500 },
  absent: { kind: "absent", why: "port 43 is shut" },
  failed: { kind: "failed", fault: "down", why: "silent" },
} satisfies Record<WhoisAnswer["kind"], WhoisAnswer>;

const registrar = "Shop.com";
const offer = { registrar, price: 9, renewal: 12, premium: false, years: 1 };

/** Of registrars. */
export const REGISTRARS = {
  sells: { kind: "sells", askedAt: 1, offer },
  sellsPremium: { kind: "sells", askedAt: 1, offer: { ...offer, price: 900, premium: true } },
  premium: { kind: "premium", askedAt: 1, registrar },
  refuses: { kind: "refuses", askedAt: 1, registrar },
  failed: { kind: "failed", registrar, why: "silent" },
  missing: { kind: "missing", registrar },
} satisfies Record<string, RegistrarAnswer>;

/** The details of a record that says nothing but that the name is registered. */
export const NO_DETAILS: RegistryDetails = { status: [], nameServers: [] };
