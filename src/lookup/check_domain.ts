/** One domain: what is kept, else DNS, else its registry; the rules decide. */
import type { Background } from "../flow/background.ts";
import { type Cache, cached, type Renewal } from "../flow/cached.ts";
import type { Spent, Waiter } from "../flow/flight.ts";
import type { WaitOptions } from "../flow/gate.ts";
import type { Report } from "../flow/report.ts";
import type { Canary, DnsAnswer, Notice, RdapAnswer } from "../rules/answer.ts";
import { readNotice } from "../rules/notices.ts";
import { isReserved } from "../rules/reserved.ts";
import type { TldRow } from "../rules/tlds.ts";
import {
  CANCELLED,
  decide,
  type Denial,
  FAULTY,
  lifetimeMs,
  type State,
  stateOf,
  type UnknownCause,
  type Verdict,
} from "../rules/verdict.ts";
import { type AskedName, withoutLabel } from "../rules/wording.ts";
import type { CanaryProbe } from "./canary_probe.ts";
import type { CanaryWatch } from "./canary_watch.ts";
import type { AskRegistry } from "./registries.ts";
import type { ResolverCanary } from "./resolver_canary.ts";

/** A verdict and when its deciding question was sent (ISO 8601), which stays so when it is answered from the cache. */
export interface Finding extends Verdict {
  readonly checkedAt: string;
}

/** What is known of one domain, as the API answers it. */
export interface DomainResult {
  domain: string;
  tld: string;
  state: State;
  available: boolean;
  status: Verdict["status"];
  premium: boolean;
  source: "dns" | "rdap" | "dns+cache" | "rdap+cache";
  checkedAt: string;
  /** What this request waited for this domain. */
  responseMs: number;
  /** Why it cannot be registered although it is not taken. */
  reason?: string;
  error?: string;
}

/**
 * Checks one label under one TLD; never throws for a fault of an upstream. Once all its clients have disconnected, what
 * waits in a queue is not asked any more; what is being asked comes to its end and is kept.
 */
export type CheckDomain = (label: string, tld: string, waiter?: Waiter) => Promise<DomainResult>;

/** An answer without the name that it is about. */
export interface AnswerSummary extends Pick<DomainResult, "tld" | "state" | "source"> {
  cause?: UnknownCause | undefined;
}

/** The sources of evidence. */
export interface CheckSources {
  isDelegated(domain: string, wait: WaitOptions): Promise<DnsAnswer>;
  registries: { ask: AskRegistry };
  canary:
    & Pick<CanaryWatch, "resultOf" | "inForce" | "trusts" | "retest">
    & Pick<CanaryProbe, "labelsOf" | "noteDelegated">;
  resolver: Pick<ResolverCanary, "noteDelegated" | "showsDelegations">;
}

/** Texts that exist already: one put together for each answer would be hashed anew where it is counted. */
const FROM_CACHE = { dns: "dns+cache", rdap: "rdap+cache" } as const;

interface Domain {
  label: string;
  tld: string;
}

/** A verdict and when its deciding question was sent, in ms since 1970; absent where nothing was asked. */
interface Judgement {
  readonly verdict: Verdict;
  readonly askedAt?: number;
}

/** Looks a domain up behind all clients' look-ups, unless what is kept will do until a time (ms since 1970). */
export type RenewDomain = (label: string, tld: string, until: number) => Promise<Renewal>;

/** Creates the check, and the renewal of what it keeps, over its sources and its store. */
export function createCheckDomain(
  { sources, rowOf, cache, background, report, reportUnread, reportFault, onAnswer, now }: {
    sources: CheckSources;
    /** The TLD's row, once the table is as fresh as can be waited for. */
    rowOf: (tld: string) => Promise<TldRow | undefined>;
    cache: Cache<Finding>;
    background: Background;
    report: Report;
    /** Hears of words in a 404 that could not be read, without the name that they are about. */
    reportUnread: (tld: string, words: string) => void;
    /** Hears of bugs: one must not fail the answers for other names. */
    reportFault: Report;
    /** Called with every answer. */
    onAnswer?: (answer: AnswerSummary) => void;
    now: () => number;
  },
): { checkDomain: CheckDomain; renewDomain: RenewDomain } {
  const spentOn = new WeakMap<Finding, Spent>();

  async function judge(
    { label, tld }: Domain,
    wait: WaitOptions,
    spent: Spent,
  ): Promise<Judgement> {
    const domain = `${label}.${tld}`;
    const dns = await timed("dns", { wait, spent }, (wait) => sources.isDelegated(domain, wait));
    if (dns.kind === "delegated") {
      sources.canary.noteDelegated(tld, label);
      sources.resolver.noteDelegated(tld);
      return { verdict: decide({ dns }), askedAt: dns.askedAt };
    }
    const row = await rowOf(tld);
    if (row === undefined) return { verdict: decide({ dns, registry: { kind: "unlisted" } }) };
    if (wait.signal?.aborted) return { verdict: CANCELLED };
    const answering = timed(
      "rdap",
      { wait, spent },
      (wait) => sources.registries.ask(row.rdapBase, domain, wait),
    );
    const { canary } = sources;
    // Beside the question and not after it: where no result is in force yet, the test costs the client least so.
    const trusting = canary.resultOf(row, wait.priority ?? "foreground");
    const confirming = confirmDns(dns, tld, trusting, sources);
    background.run(confirming);
    const rdap = await answering;
    switch (rdap.kind) {
      case "failed":
        return { verdict: decide({ dns, registry: rdap }) };
      case "registered":
        return { verdict: decide({ dns, registry: rdap }), askedAt: rdap.askedAt };
      case "notFound": {
        const answeredAt = performance.now();
        const confirmed = await confirming;
        const tested = await trusting;
        const registry = await readDenial({ label, tld }, { rdap, row, wait, tested, canary });
        spent.trust += performance.now() - answeredAt;
        return { verdict: decide({ dns: confirmed, registry }), askedAt: rdap.askedAt };
      }
      default:
        rdap satisfies never;
        return { verdict: FAULTY };
    }
  }

  /** A 404, with what decides on its worth; asks for the registry's wording anew where it is not known. */
  async function readDenial(
    { label, tld }: Domain,
    { rdap, row, wait, tested, canary }: {
      rdap: Extract<RdapAnswer, { kind: "notFound" }>;
      row: TldRow;
      wait: WaitOptions;
      tested: Canary;
      canary: CheckSources["canary"];
    },
  ): Promise<Denial> {
    const { readLabelRules } = await import("./label_rules.ts");
    const { policy, asked } = readLabelRules(label, tld);
    const priority = wait.priority ?? "foreground";
    // Once more, after the answer: the registry may have failed a test since the question was sent.
    let result = await canary.inForce(row) ?? tested;
    let notice = noticeOf(rdap, asked, result);
    if (notice.kind === "unread" && result.kind === "passed") {
      result = await canary.retest(row, priority);
      notice = noticeOf(rdap, asked, result);
    }
    // A registry that lied and has passed since may have lied when it was asked.
    if (result.kind === "passed" && !canary.trusts(row, rdap.askedAt)) result = ASKED_TOO_EARLY;
    if (notice.kind === "unread" && result.kind === "passed") {
      reportUnread(tld, withoutLabel(notice.words, asked));
    }
    if (notice.kind !== "plain") report("rdap.notice", { domain: asked.domain, ...notice });
    return {
      kind: "notFound",
      notice,
      canary: result,
      reserved: isReserved(label, tld),
      policy,
    };
  }

  async function find(domain: Domain, wait: WaitOptions): Promise<Finding> {
    const startedAt = now();
    const spent: Spent = { gate: 0, dns: 0, rdap: 0, trust: 0 };
    const judging = judge(domain, wait, spent).catch((error): Judgement => {
      // Names that people check do not belong into a log.
      reportFault("check.failed", {
        tld: domain.tld,
        error: String(error).replaceAll(domain.label, "<name>"),
      });
      return { verdict: FAULTY };
    });
    const { verdict, askedAt = startedAt } = await judging;
    const finding = { ...verdict, checkedAt: new Date(askedAt).toISOString() };
    spentOn.set(finding, spent);
    return finding;
  }

  const { answer, renew } = cached(find, {
    keyOf: ({ label, tld }) => `${label}.${tld}`,
    cache,
    askedAtOf: ({ checkedAt }) => Date.parse(checkedAt),
    lifetimeMs,
    now,
  });

  async function checkDomain(
    label: string,
    tld: string,
    waiter?: Waiter,
  ): Promise<DomainResult> {
    const startedAt = performance.now();
    const { value, isCached } = await answer({ label, tld }, waiter);
    const { available, status, premium, checkedAt, reason, error } = value;
    const state = stateOf(value);
    const source: DomainResult["source"] = isCached ? FROM_CACHE[value.source] : value.source;
    onAnswer?.({ tld, state, source, cause: value.cause });
    const spent = isCached ? undefined : spentOn.get(value);
    if (spent !== undefined) waiter?.onSpent?.(spent);
    return {
      domain: `${label}.${tld}`,
      tld,
      state,
      available,
      status,
      premium,
      source,
      checkedAt,
      responseMs: Math.round(performance.now() - startedAt),
      ...(reason !== undefined && { reason }),
      ...(error !== undefined && { error }),
    };
  }

  return { checkDomain, renewDomain: (label, tld, until) => renew({ label, tld }, until) };
}

/** Runs a question in its turn, and adds its time to what was spent: waiting for the turn counts as `gate`. */
async function timed<T>(
  on: "dns" | "rdap",
  { wait, spent }: { wait: WaitOptions; spent: Spent },
  ask: (wait: WaitOptions) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  let waitedMs = 0;
  try {
    return await ask({ ...wait, onWait: (ms) => waitedMs += ms });
  } finally {
    spent.gate += waitedMs;
    spent[on] += Math.max(0, performance.now() - startedAt - waitedMs);
  }
}

const ASKED_TOO_EARLY: Canary = {
  kind: "undecided",
  why: 'This registry\'s "not found" came before it was found to be right again; try again',
};

/** What the 404 says besides this registry's usual wording; without a passed test no wording is known. */
function noticeOf(
  { said }: Extract<RdapAnswer, { kind: "notFound" }>,
  asked: AskedName,
  canary: Canary,
): Notice {
  return readNotice(said, asked, canary.kind === "passed" ? canary.wordings : []);
}

/** "No delegation" counts only from a resolver that shows the names which the registry's canary found registered. */
async function confirmDns(
  dns: Exclude<DnsAnswer, { kind: "delegated" }>,
  tld: string,
  trusting: Promise<Canary>,
  { canary, resolver }: Pick<CheckSources, "canary" | "resolver">,
): Promise<Exclude<DnsAnswer, { kind: "delegated" }>> {
  const result = await trusting;
  if (dns.kind === "failed" || result.kind !== "passed") return dns;
  const labels = [...new Set([result.witness, ...canary.labelsOf(tld)])];
  if (await resolver.showsDelegations(tld, labels)) return dns;
  const why = `the resolver does not show ${result.witness}.${tld}, which is registered`;
  return { kind: "failed", fault: "down", why };
}
