/** Recomputes a verdict from the entries that a client gets: they must hold all on which the verdict rests. */
import { assertEquals } from "@std/assert";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import type {
  DnsAnswer,
  Notice,
  RegistrarAnswer,
  RestrictingRule,
  WhoisAnswer,
} from "../../src/rules/answer.ts";
import type { EvidenceEntry, Meaning, RuleEntry } from "../../src/rules/evidence.ts";
import {
  decide,
  type Denial,
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

/** The registry's answer of an entry; a word that no registry's entry has counts as an unusable answer. */
function registryOf(entry: ReadEntry): RegistryEvidence {
  const { means, said } = entry;
  switch (means) {
    case "registered":
      // A record has a failed test only if the registry has a record of a made-up name, too.
      if (entry.canary?.found !== "failed") return { kind: means };
      return { kind: means, canary: { kind: "failed", why: "", confirmsMadeUp: true } };
    case "no_server":
      return { kind: "unlisted" };
    case "not_found":
      return denialOf({ kind: "plain" }, entry);
    case "premium":
    case "unsupported":
      return denialOf({ kind: means }, entry);
    case "reserved":
    case "unread":
      return denialOf({ kind: means, words: said }, entry);
    case "limited":
    case "unclear":
      return { kind: "failed", fault: means, why: said };
    case "not_asked":
      if (entry.rule !== undefined) return { kind: "closed", why: entry.rule.text };
      return { kind: "failed", fault: "unasked", why: said };
    default:
      return { kind: "failed", fault: "down", why: said };
  }
}

function denialOf(notice: Notice, { canary, rule }: Pick<ReadEntry, "canary" | "rule">): Denial {
  return {
    kind: "notFound",
    notice,
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
  switch (means) {
    case "registered":
      return {
        kind: means,
        askedAt: 0,
        ...(canary !== undefined && { test: canary.found as "failed" | "undecided" }),
      };
    case "premium":
      return { kind: means, askedAt: 0 };
    case "not_found":
      return { kind: "notFound", askedAt: 0, ...(rule && { rule: levelOf(rule) }) };
    case "reserved":
    case "unread":
      return { kind: means, askedAt: 0, words: said };
    case "not_asked":
    case "limited":
    case "no_answer":
    case "unclear":
      return { kind: "missing", fault: "unasked", retryAfterMs: 0, ...enoughAt(host) };
    case "not_in_service":
      return { kind: "absent", why: "" };
    default:
      return { kind: "failed", fault: "down", why: said };
  }
}

/** Whether a registrar's yes stands in for the server of that host. */
function enoughAt(host: string): { isRegistrarEnough?: true } {
  const io = neededServer("io");
  return io?.host === host && io.isRegistrarEnough ? { isRegistrarEnough: true } : {};
}

function registrarsOf({ witness, means }: ReadEntry): RegistrarAnswer[] {
  if (!witness.startsWith("registrar:")) return [];
  const registrar = witness.slice("registrar:".length);
  switch (means) {
    case "sells":
    case "sells_premium": {
      const offer = { registrar, price: 0, premium: means === "sells_premium", years: 1 };
      return [{ kind: "sells", askedAt: 0, offer }];
    }
    case "refuses":
      return [{ kind: means, askedAt: 0, registrar }];
    case "not_asked":
      return [{ kind: "missing", registrar }];
    default:
      // Without an answer a registrar changes nothing.
      return [];
  }
}
