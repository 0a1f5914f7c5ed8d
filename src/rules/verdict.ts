/**
 * The verdict on a domain, as one pure function over what all witnesses said. Every union is read by an exhaustive `switch`:
 * a member without a branch does not compile, and `available` is returned in one place only.
 *
 * | what was said, the first line that fits                             | verdict                          |
 * | ------------------------------------------------------------------- | -------------------------------- |
 * | DNS answers NS                                                      | taken                            |
 * | a rule settles the name without a question                          | reserved                         |
 * | RDAP has a record, and not of random names too                      | taken                            |
 * | RDAP denies it, DNS too; the TLD sells at the third level only      | reserved                         |
 * | RDAP denies it, DNS too, test passed; a rule or the 404 forbids it  | reserved                         |
 * | the same, and nothing forbids it; WHOIS says reserved               | reserved                         |
 * | … WHOIS has a record, or words that no phrase reads                 | unknown                          |
 * | … no registrar sells it, and one refuses, or has not answered yet   | unknown                          |
 * | … WHOIS is needed and missing, no registrar's yes stands in         | unknown, likely available        |
 * | … all that differs speaks of the price                              | premium                          |
 * | …                                                                   | available                        |
 * | RDAP denies it, DNS or a rule leaves it open; WHOIS has a record    | unknown                          |
 * | not settled by RDAP, and WHOIS has a record                         | taken                            |
 * | not settled by RDAP, and WHOIS says reserved                        | reserved                         |
 * | RDAP unusable, WHOIS denies it, and no rule speaks                  | unknown, likely available        |
 * | anything else                                                       | unknown                          |
 *
 * `likely` is `available` where one tested server of the registry denies the name and a further witness is missing, and no
 * rule and no witness speaks against it; `taken` where a server without a passed test has a record of it.
 */
import type {
  Canary,
  DnsAnswer,
  LabelPolicy,
  Notice,
  Offer,
  RdapAnswer,
  RdapFault,
  RegistrarAnswer,
  RestrictingRule,
  WhoisAnswer,
} from "./answer.ts";
import { confirmsMadeUp } from "./tested_server.ts";

/** The words of a result's `status` (the vocabulary of Domainr; `inactive` means available for registration). */
export const STATUSES = ["unknown", "undelegated", "inactive", "active", "premium"] as const;

/** A word of `STATUSES`. */
export type Status = typeof STATUSES[number];

/** A verdict in one word; `reserved`: the registry does not sell the name. */
export const STATES = ["available", "premium", "reserved", "taken", "unknown"] as const;

/** A word of `STATES`. */
export type State = typeof STATES[number];

/** Why a verdict is unknown, in one word, for metrics; `error` is the text for people. */
export type UnknownCause =
  /** No RDAP server is known for the TLD. */
  | "unlisted"
  /** The registry's answer is missing or unusable; `RdapFault` says why. */
  | `registry_${RdapFault}`
  /** DNS did not answer: the registry's 404 is unconfirmed, or only DNS was to be asked. */
  | "dns"
  /** The registry's 404 cannot be trusted, or its record; `Canary` says why. */
  | `canary_${Exclude<Canary["kind"], "passed">}`
  /** Not in DNS, and the client did not want the registry to be asked. */
  | "dns_only"
  /** The TLD's rules for such a label are not known. */
  | "policy"
  /** The name was registered within two days, and its registry may hold deleted names back. */
  | "just_dropped"
  /** The 404 has a text that no phrase matches. */
  | "notice"
  /** The registry's RDAP server returned 404, and its WHOIS server has a record of the name. */
  | "whois"
  /** The registry returned 404, and its WHOIS server another text than for a random name. */
  | "whois_unread"
  /** The registry returned 404, and its WHOIS server, which is needed, could not be asked. */
  | "whois_missing"
  /** The registry returned 404, and a registrar does not sell the name, or has not answered yet. */
  | "registrar"
  /** All waiting clients have disconnected. */
  | "cancelled"
  /** The check itself threw. */
  | "internal";

/**
 * What an unknown name most likely is, as the head of this file says. `taken`: by a record of exactly the name.
 */
export const LIKELY = ["available", "taken"] as const;

/** A word of `LIKELY`. */
export type Likely = typeof LIKELY[number];

/** The witnesses that decide. */
export const SOURCES = ["dns", "rdap", "whois"] as const;

/** The witness that decided. */
export type Source = typeof SOURCES[number];

/** Whether a domain can be registered, and how that is known. */
export interface Verdict {
  readonly state: State;
  readonly source: Source;
  /** Set where a name is unknown of which DNS has shown that it has no delegation. */
  readonly isUndelegated?: true;
  /** Why a name that is not taken cannot be registered: the registry's text, or its rule. */
  readonly reason?: string;
  /** Why the state is unknown; only with state `unknown`. */
  readonly error?: string;
  /** The same in one word. */
  readonly cause?: UnknownCause;
  /** Only with state `unknown`; it is never counted, sorted or shown as available. */
  readonly likely?: Likely;
  /** When the registry may be asked again, in seconds; only where a pause or a queue is the reason. */
  readonly retryAfter?: number;
  /** What a registrar asks for the name; only where one was asked and sells it. */
  readonly offer?: Offer;
}

/** The registry's part of the evidence. */
export type RegistryEvidence =
  /** No RDAP server is known for the TLD. */
  | { kind: "unlisted" }
  /** No server is asked, because the name cannot be registered, or because the TLD has none and sells no such name. */
  | { kind: "closed"; why: string }
  /** A record of the name; `canary`: the registry's test result in force, absent if none is. */
  | { kind: "registered"; canary?: Canary | undefined }
  | Extract<RdapAnswer, { kind: "failed" }>
  | Denial;

/** A registry's 404, with everything that decides whether the name is available. */
export interface Denial {
  readonly kind: "notFound";
  readonly notice: Notice;
  /** Whether this registry's 404s are trusted. */
  readonly canary: Canary;
  /** What the rules of the TLD, and the list of names that no registry sells, say about the label. */
  readonly policy: LabelPolicy;
  /** Whether the TLD sells at the third level only: then the policy forbids the name, also where the test has not passed. */
  readonly isUnsold?: boolean;
}

/** What the witnesses said of a name; one that was not asked is absent. */
export interface Said {
  readonly dns?: DnsAnswer | undefined;
  readonly registry?: RegistryEvidence | undefined;
  readonly whois?: WhoisAnswer | undefined;
  readonly registrars?: readonly RegistrarAnswer[] | undefined;
}

const MINUTE_MS = 60_000;

const DELEGATED: Verdict = { state: "taken", source: "dns" };
const REGISTERED: Verdict = { state: "taken", source: "rdap" };
const AVAILABLE: Verdict = { state: "available", source: "rdap" };
const PREMIUM: Verdict = { state: "premium", source: "rdap" };

/** The verdict if the check itself threw. */
export const INTERNAL_ERROR: Verdict = unknown(
  "dns",
  "internal",
  "Internal error while checking this name (logged)",
);

/** The verdict if no client waits for it any more: they have disconnected, or their turn did not come in time. */
export const CANCELLED: Verdict = unknown(
  "dns",
  "cancelled",
  "Cancelled: too many look-ups are queued, or the client disconnected",
);

/** The verdict on a name that would be available, while a registrar has not answered about it. */
const UNSOLD: Verdict = {
  ...unconfirmed(
    "registrar",
    "The registry has no such name, but a registrar has not answered about it yet",
    1_000,
  ),
  likely: "available",
};

/** DNS is not asked about a name that a rule settles. */
const UNASKED: DnsAnswer = { kind: "failed", fault: "unasked", why: "no query was sent" };

/** Decides whether a domain can be registered. */
export function decide({ dns = UNASKED, registry, whois, registrars = [] }: Said): Verdict {
  if (dns.kind === "delegated") return DELEGATED;
  if (registry === undefined) return withoutRegistry(dns);
  const verdict = byRegistry(dns, registry);
  if (isAvailable(verdict)) return weighFurther(verdict, whois, registrars);
  if (verdict.state !== "unknown" || whois === undefined) return verdict;
  return weighUnknown(verdict, { dns, registry, whois });
}

/** The answer of DNS about a name that it does not show. */
export type NotDelegated = Exclude<DnsAnswer, { kind: "delegated" }>;

/** The verdict if DNS shows no delegation and the registry was not to be asked. */
function withoutRegistry(dns: NotDelegated): Verdict {
  if (dns.kind === "failed") {
    const why = `DNS could not be asked, and the registry was not: ${dns.why}`;
    return unknown("dns", "dns", why, dns.retryAfterMs);
  }
  return undelegated(unknown("dns", "dns_only", "Not in DNS; the registry was not asked"));
}

function byRegistry(dns: NotDelegated, registry: RegistryEvidence): Verdict {
  switch (registry.kind) {
    case "unlisted":
      return unknown("dns", "unlisted", "No RDAP server is known for this TLD");
    case "closed":
      return reserved(registry.why);
    case "registered":
      return registry.canary && confirmsMadeUp(registry.canary) ? UNPROVEN : REGISTERED;
    case "failed":
      return unknown("rdap", `registry_${registry.fault}`, registry.why, registry.retryAfterMs);
    case "notFound":
      return byDenial(dns, registry);
  }
}

const UNPROVEN: Verdict = {
  ...unknown(
    "rdap",
    "canary_failed",
    "The registry's record of this name proves nothing: its RDAP server has one of a made-up name, too",
  ),
  likely: "taken",
};

/** A registry's 404 counts only if DNS confirms it and the registry passed its canary test. */
function byDenial(dns: NotDelegated, { notice, policy, canary, isUnsold }: Denial): Verdict {
  // Neither a name that DNS can be asked for nor one that the registry sells: the rule alone settles it.
  const isNoName = dns.kind === "failed" && dns.fault === "invalid" && policy.kind === "forbidden";
  // Not `=== "failed"`: only "none" may confirm a 404.
  if (dns.kind !== "none" && !isNoName) {
    const why = `The registry has no such name, but DNS could not confirm it: ${dns.why}`;
    const isLikely = canary.kind === "passed" && isAvailable(byTrusted(notice, policy));
    return { ...unknown("rdap", "dns", why), ...(isLikely && { likely: "available" }) };
  }
  if (isUnsold && policy.kind === "forbidden") return byRule(policy);
  switch (canary.kind) {
    case "failed":
      return unknown("rdap", "canary_failed", canary.why);
    case "undecided":
      return unknown("rdap", "canary_undecided", canary.why, canary.retryAfterMs);
    case "passed":
      return byTrusted(notice, policy);
  }
}

/** A trusted 404: the name is not registered; it is available unless a rule or a notice forbids it. */
function byTrusted(notice: Notice, policy: LabelPolicy): Verdict {
  if (policy.kind === "forbidden") return byRule(policy);
  if (notice.kind === "reserved") return reserved(`The registry says: "${notice.words}"`);
  // Not `=== "unknown"`: only "allowed" may lead to available.
  if (policy.kind !== "allowed") return byRule(policy);
  switch (notice.kind) {
    case "unread":
      return unknown(
        "rdap",
        "notice",
        `The registry's "not found" has an unknown message: "${notice.words}"`,
      );
    case "premium":
      return PREMIUM;
    case "plain":
      return AVAILABLE;
  }
}

/** The verdict on a denied name by a rule that forbids it or leaves it open. */
function byRule(rule: RestrictingRule): Verdict {
  return rule.kind === "forbidden"
    ? reserved(rule.rule)
    : unknown("rdap", rule.isJustDropped ? "just_dropped" : "policy", rule.why);
}

/** Weighs WHOIS and registrars, none of which makes a name available: they take it away, or add a price. */
function weighFurther(
  verdict: Verdict,
  whois: WhoisAnswer | undefined,
  registrars: readonly RegistrarAnswer[],
): Verdict {
  switch (whois?.kind) {
    case "registered":
      return unconfirmed("whois", DISPUTED);
    case "reserved":
      return reservedByWhois(whois.words);
    case "unread":
      return unconfirmed(
        "whois_unread",
        `The registry's WHOIS answers otherwise than about a random name: "${whois.words}"`,
      );
    case "missing":
      return withoutNeeded(verdict, whois, registrars);
    case "premium":
      return weighRegistrars(PREMIUM, registrars);
    case "notFound":
    case "failed":
    case "absent":
    case undefined:
      return weighRegistrars(verdict, registrars);
  }
}

const DISPUTED =
  "The registry's RDAP server has no such name, but its WHOIS server has a record of it";

/** What WHOIS adds to an unknown name. */
function weighUnknown(
  verdict: Verdict,
  { dns, registry, whois }: { dns: NotDelegated; registry: RegistryEvidence; whois: WhoisAnswer },
): Verdict {
  const { likely: _, ...unlikely } = verdict;
  switch (whois.kind) {
    case "registered":
      if (whois.test !== undefined) return { ...verdict, likely: "taken" };
      if (isUsualDenial(registry)) {
        const disputed = unknown("rdap", "whois", DISPUTED);
        return dns.kind === "none" ? undelegated(disputed) : disputed;
      }
      return { ...REGISTERED, source: "whois" };
    case "reserved":
      return reservedByWhois(whois.words);
    case "unread":
      return unlikely;
    case "notFound": {
      if (!isUnusable(registry)) return verdict;
      const policy = registry.kind === "notFound" ? registry.policy : whois.rule;
      const rule = policy?.kind === "allowed" ? undefined : policy;
      const denied = `${verdict.error}; the registry's WHOIS has no record`;
      if (rule === undefined) {
        return { ...verdict, error: `${denied}, so probably available`, likely: "available" };
      }
      if (rule.kind === "unknown" || dns.kind === "none") return byRule(rule);
      const doubt = verdict.cause === "dns" ? "" : ", but DNS could not confirm it";
      return { ...unlikely, error: `${denied}${doubt}` };
    }
    case "missing": {
      const retryAfter = inSeconds(whois.retryAfterMs);
      // Asked again before WHOIS has a turn, the name would be unknown again.
      if ((verdict.retryAfter ?? 0) >= retryAfter) return verdict;
      const error = `${verdict.error}; its WHOIS server ${WHOIS_FAULTS[whois.fault]}`;
      return { ...verdict, error, retryAfter };
    }
    case "premium":
    case "failed":
    case "absent":
      return verdict;
  }
}

/** Whether a tested registry denies the name in its usual words: then no record in WHOIS makes it taken. */
function isUsualDenial(registry: RegistryEvidence): boolean {
  return registry.kind === "notFound" && registry.canary.kind === "passed" &&
    (registry.notice.kind === "plain" || registry.notice.kind === "premium");
}

/** Whether RDAP has said nothing of the name, so that WHOIS' denial says more. An answer that is no denial may speak against it. */
function isUnusable(registry: RegistryEvidence): boolean {
  if (registry.kind !== "notFound") {
    return registry.kind === "unlisted" ||
      registry.kind === "failed" && registry.fault !== "unclear";
  }
  return registry.canary.kind !== "passed" && registry.notice.kind === "plain";
}

type MissingWhois = Extract<WhoisAnswer, { kind: "missing" }>;

/** The verdict where a needed WHOIS server could not be asked, for which a registrar's yes may stand in. */
function withoutNeeded(
  verdict: Verdict,
  { fault, retryAfterMs, isRegistrarEnough }: MissingWhois,
  registrars: readonly RegistrarAnswer[],
): Verdict {
  const sold = weighRegistrars(verdict, registrars.filter(({ kind }) => kind !== "missing"));
  if (!isAvailable(sold)) return sold;
  const isSold = registrars.some(({ kind }) => kind === "sells" || kind === "premium");
  if (isRegistrarEnough && isSold) return sold;
  const why =
    `The registry has no such name, but its WHOIS server, which tells the names that it withholds, ${
      WHOIS_FAULTS[fault]
    }`;
  const { offer } = sold;
  const missing = unconfirmed("whois_missing", why, retryAfterMs);
  return { ...missing, likely: "available", ...(offer !== undefined && { offer }) };
}

const WHOIS_FAULTS: Readonly<Record<MissingWhois["fault"], string>> = {
  limited: "refuses our queries",
  down: "did not answer",
  unclear: "has trouble",
  unasked: "could not be asked yet",
};

/** A registrar may add a price to an available name, or take it away: the answer of the lowest rank decides. */
function weighRegistrars(verdict: Verdict, answers: readonly RegistrarAnswer[]): Verdict {
  const weighed = answers.map((answer) => weighRegistrar(verdict, answer));
  return weighed.toSorted((a, b) => a.rank - b.rank)[0]?.verdict ?? verdict;
}

function weighRegistrar(
  verdict: Verdict,
  answer: RegistrarAnswer,
): { rank: number; verdict: Verdict } {
  switch (answer.kind) {
    case "sells": {
      const { offer } = answer;
      return offer.premium
        ? { rank: 0, verdict: { ...PREMIUM, offer } }
        : { rank: 2, verdict: { ...verdict, offer } };
    }
    case "premium":
      return { rank: 1, verdict: PREMIUM };
    case "refuses": {
      const why =
        `The registry has no such name, but ${answer.registrar} does not sell it: it may be reserved, blocked, or just registered`;
      return { rank: 3, verdict: unconfirmed("registrar", why) };
    }
    case "missing":
      return { rank: 4, verdict: UNSOLD };
    case "failed":
      return { rank: 5, verdict };
  }
}

/** Whether a name can be registered, also where it costs more. */
export function isAvailable({ state }: Pick<Verdict, "state">): boolean {
  return state === "available" || state === "premium";
}

/** The verdict in the words of Domainr. */
export function statusOf(verdict: Verdict): readonly Status[] {
  switch (verdict.state) {
    case "available":
      return ["undelegated", "inactive"];
    case "premium":
      return ["undelegated", "inactive", "premium"];
    case "reserved":
      return ["undelegated"];
    case "taken":
      return verdict.source === "dns" ? ["active"] : ["undelegated", "active"];
    case "unknown":
      return verdict.isUndelegated ? ["unknown", "undelegated"] : ["unknown"];
  }
}

const LIFETIMES_MS: Readonly<Record<State, number>> = {
  available: 5 * MINUTE_MS,
  premium: 5 * MINUTE_MS,
  taken: 60 * MINUTE_MS,
  reserved: 24 * 60 * MINUTE_MS,
  unknown: 0,
};

/** The cache TTL of a verdict, in ms; 0 for `unknown`: a failure must be retried. */
export function lifetimeMs({ state }: Verdict): number {
  return LIFETIMES_MS[state];
}

/** The verdict on a name that is not registered and cannot be. */
function reserved(reason: string): Verdict {
  return { state: "reserved", source: "rdap", reason };
}

function reservedByWhois(words: string): Verdict {
  return { ...reserved(`The registry's WHOIS says: "${words}"`), source: "whois" };
}

/** An unknown verdict on a name that DNS has shown to have no delegation. */
function undelegated(verdict: Verdict): Verdict {
  return { ...verdict, isUndelegated: true };
}

/** The same where the registry denies the name, too, and a further witness leaves it open. */
function unconfirmed(cause: UnknownCause, error: string, retryAfterMs?: number): Verdict {
  return undelegated(unknown("rdap", cause, error, retryAfterMs));
}

/** A wait as rows tell it: in whole seconds, one at least. */
export function inSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

/** The verdict on a name of which nothing is certain, why, and after how long the registry may be asked again. */
function unknown(
  source: "dns" | "rdap",
  cause: UnknownCause,
  error: string,
  retryAfterMs?: number,
): Verdict {
  const retry = retryAfterMs !== undefined && { retryAfter: inSeconds(retryAfterMs) };
  return { state: "unknown", source, error, cause, ...retry };
}
