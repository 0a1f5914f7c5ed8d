/** The check of a domain: cache, then DNS, then its registry; the rules decide. */
import type { Background } from "../flow/background.ts";
import { type Answer, type Cache, cached, type Renewal } from "../flow/cached.ts";
import type { Pending, Spent, Waiter } from "../flow/flight.ts";
import type { WaitOptions } from "../flow/gate.ts";
import type { Report } from "../flow/report.ts";
import type {
  Canary,
  DnsAnswer,
  Notice,
  Offer,
  RdapAnswer,
  RegistrarAnswer,
  WhoisAnswer,
} from "../rules/answer.ts";
import { type EvidenceEntry, type Exchange, type Testimony, toEntries } from "../rules/evidence.ts";
import type { TxtRecord } from "../rules/for_sale.ts";
import { readNotice } from "../rules/notices.ts";
import { mayWhoisChange, reconcile, REGISTRARS_NOT_ASKED } from "../rules/reconcile.ts";
import { type TldRow, wantedRank } from "../rules/tlds.ts";
import {
  CANCELLED,
  decide,
  decideByDns,
  type Denial,
  INTERNAL_ERROR,
  lifetimeMs,
  type RegistryEvidence,
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
import { createRowEvidence } from "./row_evidence.ts";

/** A verdict and when its deciding question was sent (ISO 8601), which a cache hit does not change. */
export interface Finding extends Verdict {
  readonly checkedAt: string;
  /**
   * The entries of what was answered, as JSON: a flat text of 200 to 400 bytes takes two thirds of the memory of the
   * objects, and keeps no longer text alive that its parts were cut from. Absent if the finding was read from KV.
   */
  readonly evidence?: string;
}

/** The result for one domain, as the API returns it. */
export interface DomainResult {
  domain: string;
  /** The domain in Unicode, if it has a valid A-label. */
  unicode?: string;
  tld: string;
  state: State;
  available: boolean;
  status: Verdict["status"];
  premium: boolean;
  source: Verdict["source"] | `${Verdict["source"]}+cache`;
  checkedAt: string;
  /** How long this request waited for this domain. */
  responseMs: number;
  /** Why a domain that is not taken cannot be registered. */
  reason?: string;
  error?: string;
  /** Seconds until asking again makes sense, where a pause or a queue of the registry is the reason. */
  retryAfter?: number;
  /** What a registrar asks for the name; only where the operator has an account with one. */
  offer?: Offer;
  /** What each witness said; only where the client wants it. */
  evidence?: readonly EvidenceEntry[];
}

/** What a client wants in its rows besides the verdict. */
export interface RowOptions {
  readonly withEvidence?: boolean;
}

/**
 * Checks one label under one TLD; never throws for a fault of an upstream. Once all its clients have disconnected, its
 * queued questions are cancelled; a question that was sent is finished and cached.
 */
export type CheckDomain = (
  label: string,
  tld: string,
  waiter?: Waiter,
  options?: RowOptions,
) => Promise<DomainResult>;

/** What is counted of an answer. The label is not to be logged. */
export interface AnswerSummary extends Pick<DomainResult, "tld" | "state" | "source"> {
  label: string;
  cause?: UnknownCause | undefined;
  /** The times of the look-up; undefined for a cached answer. */
  spent?: Spent | undefined;
}

/** Asks the TLD's WHOIS server; undefined if it is not asked: there is none, or it has not passed its test. */
export type AskWhois = (domain: Domain, wait: WaitOptions) => Promise<WhoisAnswer | undefined>;

/** The answers of registrars to a question about a domain. */
export interface RegistrarAnswers {
  /** Those that come in time for the check. */
  readonly soon: Promise<{ answers: readonly RegistrarAnswer[]; isComplete: boolean }>;
  /** All of them, seconds later at most. */
  readonly all: Promise<readonly RegistrarAnswer[]>;
}

/** Asks the registrars with which the operator has an account. */
export type AskRegistrars = (domain: Domain, wait: WaitOptions) => RegistrarAnswers;

/** The sources of evidence. */
export interface CheckSources {
  isDelegated(domain: string, wait: WaitOptions): Promise<DnsAnswer>;
  registries: { ask: AskRegistry };
  canary:
    & Pick<CanaryWatch, "resultOf" | "inForce" | "testedAt" | "trusts" | "retest">
    & Pick<CanaryProbe, "labelsOf" | "noteDelegated">;
  resolver: Pick<ResolverCanary, "noteDelegated" | "showsDelegations">;
  /** Absent if the operator has switched WHOIS off. */
  askWhois?: AskWhois | undefined;
  /** Absent if the operator has no account with a registrar. */
  askRegistrars?: AskRegistrars | undefined;
  /** Asks for the records by which the holder of a delegated name offers it; undefined if there are none. */
  askForSale?(
    domain: string,
    wait: WaitOptions,
  ): Promise<{ records: readonly TxtRecord[]; askedAt: number } | undefined>;
  /** Which resolver is asked. */
  resolverName: "system" | "resolver";
}

/** Constants: a string concatenated for each answer would be hashed again for each metric. */
const FROM_CACHE = { dns: "dns+cache", rdap: "rdap+cache", whois: "whois+cache" } as const;

/** One label under one TLD. */
export interface Domain {
  label: string;
  tld: string;
}

/** A verdict, the answers that it rests on, and when its deciding question was sent, in ms since 1970, if one was. */
interface Judgement {
  readonly verdict: Verdict;
  readonly testimony: Testimony;
  readonly askedAt?: number;
  /** The judgement in view of answers that come too late for it; undefined if they change nothing. */
  readonly corrected?: Promise<Judgement | undefined>;
}

/** Asks about a domain and decides. */
type Judge = (domain: Domain, wait: WaitOptions, spent: Spent) => Promise<Judgement>;

/** Looks a domain up with background priority, unless its cached answer is valid until a time (ms since 1970). */
export type RenewDomain = (label: string, tld: string, until: number) => Promise<Renewal>;

/** The checks of a domain, and the renewal of its cached answers. */
export interface DomainChecks {
  checkDomain: CheckDomain;
  /** Checks by the cache and DNS alone: a name that is in neither is unknown. */
  checkInDns: CheckDomain;
  renewDomain: RenewDomain;
}

/** Creates the checks. */
export function createCheckDomain(
  { sources, rowOf, cache, background, report, reportUnread, reportFault, onAnswer, now }: {
    sources: CheckSources;
    /** The TLD's row in the TLD table. */
    rowOf: (tld: string) => Promise<TldRow | undefined>;
    cache: Cache<Finding>;
    background: Background;
    report: Report;
    /** Called with the words of a 404 that no rule reads, without the name. */
    reportUnread: (tld: string, words: string) => void;
    /** Called for bugs: a bug must not fail the answers for other names. */
    reportFault: Report;
    /** Called with every answer. */
    onAnswer?: (answer: AnswerSummary) => void;
    now: () => number;
  },
): DomainChecks {
  const spentOn = new WeakMap<Finding, Spent>();
  const pendings = createPendings();
  /** The corrections that may still come, by domain. */
  const corrections = new Map<string, Promise<Finding | undefined>>();

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
      sources.resolver.noteDelegated(tld);
    }
    return dns;
  }

  const judgeByDns: Judge = async (domain, wait, spent) => {
    const dns = await askDns(domain, wait, spent);
    const judgement = { verdict: decideByDns(dns.answer), testimony: { dns } };
    return dns.answer.kind === "failed" ? judgement : { ...judgement, askedAt: dns.askedAt };
  };

  const judge: Judge = async (domain, wait, spent) => {
    const dns = await askDns(domain, wait, spent);
    const { answer, askedAt } = dns;
    if (answer.kind === "delegated") {
      return { verdict: decide({ dns: answer }), testimony: { dns }, askedAt };
    }
    const asked = { ...dns, answer };
    const row = await rowOf(domain.tld);
    if (wait.signal?.aborted) return { verdict: CANCELLED, testimony: cancelledTestimony(asked) };
    const judging = row === undefined
      ? judgeUnlisted(asked)
      : judgeByRegistry(domain, { asked, row }, wait, spent);
    // Beside the registry's RDAP server: asked after it, WHOIS would double the time of an available name. But not
    // before it: where both have one budget, RDAP's question goes first.
    const askingWhois = askWhois(domain, wait);
    background.run(askingWhois);
    return await reconcileJudgement(domain, await judging, { askingWhois, wait });
  };

  async function askWhois(
    domain: Domain,
    wait: WaitOptions,
  ): Promise<Exchange<WhoisAnswer> | undefined> {
    const timing = startTiming(wait, now);
    const answer = await sources.askWhois?.(domain, timing.wait);
    return answer && timing.exchange(answer, answer.host ?? "");
  }

  /** Weighs what further witnesses say; waits for them only if they may change the verdict. */
  async function reconcileJudgement(
    domain: Domain,
    judgement: Judgement,
    { askingWhois, wait }: {
      askingWhois: Promise<Exchange<WhoisAnswer> | undefined>;
      wait: WaitOptions;
    },
  ): Promise<Judgement> {
    if (!mayWhoisChange(judgement.verdict)) return judgement;
    const whois = await askingWhois;
    const verdict = reconcile(judgement.verdict, { whois: whois?.answer });
    const testimony = { ...judgement.testimony, whois };
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
          onQueue(host, expectedMs) {
            // Clients never wait for a renewal.
            if (wait.priority === "background") return;
            pendings.start({ domain, tld, host, expectedMs });
          },
        }),
    ).finally(() => pendings.end(domain));
    const { canary } = sources;
    // In parallel with the question: without a result in force, the client would wait for the test after it.
    const trusting = canary.resultOf(row, wait.priority ?? "foreground");
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
      case "registered":
        return {
          verdict: decide({ dns, registry: rdap }),
          testimony: { dns: asked, rdap: { ...exchanged, answer: rdap } },
          askedAt: rdap.askedAt,
        };
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

  /** A 404 with all that decides whether it is trusted; tests the registry again if its wording is unknown. */
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
    };
  }

  async function find(judge: Judge, domain: Domain, wait: WaitOptions): Promise<Finding> {
    const startedAt = now();
    const spent: Spent = { gate: 0, dns: 0, rdap: 0, trust: 0 };
    const judging = judge(domain, wait, spent).catch((error): Judgement => {
      // The names that clients check must not be logged.
      reportFault("check.failed", {
        tld: domain.tld,
        error: String(error).replaceAll(domain.label, "<name>"),
      });
      return { verdict: INTERNAL_ERROR, testimony: {} };
    });
    const { verdict, testimony, askedAt = startedAt, corrected } = await judging;
    const finding = toFinding({ verdict, testimony }, askedAt);
    spentOn.set(finding, spent);
    if (corrected !== undefined) background.run(correctLater(domain, askedAt, corrected));
    return finding;
  }

  /**
   * Corrects the cache, then the clients: they may ask again at once. The correction is stored as asked when the
   * corrected finding was: what was found out since must stay.
   */
  async function correctLater(
    domain: Domain,
    askedAt: number,
    corrected: Promise<Judgement | undefined>,
  ): Promise<void> {
    const name = nameOf(domain);
    const correction = corrected.then(async (judgement) => {
      if (judgement === undefined) return undefined;
      const correctedAt = Math.max(judgement.askedAt ?? 0, askedAt + 1);
      const finding = toFinding(judgement, correctedAt);
      await correct(domain, finding, askedAt);
      return finding;
    });
    corrections.set(name, correction);
    try {
      await correction;
    } finally {
      if (corrections.get(name) === correction) corrections.delete(name);
    }
  }

  /** Both ways of judging share the cache: what DNS alone cannot decide is unknown, which is never cached. */
  const cachedBy = (judge: Judge) =>
    cached((domain: Domain, wait) => find(judge, domain, wait), {
      keyOf: nameOf,
      cache,
      askedAtOf: ({ checkedAt }) => Date.parse(checkedAt),
      lifetimeMs,
      now,
    });
  const { answer, renew, correct } = cachedBy(judge);
  const { answer: answerByDns } = cachedBy(judgeByDns);

  const evidenceOf = createRowEvidence({ sources, rowOf });

  async function checkBy(
    answer: (domain: Domain, waiter?: Waiter) => Promise<Answer<Finding>>,
    { label, tld }: Domain,
    waiter: Waiter | undefined,
    options: RowOptions | undefined,
  ): Promise<DomainResult> {
    const startedAt = performance.now();
    const { value, isCached } = await answer({ label, tld }, waiter);
    const unicode = await unicodeNameOf({ label, tld });
    const result = toResult({ label, tld }, value, { isCached, startedAt, unicode });
    const { state, source } = result;
    const spent = isCached ? undefined : spentOn.get(value);
    onAnswer?.({ label, tld, state, source, cause: value.cause, spent });
    if (spent !== undefined) waiter?.onSpent?.(spent);
    const correction = corrections.get(result.domain);
    if (correction !== undefined && waiter?.onCorrection !== undefined) {
      const corrected = correction.then(async (finding) => {
        if (finding === undefined || finding.checkedAt <= value.checkedAt) return undefined;
        const row = toResult({ label, tld }, finding, { isCached: false, startedAt, unicode });
        return await withEvidence(row, { finding, isCached: false, waiter, options });
      });
      waiter.onCorrection(result.domain, corrected);
    }
    return await withEvidence(result, { finding: value, isCached, waiter, options });
  }

  /** The row with its evidence, if that was asked for. */
  async function withEvidence(
    row: DomainResult,
    { options, ...found }: Parameters<typeof evidenceOf>[1] & { options: RowOptions | undefined },
  ): Promise<DomainResult> {
    if (options?.withEvidence !== true) return row;
    const startedAt = performance.now();
    const label = row.domain.slice(0, -row.tld.length - 1);
    const evidence = await evidenceOf({ label, tld: row.tld }, found);
    const responseMs = row.responseMs + Math.round(performance.now() - startedAt);
    return { ...row, responseMs, evidence };
  }

  const checkDomain: CheckDomain = async (label, tld, waiter, options) => {
    const { onPending } = waiter ?? {};
    if (onPending === undefined) return await checkBy(answer, { label, tld }, waiter, options);
    const stopListening = pendings.listen(`${label}.${tld}`, onPending);
    try {
      return await checkBy(answer, { label, tld }, waiter, options);
    } finally {
      stopListening();
    }
  };

  return {
    checkDomain,
    checkInDns: (label, tld, waiter, options) =>
      checkBy(answerByDns, { label, tld }, waiter, options),
    renewDomain: (label, tld, until) => renew({ label, tld }, until),
  };
}

/** Decides where no RDAP server is known for the TLD. */
function judgeUnlisted(asked: Exchange<NotDelegated>): Judgement {
  const registry: RegistryEvidence = { kind: "unlisted" };
  const rdap = { answer: registry, host: "", askedAt: asked.askedAt, ms: 0 };
  return { verdict: decide({ dns: asked.answer, registry }), testimony: { dns: asked, rdap } };
}

/** The testimony where all clients disconnected before the registry was asked. */
function cancelledTestimony(asked: Exchange<NotDelegated>): Testimony {
  const answer: RegistryEvidence = { kind: "failed", fault: "unasked", why: "" };
  return { dns: asked, rdap: { answer, host: "", askedAt: asked.askedAt, ms: 0 } };
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

function nameOf({ label, tld }: Domain): string {
  return `${label}.${tld}`;
}

function toFinding(
  { verdict, testimony }: Pick<Judgement, "verdict" | "testimony">,
  askedAt: number,
): Finding {
  const checkedAt = new Date(askedAt).toISOString();
  return { ...verdict, checkedAt, evidence: JSON.stringify(toEntries(testimony)) };
}

/** The domain in Unicode; undefined if it has no valid A-label. */
async function unicodeNameOf(domain: Domain): Promise<string | undefined> {
  const name = nameOf(domain);
  if (!name.includes("xn--")) return undefined;
  const { toUnicodeDomain } = await import("./a_label.ts");
  return toUnicodeDomain(name);
}

function toResult(
  { label, tld }: Domain,
  value: Finding,
  { isCached, startedAt, unicode }: {
    isCached: boolean;
    startedAt: number;
    unicode: string | undefined;
  },
): DomainResult {
  const { available, status, premium, checkedAt, reason, error, retryAfter, offer } = value;
  return {
    domain: `${label}.${tld}`,
    ...(unicode !== undefined && { unicode }),
    tld,
    state: stateOf(value),
    available,
    status,
    premium,
    source: isCached ? FROM_CACHE[value.source] : value.source,
    checkedAt,
    responseMs: Math.round(performance.now() - startedAt),
    ...(reason !== undefined && { reason }),
    ...(error !== undefined && { error }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(offer !== undefined && { offer }),
  };
}

/**
 * The questions to registries that are under way, by domain. Look-ups are shared, so each client that waits for one gets
 * the question, also if it comes later.
 */
function createPendings() {
  const started = new Map<string, Pending>();
  const listeners = new Map<string, Set<(pending: Pending) => void>>();

  return {
    start(pending: Pending): void {
      started.set(pending.domain, pending);
      for (const listener of listeners.get(pending.domain) ?? []) listener(pending);
    },
    end: (domain: string) => void started.delete(domain),
    /** Calls the listener with the domain's question, until the returned function is called. */
    listen(domain: string, onPending: (pending: Pending) => void): () => void {
      // A function of its own, because a client may wait for a domain twice.
      const listener = (pending: Pending) => onPending(pending);
      const others = listeners.get(domain) ?? new Set();
      listeners.set(domain, others.add(listener));
      const pending = started.get(domain);
      if (pending !== undefined) listener(pending);
      return () => {
        others.delete(listener);
        if (others.size === 0 && listeners.get(domain) === others) listeners.delete(domain);
      };
    },
  };
}

/** Runs a question and adds its time to `spent`; the wait in the queue counts as `gate`. */
async function timed<Answer extends Witnessed>(
  on: "dns" | "rdap",
  { host, wait, spent, now }: { host: string; wait: WaitOptions; spent: Spent; now: () => number },
  ask: (wait: WaitOptions) => Promise<Answer>,
): Promise<Exchange<Answer>> {
  const timing = startTiming(wait, now);
  try {
    return timing.exchange(await ask(timing.wait), host);
  } finally {
    spent.gate += timing.waitedMs();
    spent[on] += timing.tookMs();
  }
}

/** What an exchange takes from an answer. */
interface Witnessed {
  readonly kind: string;
  readonly askedAt?: number;
  readonly said?: string;
}

/** Times an exchange, without the wait in a queue, which `wait` counts. */
function startTiming(wait: WaitOptions, now: () => number) {
  const [startedAt, calledAt] = [performance.now(), now()];
  let waitedMs = 0;
  const tookMs = () => Math.max(0, performance.now() - startedAt - waitedMs);
  return {
    wait: { ...wait, onWait: (ms: number) => void (waitedMs += ms) },
    waitedMs: () => waitedMs,
    tookMs,
    exchange: <Answer extends Witnessed>(answer: Answer, host: string): Exchange<Answer> => {
      const { askedAt = calledAt, said } = answer;
      return { answer, host, said, askedAt, ms: tookMs() };
    },
  };
}

type NotDelegated = Exclude<DnsAnswer, { kind: "delegated" }>;

const ASKED_TOO_EARLY: Canary = {
  kind: "undecided",
  why: "This registry failed a test of its 404s when it was asked and has passed since; try again",
};

/** The text of a 404 besides the registry's usual wording, which only a passed test shows. */
function noticeOf(
  { statements }: Extract<RdapAnswer, { kind: "notFound" }>,
  asked: AskedName,
  canary: Canary,
): Notice {
  return readNotice(statements, asked, canary.kind === "passed" ? canary.wordings : []);
}

/** Trusts "no delegation" only from a resolver that shows a name which the canary found registered. */
async function confirmDns(
  dns: NotDelegated,
  tld: string,
  trusting: Promise<Canary>,
  { canary, resolver }: Pick<CheckSources, "canary" | "resolver">,
): Promise<NotDelegated> {
  const result = await trusting;
  if (dns.kind === "failed" || result.kind !== "passed") return dns;
  const labels = [...new Set([result.witness, ...canary.labelsOf(tld)])];
  if (await resolver.showsDelegations(tld, labels)) return dns;
  const why = `the resolver does not show ${result.witness}.${tld}, which is registered`;
  return { kind: "failed", fault: "blind", why };
}
