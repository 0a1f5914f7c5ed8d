/** One domain: what is kept, else DNS, else its registry; the rules decide. */
import type { Background } from "../flow/background.ts";
import { cached, type Keep, type Renewal } from "../flow/cached.ts";
import type { Asker } from "../flow/flight.ts";
import type { Turn } from "../flow/gate.ts";
import type { Report } from "../flow/report.ts";
import type { DnsAnswer } from "../rules/answer.ts";
import { isReserved } from "../rules/reserved.ts";
import type { TldRow } from "../rules/tlds.ts";
import { ABANDONED, decide, FAULTY, lifetimeMs, type Verdict } from "../rules/verdict.ts";
import type { CanaryWatch } from "./canary.ts";
import type { CanaryProbe } from "./canary_probe.ts";
import type { AskRegistry } from "./registry.ts";

/** A verdict and when it was found out (ISO 8601), which stays so when it is answered from the cache. */
export interface Finding extends Verdict {
  readonly checkedAt: string;
}

/** What is known of one domain, as the API answers it. */
export interface DomainResult {
  domain: string;
  tld: string;
  available: boolean;
  status: Verdict["status"];
  premium: boolean;
  source: "dns" | "rdap" | "dns+cache" | "rdap+cache";
  checkedAt: string;
  /** What this request waited for this domain. */
  responseMs: number;
  error?: string;
}

/**
 * Checks one label under one TLD; never throws for a fault of an upstream. Once no asker is left, what waits for its turn
 * is not asked any more; what is being asked comes to its end and is kept.
 */
export type CheckDomain = (label: string, tld: string, asker?: Asker) => Promise<DomainResult>;

/** Whoever knows something of a domain. */
export interface Witnesses {
  isDelegated(domain: string, turn: Turn): Promise<DnsAnswer>;
  registries: { ask: AskRegistry };
  canary: Pick<CanaryWatch, "trust"> & Pick<CanaryProbe, "noteDelegated">;
}

interface Domain {
  label: string;
  tld: string;
}

/** Looks a domain up behind everybody who waits, unless what is kept will do until a time (ms since 1970). */
export type RenewDomain = (label: string, tld: string, until: number) => Promise<Renewal>;

/** Creates the check, and the renewal of what it keeps, over its sources and its store. */
export function createCheckDomain(
  { openInquiry, rowOf, keep, background, report, reportFault, now }: {
    /** Those who are asked; nobody is before the first question that nothing kept answers. */
    openInquiry: () => Promise<Witnesses>;
    /** The TLD's row, once the table is as fresh as can be waited for. */
    rowOf: (tld: string) => Promise<TldRow | undefined>;
    keep: Keep<Finding>;
    background: Background;
    report: Report;
    /** Told of bugs: one must not fail the answers for other names. */
    reportFault: Report;
    now: () => number;
  },
): { checkDomain: CheckDomain; renewDomain: RenewDomain } {
  async function judge({ label, tld }: Domain, turn: Turn): Promise<Verdict> {
    const domain = `${label}.${tld}`;
    const reserved = isReserved(label, tld);
    const { isDelegated, registries: { ask }, canary } = await openInquiry();
    const dns = await isDelegated(domain, turn);
    if (dns.kind === "delegated") {
      canary.noteDelegated(tld, label);
      return decide({ dns, reserved });
    }
    const row = await rowOf(tld);
    if (row === undefined) return decide({ dns, reserved });
    if (turn.signal?.aborted) return ABANDONED;
    const answering = ask(row.rdapBase, domain, turn);
    // Beside the question and not after it: where no result is in force yet, the test costs the user least so.
    const trusting = canary.trust(row, turn.lane ?? "now");
    background.run(trusting);
    const rdap = await answering;
    if (rdap.kind !== "notFound") return decide({ dns, rdap, reserved });
    if (rdap.words !== "") report("rdap.not_found", { domain, ...rdap });
    const impossible = await isImpossible(label);
    return decide({ dns, rdap, canary: await trusting, reserved, impossible });
  }

  async function find(domain: Domain, turn: Turn): Promise<Finding> {
    const verdict = await judge(domain, turn).catch((error) => {
      reportFault("check.failed", { ...domain, error: String(error) });
      return FAULTY;
    });
    return { ...verdict, checkedAt: new Date(now()).toISOString() };
  }

  const { answer, renew } = cached(find, {
    keyOf: ({ label, tld }) => `${label}.${tld}`,
    keep,
    lifetimeMs,
    now,
  });

  async function checkDomain(
    label: string,
    tld: string,
    asker?: Asker,
  ): Promise<DomainResult> {
    const startedAt = performance.now();
    const { value, kept } = await answer({ label, tld }, asker);
    const { available, status, premium, source, checkedAt, error } = value;
    return {
      domain: `${label}.${tld}`,
      tld,
      available,
      status,
      premium,
      source: kept ? `${source}+cache` : source,
      checkedAt,
      responseMs: Math.round(performance.now() - startedAt),
      ...(error !== undefined && { error }),
    };
  }

  return { checkDomain, renewDomain: (label, tld, until) => renew({ label, tld }, until) };
}

/** Registries answer 404 to IDNs that cannot exist. What knows them is read for such names only. */
async function isImpossible(label: string): Promise<boolean> {
  if (!label.startsWith("xn--")) return false;
  const { isALabel } = await import("./a_label.ts");
  return !isALabel(label);
}
