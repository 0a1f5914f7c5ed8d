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
import type { Queued, WaitOptions } from "../flow/upstream_host.ts";
import { pause } from "../flow/pause.ts";
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
import type { TldRow } from "../rules/tables/tlds.ts";
import { NEEDED_SERVERS } from "../rules/tables/whois_servers.ts";
import {
  CANCELLED,
  decide,
  decideByDns,
  decideClosed,
  type Denial,
  INTERNAL_ERROR,
  type RegistryEvidence,
  type Verdict,
} from "../rules/verdict.ts";
import { type AskedName, withoutLabel } from "../rules/readers/statements.ts";
import { differences } from "../rules/readers/templates.ts";
import type { CanaryProbe } from "./canary_probe.ts";
import type { CanaryWatch } from "./canary_watch.ts";
import { startTiming, timed } from "./exchange_timing.ts";
import { type AskRegistry, unasked } from "./registries.ts";
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

/** What judging is told, and tells. */
export interface JudgeContext {
  readonly spent: Spent;
  /** When the domain was last seen registered, in ms since 1970, if that is known. */
  readonly registeredAt: number | undefined;
  /** Called with the judgement on what is known, while a question waits: for a client that wants no later one. */
  noteInterim(interim: Judgement): void;
}

/** Asks about a domain and decides. */
export type Judge = (
  domain: Domain,
  wait: WaitOptions,
  context: JudgeContext,
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
  /** Aborted when the process stops. */
  stop: AbortSignal;
  report: Report;
  /** Called with the words of a 404 that no rule reads, without the name. */
  reportUnread: (tld: string, words: string) => void;
  now: () => number;
}

/** Creates both ways of judging: by all witnesses, and by DNS alone. */
export function createJudges(
  { sources, suffixes, background, stop, report, reportUnread, now }: JudgeOptions,
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

  /**
   * Judges again after the pause of a server without which the name is unknown. A client that does not want to wait so long
   * has the first judgement.
   */
  const judge: Judge = async (domain, wait, context) => {
    const byRule = await judgeByRule(domain);
    if (byRule !== undefined) return byRule;
    for (let times = 1;; times++) {
      const judgement = await judgeOnce(domain, wait, context);
      const { verdict: { retryAfter = Infinity, likely }, testimony } = judgement;
      const isLast = times === MOST_TIMES || retryAfter > LONGEST_PAUSE_S ||
        wait.priority === "background" || wait.signal?.aborted === true;
      if (isLast) return judgement;
      context.noteInterim(judgement);
      const host = (testimony.whois ?? testimony.rdap)?.host ?? "";
      wait.onPending?.({
        domain: `${domain.label}.${domain.tld}`,
        tld: domain.tld,
        host,
        expectedMs: retryAfter * 1_000,
        ...(likely === "available" && { likely }),
      });
      await pause(retryAfter * 1_000, stop, ...(wait.signal === undefined ? [] : [wait.signal]));
    }
  };

  const judgeOnce: Judge = async (domain, wait, context) => {
    const dns = await askDns(domain, wait, context.spent);
    const { answer, askedAt } = dns;
    if (answer.kind === "delegated") {
      return { verdict: decide({ dns: answer }), testimony: { dns }, askedAt };
    }
    const asked = { ...dns, answer };
    const row = await rowOf(domain.tld);
    if (wait.signal?.aborted) return { verdict: CANCELLED, testimony: cancelledTestimony(asked) };
    const judging = row === undefined
      ? judgeUnlisted(asked, await coverageOf(domain.tld))
      : judgeByRegistry(domain, { asked, row }, wait, context);
    // Beside the registry's RDAP server: asked after it, WHOIS would double the time of an available name. But not
    // before it: where both have one budget, RDAP's question goes first.
    const whois = startWhois(domain, wait);
    background.run(whois.asking);
    return await reconcileJudgement(domain, await judging, { whois, wait, context });
  };

  /** Asks the TLD's WHOIS server where its word is needed; `queued`: how the question waits. */
  function startWhois(domain: Domain, wait: WaitOptions) {
    const whois = {
      asking: askWhois(domain, {
        ...wait,
        onQueue(queued) {
          whois.queued = queued;
          whois.onQueue?.(queued);
        },
      }),
      queued: undefined as Queued | undefined,
      onQueue: undefined as ((queued: Queued) => void) | undefined,
      isOver: false,
    };
    whois.asking.then(() => whois.isOver = true, () => {});
    return whois;
  }

  /** Tells the clients that the registry has denied the name, and that its WHOIS server, which is needed, is being asked. */
  function announceLikely(
    domain: Domain,
    judgement: Judgement,
    { whois, wait, context }: Furthering,
  ): void {
    const host = NEEDED_SERVERS.get(domain.tld);
    if (host === undefined || whois.isOver || !judgement.verdict.available) return;
    const tell = ({ expectedMs }: Pick<Queued, "expectedMs">) => {
      const answer = {
        kind: "missing",
        fault: "unasked",
        retryAfterMs: Math.max(LEAST_RETRY_MS, expectedMs),
        host,
      } as const;
      const verdict = reconcile(judgement.verdict, { whois: answer });
      const exchange = { answer, host, askedAt: now(), ms: 0 };
      const testimony = { ...judgement.testimony, whois: exchange };
      context.noteInterim({ ...judgement, verdict, testimony });
      const name = { domain: `${domain.label}.${domain.tld}`, tld: domain.tld };
      if (verdict.likely !== "available") return;
      wait.onPending?.({ ...name, host, expectedMs, likely: verdict.likely });
    };
    whois.onQueue = tell;
    tell(whois.queued ?? { expectedMs: 0 });
  }

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
    further: Furthering,
  ): Promise<Judgement> {
    const { whois: { asking }, wait, context: { registeredAt } } = further;
    if (!mayWhoisChange(judgement.verdict)) return judgement;
    announceLikely(domain, judgement, further);
    // Where RDAP has no usable answer, WHOIS may have a record.
    const answered = await asking ??
      (judgement.verdict.available ? undefined : await askWhois(domain, wait, true));
    const whois = answered && await underLevel(domain.tld, answered, judgement);
    const verdict = reconcile(judgement.verdict, { whois: whois?.answer });
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
    { spent, noteInterim }: JudgeContext,
  ): Promise<Judgement> {
    const domain = `${label}.${tld}`;
    const { answer: dns } = asked;
    const { host } = new URL(row.rdapBase);
    function noteWaiting({ expectedMs, why }: Omit<Queued, "host">): void {
      const answer = unasked(why, Math.max(LEAST_RETRY_MS, expectedMs));
      const rdap = { answer, host, askedAt: now(), ms: 0 };
      noteInterim({ verdict: decide({ dns, registry: answer }), testimony: { dns: asked, rdap } });
    }
    const onQueue = (queued: Queued) => {
      noteWaiting(queued);
      wait.onPending?.({ domain, tld, host, expectedMs: queued.expectedMs });
    };
    const answering = timed(
      "rdap",
      { host, wait, spent, now },
      (wait) => sources.registries.ask(row.rdapBase, domain, { ...wait, onQueue }),
    ).finally(() => wait.onPending?.());
    const { canary } = sources;
    // In parallel with the question: without a result in force, the client would wait for the test after it.
    // As long as RDAP has not answered, its own wait is what clients are told.
    let testQueued: Queued | undefined;
    let isAnswered = false;
    function noteTest(): void {
      if (!isAnswered) return;
      if (testQueued !== undefined) onQueue(testQueued);
      else noteWaiting({ expectedMs: 0, why: "The registry's 404s are being tested" });
    }
    const trusting = canary.resultOf(row, {
      ...wait,
      onQueue(queued) {
        testQueued = queued;
        noteTest();
      },
    });
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
        isAnswered = true;
        noteTest();
        // A name that no registry sells is reserved by the rule, whatever the test finds.
        const isUnsold = (await coverageOf(tld))?.level?.kind === "forbidden";
        const confirmed = isUnsold ? dns : await confirming;
        const tested = isUnsold ? await canary.inForce(row) ?? UNTESTED : await trusting;
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

/** What weighing further witnesses needs. */
interface Furthering {
  readonly whois: {
    readonly asking: Promise<Exchange<WhoisAnswer> | undefined>;
    readonly queued: Queued | undefined;
    onQueue: ((queued: Queued) => void) | undefined;
    readonly isOver: boolean;
  };
  readonly wait: WaitOptions;
  readonly context: JudgeContext;
}

/** The longest pause of a server for which a look-up waits, in seconds, and how often it asks in all. */
const LONGEST_PAUSE_S = 120;
const MOST_TIMES = 3;

/** A client that is told to come back does so after this at least, in ms. */
const LEAST_RETRY_MS = 1_000;

type NotDelegated = Exclude<DnsAnswer, { kind: "delegated" }>;

const UNCONFIRMED: LevelRule = {
  kind: "unknown",
  why: "The registry's WHOIS has no record, but DNS could not confirm it",
};

const UNTESTED: Canary = { kind: "undecided", why: "This registry's 404s were not tested" };

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
