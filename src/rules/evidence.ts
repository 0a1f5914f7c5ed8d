/** What each witness said about a name, as entries for clients. */
import type { Canary, DnsAnswer, LabelPolicy, RegistrarAnswer, WhoisAnswer } from "./answer.ts";
import { confirmsMadeUp } from "./tested_server.ts";
import type { RegistryEvidence, Source, Verdict } from "./verdict.ts";
import { quoteText } from "./readers/statements.ts";

/** What an entry can mean, of a witness or of an offer; `MEANINGS` of `static/vocabulary.js` explains each word. */
export type Meaning =
  | typeof WORDS[keyof typeof WORDS]
  | "sells_premium"
  | "for_sale"
  | "parked";

/** A verdict and when its deciding question was sent (ISO 8601), which a cache hit does not change. */
export interface Finding extends Verdict {
  readonly checkedAt: string;
  /** When the name was last seen registered, in ms since 1970; absent if it never was, or its registry holds none back. */
  readonly registeredAt?: number | undefined;
  /**
   * The entries of what was answered, as JSON: a flat text of 200 to 400 bytes takes two thirds of the memory of the
   * objects, and keeps no longer text alive that its parts were cut from. Absent if the finding was read from KV.
   */
  readonly evidence?: string;
}

/** A finding that knows when another one has last seen the name registered. */
export function joinFindings(newer: Finding, other: Finding): Finding {
  const registeredAt = Math.max(newer.registeredAt ?? 0, other.registeredAt ?? 0);
  return registeredAt === 0 ? newer : { ...newer, registeredAt };
}

/** What one witness said. */
export interface EvidenceEntry {
  readonly witness: "dns" | "rdap" | "whois" | `registrar:${string}`;
  /** The server; of DNS `system` or `resolver`, because a resolver's address is the operator's; "" if not known. */
  readonly host: string;
  /** The witness's own words, cleaned, at most 200 characters; "" if there are none, or none are stored. */
  readonly said: string;
  readonly means: Meaning;
  /** When the question was sent (ISO 8601). */
  readonly askedAt: string;
  /** The time of the exchange, without the wait in a queue; 0 if it is not stored. */
  readonly ms: number;
  /** Whether the answer comes from the cache. */
  readonly cached: boolean;
  /** Set with an answer of an RDAP server that is the registry's own, and that IANA does not list. */
  readonly unlisted?: true;
  /**
   * With a registry's 404, unless its TLD sells no such name, and with a record that proves nothing: what the test that decides
   * has found, and when (ISO 8601).
   */
  readonly canary?: { readonly found: Canary["kind"]; readonly testedAt?: string };
  /** With a registry's denial: the rule for the label, unless it is allowed; and the rule by which no server was asked. */
  readonly rule?: RuleEntry;
}

/** The rule of the TLD, or the list of reserved names, for the label. */
interface RuleEntry {
  readonly means: Exclude<LabelPolicy["kind"], "allowed">;
  readonly text: string;
}

/** An answer and the exchange that gave it. */
export interface Exchange<Answer> {
  readonly answer: Answer;
  readonly host: string;
  readonly said?: string | undefined;
  /** In ms since 1970. */
  readonly askedAt: number;
  readonly ms: number;
}

/** The answers on which a verdict rests; a witness that was not asked is absent. */
export interface Testimony {
  readonly dns?: Exchange<DnsAnswer> | undefined;
  readonly rdap?: Exchange<RegistryEvidence> | undefined;
  readonly whois?: Exchange<WhoisAnswer> | undefined;
  readonly registrars?: readonly Exchange<RegistrarAnswer>[] | undefined;
}

/** The entries of the answers, in the order in which the witnesses are asked. */
export function toEntries({ dns, rdap, whois, registrars = [] }: Testimony): EvidenceEntry[] {
  const entries: EvidenceEntry[] = [];
  if (dns !== undefined) {
    const { answer } = dns;
    const means = WORDS[answer.kind === "failed" ? answer.fault : answer.kind];
    entries.push({ witness: "dns", ...print(dns, means) });
  }
  if (rdap !== undefined) entries.push(rdapEntry(rdap));
  if (whois !== undefined) entries.push(whoisEntry(whois));
  return [...entries, ...registrars.map(registrarEntry)];
}

function print(
  { host, said = "", askedAt, ms }: Exchange<unknown>,
  means: Meaning,
): Omit<EvidenceEntry, "witness"> {
  const time = new Date(askedAt).toISOString();
  return { host, said, means, askedAt: time, ms: Math.round(ms), cached: false };
}

function rdapEntry(rdap: NonNullable<Testimony["rdap"]>): EvidenceEntry {
  const { answer } = rdap;
  const entry = (word: keyof typeof WORDS, more: Partial<EvidenceEntry> = {}) => (
    { witness: "rdap" as const, ...print(rdap, WORDS[word]), ...more }
  );
  const tested = ({ kind: found, testedAt: at }: Canary): Pick<EvidenceEntry, "canary"> => ({
    canary: { found, ...(at !== undefined && { testedAt: new Date(at).toISOString() }) },
  });
  switch (answer.kind) {
    case "notFound": {
      const { notice, canary, policy, isUnsold } = answer;
      const said = "words" in notice && { said: quoteText(`404 ${notice.words}`) };
      return entry(notice.kind, { ...said, ...!isUnsold && tested(canary), ...ruleOf(policy) });
    }
    case "closed":
      return entry("closed", { rule: { means: "forbidden", text: answer.why } });
    case "registered": {
      const { canary } = answer;
      return entry("registered", canary && confirmsMadeUp(canary) ? tested(canary) : {});
    }
    case "failed":
      return entry(answer.fault);
    case "unlisted":
      return entry("unlisted");
  }
}

function whoisEntry(whois: Exchange<WhoisAnswer>): EvidenceEntry {
  const { answer } = whois;
  return {
    witness: "whois",
    ...print(whois, WORDS[answer.kind === "missing" ? answer.fault : answer.kind]),
    ...("test" in answer && answer.test && { canary: { found: answer.test } }),
    ...("rule" in answer && answer.rule && ruleOf(answer.rule)),
  };
}

function registrarEntry(exchange: Exchange<RegistrarAnswer>): EvidenceEntry {
  const { answer } = exchange;
  const { registrar, premium } = answer.kind === "sells"
    ? answer.offer
    : { ...answer, premium: answer.kind === "premium" };
  return {
    witness: `registrar:${registrar.toLowerCase().replace(/[^a-z0-9]/g, "")}`,
    ...print(exchange, premium ? "sells_premium" : WORDS[answer.kind]),
  };
}

function ruleOf(policy: LabelPolicy): Pick<EvidenceEntry, "rule"> {
  if (policy.kind === "allowed") return {};
  const text = policy.kind === "forbidden" ? policy.rule : policy.why;
  return { rule: { means: policy.kind, text } };
}

/** The words by the kind of an answer, the fault of a failed one, or the notice of a 404. */
const WORDS = {
  delegated: "delegated",
  none: "not_delegated",
  blind: "blind",
  invalid: "invalid",
  unlisted: "no_server",
  closed: "not_asked",
  registered: "registered",
  plain: "not_found",
  notFound: "not_found",
  premium: "premium",
  reserved: "reserved",
  unread: "unread",
  limited: "limited",
  down: "no_answer",
  unclear: "unclear",
  unasked: "not_asked",
  failed: "failed",
  absent: "not_in_service",
  sells: "sells",
  refuses: "refuses",
  missing: "not_asked",
} as const;

/**
 * The entries that a verdict from KV implies: KV stores verdicts, not answers. They have no words, but for those that a
 * reason quotes; a witness whose answer does not follow from the verdict is absent. `hosts`: the resolver, "" if not known,
 * and the host of the RDAP server.
 */
export function impliedEntries(
  finding: Finding,
  hosts: { readonly dns: string; readonly rdap: string },
): EvidenceEntry[] {
  const { source, reason = "", checkedAt: askedAt } = finding;
  const entry = (witness: Source, means: Meaning): EvidenceEntry => {
    const host = witness === "whois" ? "" : hosts[witness];
    return { witness, host, said: "", askedAt, ms: 0, cached: true, means };
  };
  const none = entry("dns", "not_delegated");
  const canary = { found: "passed" as const };
  switch (finding.state) {
    case "unknown":
      return [];
    case "available":
    case "premium":
      return [none, { ...entry("rdap", "not_found"), canary }];
    case "taken":
      return [entry(source, source === "dns" ? "delegated" : "registered")];
    case "reserved": {
      const said = QUOTED.exec(reason)?.[1] ?? "";
      if (source === "whois") return [{ ...entry("whois", "reserved"), said }];
      return [none, { ...entry("rdap", "reserved"), said, canary }];
    }
  }
}

/**
 * Whether a rule for the label has decided, and not a witness: its sentence is the reason, without a quotation. KV does not
 * store such verdicts.
 */
export function isByRule({ reason }: Verdict): boolean {
  return reason !== undefined && !QUOTED.test(reason);
}

/** The words that a verdict's reason quotes (`verdict.ts`). */
const QUOTED = /^The registry(?:'s WHOIS)? says: "([^]*)"$/;
