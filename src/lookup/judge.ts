/**
 * Asks the witnesses about a domain, and decides: DNS, then its registry's RDAP and WHOIS servers, then registrars.
 *
 * DNS comes first: only name servers prove anything. Without them the TLD's own registry is asked, and beside it WHOIS where
 * its word is needed, or after it WHOIS if RDAP has no usable answer. A 404 counts if the registry has passed its canary
 * test, if it equals the 404 for a random name, and if the resolver that answered "none" shows a name that is known to be
 * delegated. Registrars are asked last, about names that would be available; one that answers late corrects the cached
 * finding and the open streams.
 */
import type { Background } from "../flow/background.ts";
import type { Spent } from "../flow/cache/flight.ts";
import { createBoundedMap } from "../flow/cache/bounded_map.ts";
import type { WaitOptions } from "../flow/queue/gate.ts";
import type { Report } from "../flow/report.ts";
import type {
  Canary,
  DnsAnswer,
  LabelPolicy,
  LevelRule,
  Notice,
  RdapAnswer,
  RegistrarAnswer,
  WhoisAnswer,
} from "../rules/answer.ts";
import type { Exchange, Testimony } from "../rules/evidence.ts";
import type { SuffixCoverage } from "../rules/coverage.ts";
import { holdsDeletedBack, ruleForDropped } from "../rules/just_dropped.ts";
import { readNotice } from "../rules/readers/notices.ts";
import { mayWhoisChange, reconcile, REGISTRARS_NOT_ASKED } from "../rules/reconcile.ts";
import { type TldRow, wantedRank } from "../rules/tables/tlds.ts";
import {
  CANCELLED,
  decide,
  decideByDns,
  decideClosed,
  type Denial,
  INTERNAL_ERROR,
  lifetimeMs,
  type RegistryEvidence,
  type Verdict,
} from "../rules/verdict.ts";
import { type AskedName, withoutLabel } from "../rules/readers/statements.ts";
import { differences } from "../rules/readers/templates.ts";
import type { CanaryProbe } from "./canary_probe.ts";
import type { CanaryWatch } from "./canary_watch.ts";
import { startTiming, timed } from "./exchange_timing.ts";
import type { AskRegistry } from "./registries.ts";
import type { ResolverCanary } from "./resolver_canary.ts";
import type { Suffixes } from "./suffixes.ts";

/** One label under one TLD. */
export interface Domain {
  label: string;
  tld: string;
}

/** A verdict, the answers that it rests on, and when its deciding question was sent, in ms since 1970, if one was. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly testimony: Testimony;
  readonly askedAt?: number;
  /** The judgement in view of answers that come too late for it; undefined if they change nothing. */
  readonly corrected?: Promise<Judgement | undefined>;
}

/** Lists that a needed WHOIS server keeps waiting; 1 KB each. */
const MAX_DENIALS = 10_000;

/** Asks about a domain and decides. `registeredAt`: when it was last seen registered, in ms since 1970, if that is known. */
export type Judge = (
  domain: Domain,
  wait: WaitOptions,
  known: { spent: Spent; registeredAt: number | undefined },
) => Promise<Judgement>;

/**
 * Asks the TLD's WHOIS server where its word is needed, or if `isFallback`: RDAP has no usable answer. Undefined if it is
 * not asked, or has not passed its test.
 */
export type AskWhois = (
  domain: Domain,
  wait: WaitOptions,
  isFallback?: boolean,
) => Promise<WhoisAnswer | undefined>;

/** The answers of registrars to a question about a domain. */
export interface RegistrarAnswers {
  /** Those that come in time for the check. */
  readonly soon: Promise<{ answers: readonly RegistrarAnswer[]; isComplete: boolean }>;
  /** All of them, seconds later at most. */
  readonly all: Promise<readonly RegistrarAnswer[]>;
}

/** Asks the registrars with which the operator has an account. */
export type AskRegistrars = (domain: Domain, wait: WaitOptions) => RegistrarAnswers;

/** The witnesses, and what says whether they are trusted. */
export interface Witnesses {
  isDelegated(domain: string, wait: WaitOptions): Promise<DnsAnswer>;
  registries: { ask: AskRegistry };
  canary:
    & Pick<CanaryWatch, "resultOf" | "inForce" | "testedAt" | "trusts" | "learn">
    & Pick<CanaryProbe, "labelsOf" | "noteDelegated">;
  resolver: Pick<ResolverCanary, "showsDelegations" | "note">;
  /** Absent if the operator has switched WHOIS off. */
  askWhois?: AskWhois | undefined;
  /** Absent if the operator has no account with a registrar. */
  askRegistrars?: AskRegistrars | undefined;
  /** Which resolver is asked. */
  resolverName: "system" | "resolver";
}

/** What judging needs. */
export interface JudgeOptions {
  sources: Witnesses;
  suffixes: Pick<Suffixes, "rowOf" | "closedBy" | "coverageOf">;
  background: Background;
  report: Report;
  /** Called with the words of a 404 that no rule reads, without the name. */
  reportUnread: (tld: string, words: string) => void;
  now: () => number;
}

/** Creates both ways of judging: by all witnesses, and by DNS alone. */
export function createJudges(
  { sources, suffixes, background, report, reportUnread, now }: JudgeOptions,
): { judge: Judge; judgeByDns: Judge } {
  const { rowOf, closedBy, coverageOf } = suffixes;

  async function askDns(
    { label, tld }: Domain,
    wait: WaitOptions,
    spent: Spent,
  ): Promise<Exchange<DnsAnswer>> {
    const dns = await timed(
      "dns",
      { host: sources.resolverName, wait, spent, now },
      (wait) => sources.isDelegated(`${label}.${tld}`, wait),
    );
    if (dns.answer.kind === "delegated") {
      sources.canary.noteDelegated(tld, label);
      sources.resolver.note(tld, true);
    }
    return dns;
  }

  /** The judgement on a name that cannot be registered; undefined if it may be possible. */
  async function judgeByRule({ label, tld }: Domain): Promise<Judgement | undefined> {
    const why = await closedBy(label, tld);
    if (why === undefined) return undefined;
    const askedAt = now();
    const rdap = { answer: { kind: "closed", why } as const, host: "", askedAt, ms: 0 };
    return { verdict: decideClosed(why), testimony: { rdap }, askedAt };
  }

  const judgeByDns: Judge = async (domain, wait, { spent }) => {
    const byRule = await judgeByRule(domain);
    if (byRule !== undefined) return byRule;
    const dns = await askDns(domain, wait, spent);
    const judgement = { verdict: decideByDns(dns.answer), testimony: { dns } };
    return dns.answer.kind === "failed" ? judgement : { ...judgement, askedAt: dns.askedAt };
  };

  /** Denials whose needed witness was missing: asking again costs the question to that witness only. */
  const denials = createBoundedMap<Judgement>(MAX_DENIALS);

  /** The denial kept of a domain, unless it is as old as a cached one may be, or its registry has failed a test since. */
  async function keptDenial(domain: Domain): Promise<Judgement | undefined> {
    const name = `${domain.label}.${domain.tld}`;
    const kept = denials.get(name);
    const row = kept && await rowOf(domain.tld);
    if (kept?.askedAt === undefined || row === undefined) return undefined;
    const isFresh = Math.abs(now() - kept.askedAt) < lifetimeMs(kept.verdict);
    const canary = await sources.canary.inForce(row);
    if (isFresh && canary?.kind === "passed" && sources.canary.trusts(row, kept.askedAt)) {
      return kept;
    }
    denials.delete(name);
    return undefined;
  }

  const judge: Judge = async (domain, wait, { spent, registeredAt }) => {
    const byRule = await judgeByRule(domain);
    if (byRule !== undefined) return byRule;
    const denial = await keptDenial(domain);
    if (denial !== undefined) {
      return await reconcileJudgement(domain, denial, {
        askingWhois: askWhois(domain, wait),
        wait,
        registeredAt,
      });
    }
    const dns = await askDns(domain, wait, spent);
    const { answer, askedAt } = dns;
    if (answer.kind === "delegated") {
      return { verdict: decide({ dns: answer }), testimony: { dns }, askedAt };
    }
    const asked = { ...dns, answer };
    const row = await rowOf(domain.tld);
    if (wait.signal?.aborted) return { verdict: CANCELLED, testimony: cancelledTestimony(asked) };
    const judging = row === undefined
      ? judgeUnlisted(asked, await coverageOf(domain.tld))
      : judgeByRegistry(domain, { asked, row }, wait, spent);
    // Beside the registry's RDAP server: asked after it, WHOIS would double the time of an available name. But not
    // before it: where both have one budget, RDAP's question goes first.
    const askingWhois = askWhois(domain, wait);
    background.run(askingWhois);
    return await reconcileJudgement(domain, await judging, { askingWhois, wait, registeredAt });
  };

  async function askWhois(
    domain: Domain,
    wait: WaitOptions,
    isFallback = false,
  ): Promise<Exchange<WhoisAnswer> | undefined> {
    const timing = startTiming(wait, now);
    const answer = await sources.askWhois?.(domain, timing.wait, isFallback);
    return answer && timing.exchange(answer, answer.host ?? "");
  }

  /** Weighs what further witnesses say; waits for them only if they may change the verdict. */
  async function reconcileJudgement(
    domain: Domain,
    judgement: Judgement,
    { askingWhois, wait, registeredAt }: {
      askingWhois: Promise<Exchange<WhoisAnswer> | undefined>;
      wait: WaitOptions;
      registeredAt: number | undefined;
    },
  ): Promise<Judgement> {
    if (!mayWhoisChange(judgement.verdict)) return judgement;
    // Where RDAP has no usable answer, WHOIS may have a record.
    const answered = await askingWhois ??
      (judgement.verdict.available ? undefined : await askWhois(domain, wait, true));
    const whois = answered && await underLevel(domain.tld, answered, judgement);
    const verdict = reconcile(judgement.verdict, { whois: whois?.answer });
    if (judgement.verdict.available && whois?.answer.kind === "missing") {
      denials.set(`${domain.label}.${domain.tld}`, judgement);
    }
    const testimony = { ...judgement.testimony, whois };
    if (verdict.available && whois?.answer.kind !== "notFound") {
      const rule = await ruleForHeldBack(domain.tld, registeredAt);
      if (rule !== undefined) return underRule({ ...judgement, testimony }, rule);
    }
    if (verdict.available && sources.askRegistrars !== undefined) {
      if (wait.priority === "background") {
        return { verdict: REGISTRARS_NOT_ASKED, testimony: {} };
      }
      const timing = startTiming(wait, now);
      const registrars = sources.askRegistrars(domain, timing.wait);
      const exchange = (answer: RegistrarAnswer) => timing.exchange(answer, answer.host ?? "");
      return await reconcileRegistrars({ ...judgement, verdict, testimony }, registrars, exchange);
    }
    const isByWhois = verdict.source === "whois" && whois !== undefined;
    return { ...judgement, verdict, testimony, ...(isByWhois && { askedAt: whois.askedAt }) };
  }

  /** Adds to a denial by WHOIS that the TLD sells at the third level only, which forbids nothing that DNS may show. */
  async function underLevel(
    tld: string,
    whois: Exchange<WhoisAnswer>,
    { testimony: { dns } }: Judgement,
  ): Promise<Exchange<WhoisAnswer>> {
    const { answer } = whois;
    const level = answer.kind === "notFound" ? (await coverageOf(tld))?.level : undefined;
    if (answer.kind !== "notFound" || level === undefined) return whois;
    return {
      ...whois,
      answer: { ...answer, level: dns?.answer.kind === "none" ? level : UNCONFIRMED },
    };
  }

  /** The rule for a name that was registered at that time, where the registry may hold deleted names back. */
  async function ruleForHeldBack(
    tld: string,
    registeredAt: number | undefined,
  ): Promise<LabelPolicy | undefined> {
    const row = registeredAt === undefined ? undefined : await rowOf(tld);
    if (registeredAt === undefined || row === undefined || !holdsDeletedBack(row)) return undefined;
    return ruleForDropped(registeredAt, now());
  }

  /** Asks the TLD's RDAP server, and decides by it and by DNS. */
  async function judgeByRegistry(
    { label, tld }: Domain,
    { asked, row }: { asked: Exchange<NotDelegated>; row: TldRow },
    wait: WaitOptions,
    spent: Spent,
  ): Promise<Judgement> {
    const domain = `${label}.${tld}`;
    const { answer: dns } = asked;
    const { host } = new URL(row.rdapBase);
    const answering = timed(
      "rdap",
      { host, wait, spent, now },
      (wait) =>
        sources.registries.ask(row.rdapBase, domain, {
          ...wait,
          // Answers of DNS come in any order.
          rank: wantedRank(tld),
          onQueue: (host, expectedMs) => wait.onPending?.({ domain, tld, host, expectedMs }),
        }),
    ).finally(() => wait.onPending?.());
    const { canary } = sources;
    // In parallel with the question: without a result in force, the client would wait for the test after it.
    const trusting = canary.resultOf(row, wait.priority ?? "foreground", wait.site);
    const confirming = confirmDns(dns, tld, trusting, sources);
    background.run(confirming);
    const exchanged = await answering;
    const { answer: rdap } = exchanged;
    switch (rdap.kind) {
      case "failed":
        return {
          verdict: decide({ dns, registry: rdap }),
          testimony: { dns: asked, rdap: { ...exchanged, answer: rdap } },
        };
      case "registered": {
        // Without a new test: no client waits for one to learn that a name is taken.
        const result = await canary.inForce(row);
        const registry: RegistryEvidence = { kind: "registered", canary: result };
        const testedAt = result && canary.testedAt(row, result);
        return {
          verdict: decide({ dns, registry }),
          testimony: { dns: asked, rdap: { ...exchanged, answer: registry, testedAt } },
          askedAt: rdap.askedAt,
        };
      }
      case "notFound": {
        const answeredAt = performance.now();
        const confirmed = await confirming;
        const tested = await trusting;
        const registry = await readDenial({ label, tld }, { rdap, row, wait, tested, canary });
        spent.trust += performance.now() - answeredAt;
        const testedAt = canary.testedAt(row, registry.canary);
        // Both questions decide, so the verdict is as old as the first: a name that was delegated between the two must
        // not be found by another process, only to be replaced by this.
        const askedAt = dns.kind === "none" ? dns.askedAt : rdap.askedAt;
        return {
          verdict: decide({ dns: confirmed, registry }),
          testimony: {
            dns: { ...asked, answer: confirmed },
            rdap: { ...exchanged, answer: registry, testedAt },
          },
          askedAt,
        };
      }
      default:
        rdap satisfies never;
        return { verdict: INTERNAL_ERROR, testimony: {} };
    }
  }

  /** A 404 with all that decides whether it is trusted; asks about a random name if it differs in words that no phrase reads. */
  async function readDenial(
    { label, tld }: Domain,
    { rdap, row, wait, tested, canary }: {
      rdap: Extract<RdapAnswer, { kind: "notFound" }>;
      row: TldRow;
      wait: WaitOptions;
      tested: Canary;
      canary: Witnesses["canary"];
    },
  ): Promise<Denial> {
    const { readLabelRules } = await import("./label_rules.ts");
    const coverage = await coverageOf(tld);
    const isUnsold = coverage?.level?.kind === "forbidden";
    const { policy, asked } = readLabelRules(label, tld, coverage);
    const priority = wait.priority ?? "foreground";
    // Once more, after the answer: the registry may have failed a test since the question was sent. A pass since then does
    // not count: DNS was not confirmed.
    let result = tested.kind === "passed" ? await canary.inForce(row) ?? tested : tested;
    let notice = noticeOf(rdap, asked, result);
    if (notice.kind === "unread" && result.kind === "passed") {
      result = await canary.learn(row, label, priority) ?? result;
      notice = noticeOf(rdap, asked, result);
    }
    // A registry that failed a test and has passed since may have given a wrong 404 in between.
    if (result.kind === "passed" && !canary.trusts(row, rdap.askedAt)) result = ASKED_TOO_EARLY;
    if (notice.kind === "unread" && result.kind === "passed") {
      reportUnread(tld, withoutLabel(notice.words, asked));
    }
    if (notice.kind !== "plain") report("rdap.notice", { domain: asked.domain, ...notice });
    return {
      kind: "notFound",
      notice,
      canary: result,
      policy,
      isUnsold,
    };
  }

  return { judge, judgeByDns };
}

/** Decides where no RDAP server is known for the TLD; where it has no server at all, its rule may settle the name. */
function judgeUnlisted(
  asked: Exchange<NotDelegated>,
  coverage: SuffixCoverage | undefined,
): Judgement {
  const level = coverage?.facts.coverage === "dns" ? coverage.level : undefined;
  const registry: RegistryEvidence = level?.kind === "forbidden" && asked.answer.kind === "none"
    ? { kind: "closed", why: level.rule }
    : { kind: "unlisted" };
  const rdap = { answer: registry, host: "", askedAt: asked.askedAt, ms: 0 };
  return { verdict: decide({ dns: asked.answer, registry }), testimony: { dns: asked, rdap } };
}

/** The testimony where all clients disconnected before the registry was asked. */
function cancelledTestimony(asked: Exchange<NotDelegated>): Testimony {
  const answer: RegistryEvidence = { kind: "failed", fault: "unasked", why: "" };
  return { dns: asked, rdap: { answer, host: "", askedAt: asked.askedAt, ms: 0 } };
}

/** The judgement on a denied name for which there is a further rule. */
function underRule(judgement: Judgement, policy: LabelPolicy): Judgement {
  const { dns, rdap } = judgement.testimony;
  if (dns === undefined || rdap?.answer.kind !== "notFound") return judgement;
  const registry = { ...rdap.answer, policy };
  const testimony = { ...judgement.testimony, rdap: { ...rdap, answer: registry } };
  return { ...judgement, verdict: decide({ dns: dns.answer, registry }), testimony };
}

/** Weighs the answers of registrars that are there in time, and all of them later. */
async function reconcileRegistrars(
  judgement: Judgement,
  { soon, all }: RegistrarAnswers,
  exchange: (answer: RegistrarAnswer) => Exchange<RegistrarAnswer>,
): Promise<Judgement> {
  const testimonyWith = (answers: readonly RegistrarAnswer[]) => ({
    ...judgement.testimony,
    registrars: answers.map(exchange),
  });
  const { answers, isComplete } = await soon;
  const verdict = reconcile(judgement.verdict, { registrars: answers });
  const judged = { ...judgement, verdict, testimony: testimonyWith(answers) };
  if (isComplete) return judged;
  const corrected = all.then((registrars): Judgement | undefined => {
    const corrected = reconcile(judgement.verdict, { registrars });
    const isSame = corrected.cause === verdict.cause && corrected.offer === verdict.offer &&
      corrected.premium === verdict.premium;
    if (isSame) return undefined;
    const askedAt = Math.max(...registrars.map((one) => one.kind === "failed" ? 0 : one.askedAt));
    return { verdict: corrected, testimony: testimonyWith(registrars), askedAt };
  });
  return { ...judged, corrected };
}

type NotDelegated = Exclude<DnsAnswer, { kind: "delegated" }>;

const UNCONFIRMED: LevelRule = {
  kind: "unknown",
  why: "The registry's WHOIS has no record, but DNS could not confirm it",
};

const ASKED_TOO_EARLY: Canary = {
  kind: "undecided",
  why: "This registry failed a test of its 404s when it was asked and has passed since; try again",
};

/** How a 404 differs from the registry's 404 for a made-up name, which only a passed test shows. */
function noticeOf(
  { statements, askedAt }: Extract<RdapAnswer, { kind: "notFound" }>,
  asked: AskedName,
  canary: Canary,
): Notice {
  if (canary.kind === "passed") {
    return readNotice(differences(statements, { ...asked, askedAt }, canary.templates), asked);
  }
  // There is nothing to compare with, and no name is available then: only phrases against the name are read.
  const notice = readNotice(statements.filter(({ isLegal }) => !isLegal), asked);
  return notice.kind === "reserved" || notice.kind === "unsupported" ? notice : { kind: "plain" };
}

/** Trusts "no delegation" only from a resolver that shows a name which the canary found registered. */
async function confirmDns(
  dns: NotDelegated,
  tld: string,
  trusting: Promise<Canary>,
  { canary, resolver }: Pick<Witnesses, "canary" | "resolver">,
): Promise<NotDelegated> {
  const result = await trusting;
  if (dns.kind === "failed" || result.kind !== "passed") return dns;
  const labels = [...new Set([result.witness, ...canary.labelsOf(tld)])];
  if (await resolver.showsDelegations(tld, labels)) return dns;
  const why = `the resolver does not show ${result.witness}.${tld}, which is registered`;
  return { kind: "failed", fault: "blind", why };
}
