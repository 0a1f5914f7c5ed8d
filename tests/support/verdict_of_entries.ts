/** Recomputes a verdict from the entries that a client gets: they must hold all on which the verdict rests. */
import { assertEquals } from "@std/assert";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import type {
  DnsAnswer,
  Notice,
  RdapFault,
  RegistrarAnswer,
  RestrictingRule,
  WhoisAnswer,
} from "../../src/rules/answer.ts";
import type { EvidenceEntry, Meaning, RuleEntry } from "../../src/rules/evidence.ts";
import {
  decide,
  INTERNAL_ERROR,
  type RegistryEvidence,
  stateOf,
  type Verdict,
} from "../../src/rules/verdict.ts";
import { neededServer } from "../../src/rules/tables/hosts.ts";

/** What is read of an entry to recompute the verdict. */
export type ReadEntry = Pick<
  EvidenceEntry,
  "witness" | "host" | "said" | "means" | "canary" | "rule"
>;

/**
 * The verdict that follows from entries alone: state, availability, status, premium and source are those of the row. Its
 * texts are not, because the entries quote the witnesses and not the service. Signs of a sale follow the first entry of
 * DNS, which counts.
 */
export function verdictOfEntries(entries: readonly ReadEntry[]): Verdict {
  const of = (witness: EvidenceEntry["witness"]) =>
    entries.find((entry) => entry.witness === witness);
  const [dnsEntry, rdapEntry, whoisEntry] = [of("dns"), of("rdap"), of("whois")];
  const dns = (dnsEntry && DNS_ANSWERS[dnsEntry.means]) ?? NO_DNS;
  // Without any entry, the check itself failed.
  if (entries.length === 0) return INTERNAL_ERROR;
  return decide({
    dns,
    // What WHOIS alone implies does not tell what RDAP said.
    registry: rdapEntry ? registryOf(rdapEntry) : whoisEntry && { kind: "unlisted" },
    whois: whoisEntry && whoisOf(whoisEntry),
    registrars: entries.flatMap(registrarsOf),
  });
}

/** Throws unless the verdict of a row follows from its evidence alone. */
export function assertFollows(row: DomainResult): void {
  const { state, available, status, premium, source, evidence = [] } = row;
  const verdict = verdictOfEntries(evidence);
  assertEquals(
    [stateOf(verdict), verdict.available, verdict.status, verdict.premium, verdict.source],
    [state, available, status, premium, source.replace("+cache", "")],
    JSON.stringify(row),
  );
}

/** All failures lead to the same verdict, but for a name that no query can carry. */
const NO_DNS: DnsAnswer = { kind: "failed", fault: "unasked", why: "" };
const DNS_ANSWERS: Partial<Readonly<Record<Meaning, DnsAnswer>>> = {
  delegated: { kind: "delegated", askedAt: 0 },
  not_delegated: { kind: "none", askedAt: 0 },
  invalid: { ...NO_DNS, fault: "invalid" },
};

/** What a registry's 404 says, by the word of its entry. */
const NOTICES: Partial<Readonly<Record<Meaning, Notice["kind"]>>> = {
  not_found: "plain",
  premium: "premium",
  unsupported: "unsupported",
  reserved: "reserved",
  unread: "unread",
};

/** Why a registry or a WHOIS server has not answered; any other word counts as no answer. */
const FAULTS: Partial<Readonly<Record<Meaning, RdapFault>>> = {
  limited: "limited",
  unclear: "unclear",
  not_asked: "unasked",
  no_answer: "down",
};

/** The registry's answer of an entry; a word that no registry's entry has counts as an unusable answer. */
function registryOf({ means, said, canary, rule }: ReadEntry): RegistryEvidence {
  if (means === "no_server") return { kind: "unlisted" };
  if (means === "registered") {
    // A record has a failed test only if the registry has a record of a made-up name, too.
    const failed = { kind: "failed", why: "", confirmsMadeUp: true } as const;
    return { kind: means, canary: canary?.found === "failed" ? failed : undefined };
  }
  const notice = NOTICES[means];
  if (notice === undefined) {
    if (means === "not_asked" && rule !== undefined) return { kind: "closed", why: rule.text };
    return { kind: "failed", fault: FAULTS[means] ?? "down", why: said };
  }
  return {
    kind: "notFound",
    notice: { kind: notice, words: said } as Notice,
    canary: canary?.found === "passed"
      ? { kind: "passed", witness: "", templates: [] }
      : { kind: canary?.found ?? "undecided", why: "" },
    policy: rule ? levelOf(rule) : { kind: "allowed" },
    isUnsold: canary === undefined,
  };
}

function levelOf({ means, text }: RuleEntry): RestrictingRule {
  return means === "forbidden" ? { kind: means, rule: text } : { kind: means, why: text };
}

function whoisOf({ means, said, canary, rule, host }: ReadEntry): WhoisAnswer {
  if (means === "not_in_service") return { kind: "absent", why: "" };
  if (FAULTS[means] !== undefined) {
    const needed = neededServer("io");
    const isEnough = needed?.host === host && needed.isRegistrarEnough;
    const missing = { kind: "missing", fault: "unasked", retryAfterMs: 0 } as const;
    return isEnough ? { ...missing, isRegistrarEnough: true } : missing;
  }
  const kind = means === "not_found" ? "notFound" : means;
  if (means !== "registered" && NOTICES[means] === undefined) {
    return { kind: "failed", fault: "down", why: said };
  }
  return {
    kind,
    askedAt: 0,
    words: said,
    ...(canary && { test: canary.found }),
    ...(rule && { rule: levelOf(rule) }),
  } as WhoisAnswer;
}

function registrarsOf({ witness, means }: ReadEntry): RegistrarAnswer[] {
  const registrar = witness.slice("registrar:".length);
  if (!witness.startsWith("registrar:")) return [];
  if (means === "refuses") return [{ kind: means, askedAt: 0, registrar }];
  if (means === "not_asked") return [{ kind: "missing", registrar }];
  // Without an answer a registrar changes nothing.
  if (means !== "sells" && means !== "sells_premium") return [];
  const offer = { registrar, price: 0, premium: means === "sells_premium", years: 1 };
  return [{ kind: "sells", askedAt: 0, offer }];
}
