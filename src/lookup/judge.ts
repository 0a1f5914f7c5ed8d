/**
 * Asks the witnesses about a domain, collects what they said, and decides once.
 *
 * DNS comes first: only name servers prove anything. Without them the TLD's own registry is asked: its RDAP server, and
 * beside it WHOIS where its word is needed, or after it WHOIS if RDAP has no usable answer. A 404 counts if the registry has
 * passed its canary test, if it equals the 404 for a random name, and if the resolver that answered "none" shows a name that is
 * known to be delegated. Once RDAP has denied a name that would be available, registrars are asked while WHOIS is.
 */
import type { Background } from "../flow/background.ts";
import type { Pending, Spent } from "../flow/cache/flight.ts";
import { pause, withDeadline } from "../flow/deadline.ts";
import type { Report } from "../flow/report.ts";
import type { Queued, WaitOptions } from "../flow/upstream_host.ts";
import type {
  Canary,
  DnsAnswer,
  Notice,
  RdapAnswer,
  RegistrarAnswer,
  RestrictingRule,
  WhoisAnswer,
} from "../rules/answer.ts";
import type { Exchange, Testimony } from "../rules/evidence.ts";
import { holdsDeletedBack, ruleForDropped } from "../rules/just_dropped.ts";
import { readNotice } from "../rules/readers/notices.ts";
import { type AskedName, withoutLabel } from "../rules/readers/statements.ts";
import { differences } from "../rules/readers/templates.ts";
import type { TldRow } from "../rules/tables/tlds.ts";
import { neededServer, type WhoisServer } from "../rules/tables/hosts.ts";
import {
  CANCELLED,
  decide,
  type Denial,
  inSeconds,
  type Likely,
  type RegistryEvidence,
  stateOf,
  UNSOLD,
  type Verdict,
} from "../rules/verdict.ts";
import type { KnownNames, ResolverCanary } from "./known_names.ts";
import { type AskRegistry, unasked } from "./registries.ts";
import type { ServerTests } from "./server_tests.ts";
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
  readonly askedAt?: number | undefined;
}

/** What judging is told, and tells. */
interface JudgeContext {
  readonly spent: Spent;
  /** When the domain was last seen registered, in ms since 1970, if that is known. */
  readonly registeredAt: number | undefined;
  /** Called with what gives the judgement on what is known, while a question waits: for a client that wants no later one. */
  noteInterim(interim: () => Judgement): void;
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

/** Asks the registrars with which the operator has an account; settles once each has answered or failed. */
export type AskRegistrars = (
  domain: Domain,
  wait: WaitOptions,
) => Promise<readonly RegistrarAnswer[]>;

/** The witnesses, and what says whether they are trusted. */
export interface Witnesses {
  isDelegated(domain: string, wait: WaitOptions): Promise<DnsAnswer>;
  registries: { ask: AskRegistry };
  canary:
    & Pick<ServerTests<TldRow>, "resultOf" | "inForce" | "testedAt" | "trusts" | "learn">
    & Pick<KnownNames, "labelsOf" | "noteDelegated">;
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
  const { canary } = sources;

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
      canary.noteDelegated(tld, label);
      sources.resolver.note(tld, true);
    }
    return dns;
  }

  /** The judgement on a name that cannot be registered; undefined if it may be possible. */
  async function judgeByRule({ label, tld }: Domain): Promise<Judgement | undefined> {
    const why = await closedBy(label, tld);
    return why === undefined ? undefined : judgementOn({ rdap: withoutServer(why, now()) });
  }

  const judgeByDns: Judge = async (domain, wait, { spent }) =>
    await judgeByRule(domain) ?? judgementOn({ dns: await askDns(domain, wait, spent) });

  /**
   * Judges again after the pause of a server without which the name is unknown. A client that does not want to wait so long
   * has the first judgement.
   */
  const judge: Judge = async (domain, wait, context) => {
    const byRule = await judgeByRule(domain);
    if (byRule !== undefined) return byRule;
    for (let times = 0, pausedS = 0;;) {
      const judgement = await judgeOnce(domain, wait, context);
      const { verdict, testimony } = judgement;
      const { retryAfter = Infinity, likely } = verdict;
      // In a long list each name waits through the pauses that others' questions are answered with.
      if (!isUnasked(testimony)) times++;
      const isLast = times === MOST_TIMES || retryAfter > LONGEST_PAUSE_S ||
        pausedS + retryAfter > LONGEST_PAUSES_S ||
        wait.priority === "background" || stop.aborted;
      if (isLast) return judgement;
      pausedS += retryAfter;
      const expectedAt = performance.now() + retryAfter * 1_000;
      context.noteInterim(() => (
        { ...judgement, verdict: { ...verdict, retryAfter: inSeconds(msUntil(expectedAt)) } }
      ));
      const host = (testimony.whois ?? testimony.rdap)?.host ?? "";
      tellPending(domain, wait, { host, expectedAt, likely });
      await pause(retryAfter * 1_000, stop, ...(wait.signal === undefined ? [] : [wait.signal]));
    }
  };

  const judgeOnce: Judge = async (domain, wait, context) => {
    const dns = await askDns(domain, wait, context.spent);
    const { answer } = dns;
    if (answer.kind === "delegated") return judgementOn({ dns });
    const asked = { ...dns, answer };
    const row = await rowOf(domain.tld);
    if (wait.signal?.aborted) {
      return { verdict: CANCELLED, testimony: { dns, rdap: unsent(dns.askedAt) } };
    }
    const asking = row === undefined
      ? readUnlisted(asked, domain.tld)
      : askRegistry(domain, { asked, row }, wait, context);
    // Beside the registry's RDAP server: asked after it, WHOIS would double the time of an available name. But not
    // before it: where both have one budget, RDAP's question goes first.
    const whois = startWhois(domain, wait);
    background.run(whois.asking);
    try {
      const said = await asking;
      return await askFurther(domain, said, { whois, wait, context });
    } finally {
      whois.leave();
    }
  };

  /** What is known of a name under a TLD without an RDAP server; where it has no server at all, its rule may settle it. */
  async function readUnlisted(dns: Exchange<NotDelegated>, tld: string): Promise<Testimony> {
    const coverage = await coverageOf(tld);
    const level = coverage?.facts.coverage === "dns" ? coverage.level : undefined;
    const isClosed = level?.kind === "forbidden" && dns.answer.kind === "none";
    return { dns, rdap: withoutServer(isClosed ? level.rule : undefined, dns.askedAt) };
  }

  /** Asks the TLD's WHOIS server where its word is needed, or if `isFallback`. */
  function startWhois(domain: Domain, wait: WaitOptions, isFallback = false): AskedWhois {
    const left = new AbortController();
    const signals = wait.signal === undefined ? [left.signal] : [wait.signal, left.signal];
    const timing = startTiming(wait, now);
    async function ask(): Promise<Exchange<WhoisAnswer> | undefined> {
      const signal = AbortSignal.any(signals);
      const options = { ...timing.wait, signal, onQueue };
      const answer = await sources.askWhois?.(domain, options, isFallback);
      whois.isOver = true;
      return answer && timing.exchange(answer, answer.host ?? "");
    }
    function onQueue({ host, expectedMs }: Queued): void {
      whois.queued = { host, expectedAt: performance.now() + expectedMs };
      whois.onQueue?.(whois.queued);
    }
    const whois: AskedWhois = {
      isOver: false,
      asking: Promise.resolve().then(ask),
      leave: () => left.abort(),
    };
    return whois;
  }

  async function askRegistrars(
    domain: Domain,
    wait: WaitOptions,
  ): Promise<readonly Exchange<RegistrarAnswer>[]> {
    const timing = startTiming(wait, now);
    const answers = await sources.askRegistrars?.(domain, timing.wait) ?? [];
    return answers.map((answer) => timing.exchange(answer, answer.host ?? ""));
  }

  /** Asks WHOIS and registrars where their answers may change the verdict, and decides. */
  async function askFurther(
    domain: Domain,
    said: Testimony,
    { whois, wait, context }: Furthering,
  ): Promise<Judgement> {
    const first = judgementOn(said);
    const { verdict: { available } } = first;
    if (!available && stateOf(first.verdict) !== "unknown") return first;
    const registrars = available ? askRegistrars(domain, wait) : undefined;
    if (registrars !== undefined) background.run(registrars);
    const server = available ? neededServer(domain.tld) : undefined;
    const { registeredAt } = context;
    const beforeWhois = await withRules(domain, said, registeredAt);
    const known = judgementOn(beforeWhois);
    context.noteInterim(() => known.verdict.available ? { ...known, verdict: UNSOLD } : known);
    let answered: Exchange<WhoisAnswer> | undefined;
    if (!available) answered = await askFallback(domain, said, { whois, wait, context });
    else if (server === undefined) answered = await whois.asking;
    else {
      answered = await awaitNeeded(domain, beforeWhois, {
        server,
        whois,
        registrars: registrars!,
        wait,
        context,
      });
    }
    const ruled = await withRules(domain, { ...said, whois: answered }, registeredAt);
    return judgementOn({ ...ruled, registrars: await registrars });
  }

  /** Where RDAP has no usable answer, WHOIS may have a record. */
  async function askFallback(
    domain: Domain,
    said: Testimony,
    { whois, wait, context }: Furthering,
  ): Promise<Exchange<WhoisAnswer> | undefined> {
    const follow = (whois: AskedWhois) => {
      whois.onQueue = (queued) => {
        const interim = () => judgementOn({ ...said, whois: missing(queued) });
        tell(domain, interim, { queued, wait, context });
      };
      if (whois.queued !== undefined) whois.onQueue(whois.queued);
      return whois.asking;
    };
    return await follow(whois) ?? await follow(startWhois(domain, wait, true));
  }

  /**
   * The answer of a needed WHOIS server. Clients are told meanwhile what is known; a registrar's yes that may stand in for it
   * ends the wait after a second.
   */
  async function awaitNeeded(
    domain: Domain,
    said: Testimony,
    { server, whois, registrars, wait, context }: Furthering & {
      readonly server: WhoisServer;
      readonly registrars: Promise<readonly Exchange<RegistrarAnswer>[]>;
    },
  ): Promise<Exchange<WhoisAnswer> | undefined> {
    if (whois.isOver) return await whois.asking;
    let sold: readonly Exchange<RegistrarAnswer>[] | undefined;
    const soon: WhoisQueued = { host: server.host, expectedAt: 0 };
    const awaited = () => missing(whois.queued ?? soon, server);
    const interim = () => judgementOn({ ...said, whois: awaited(), registrars: sold });
    whois.onQueue = (queued) => tell(domain, interim, { queued, wait, context });
    whois.onQueue(whois.queued ?? soon);
    const standingIn = registrars.then(async (answers) => {
      if (answers.length === 0) return await whois.asking;
      sold = answers;
      if (whois.isOver || !interim().verdict.available) return await whois.asking;
      return await withDeadline(whois.asking, STAND_IN_MS, awaited());
    });
    return await Promise.race([whois.asking, standingIn]);
  }

  /** What stands for the answer of a WHOIS server that has not come. */
  function missing(
    { host, expectedAt }: WhoisQueued,
    { isRegistrarEnough }: Pick<WhoisServer, "isRegistrarEnough"> = {},
  ): Exchange<WhoisAnswer> {
    const retryAfterMs = msUntil(expectedAt);
    const answer = {
      kind: "missing",
      fault: "unasked",
      retryAfterMs,
      isRegistrarEnough,
      host,
    } as const;
    return { answer, host, askedAt: now(), ms: 0 };
  }

  /** Tells clients what is known while a WHOIS server is asked. */
  function tell(
    domain: Domain,
    interim: () => Judgement,
    { queued, wait, context }: Omit<Furthering, "whois"> & { readonly queued: WhoisQueued },
  ): void {
    context.noteInterim(interim);
    tellPending(domain, wait, { ...queued, likely: interim().verdict.likely });
  }

  /** Adds the rules that depend on what WHOIS says: those for its denial where RDAP says nothing, and for a name just dropped. */
  async function withRules(
    { label, tld }: Domain,
    said: Testimony,
    registeredAt: number | undefined,
  ): Promise<Testimony> {
    const { dns, rdap, whois } = said;
    if (rdap?.answer.kind !== "notFound") {
      if (whois?.answer.kind !== "notFound") return said;
      const { readLabelRules } = await import("./label_rules.ts");
      const { policy } = readLabelRules(label, tld, await coverageOf(tld));
      if (policy.kind === "allowed") return said;
      const isConfirmed = policy.kind !== "forbidden" || dns?.answer.kind === "none";
      const answer = { ...whois.answer, rule: isConfirmed ? policy : UNCONFIRMED };
      return { ...said, whois: { ...whois, answer } };
    }
    const { policy } = rdap.answer;
    if (policy.kind !== "allowed" || whois?.answer.kind === "notFound") return said;
    const row = registeredAt === undefined ? undefined : await rowOf(tld);
    if (registeredAt === undefined || row === undefined || !holdsDeletedBack(row)) return said;
    const dropped = ruleForDropped(registeredAt, now());
    if (dropped === undefined) return said;
    return { ...said, rdap: { ...rdap, answer: { ...rdap.answer, policy: dropped } } };
  }

  /** Asks the TLD's RDAP server, and whether its 404 is to be believed. */
  async function askRegistry(
    { label, tld }: Domain,
    { asked, row }: { asked: Exchange<NotDelegated>; row: TldRow },
    wait: WaitOptions,
    { spent, noteInterim }: JudgeContext,
  ): Promise<Testimony> {
    const domain = `${label}.${tld}`;
    const { host } = new URL(row.rdapBase);
    function noteWaiting({ expectedAt, why }: Waiting): void {
      noteInterim(() => {
        const answer = unasked(why, msUntil(expectedAt));
        return judgementOn({ dns: asked, rdap: { answer, host, askedAt: now(), ms: 0 } });
      });
    }
    function tell(waiting: Waiting): void {
      noteWaiting(waiting);
      tellPending({ label, tld }, wait, { host, expectedAt: waiting.expectedAt });
    }
    const answering = timed(
      "rdap",
      { host, wait, spent, now },
      (wait) =>
        sources.registries.ask(row.rdapBase, domain, {
          ...wait,
          onQueue: (queued) => tell(waitingFor(queued)),
        }),
    ).finally(() => wait.onPending?.());
    // In parallel with the question: without a result in force, the client would wait for the test after it.
    // As long as RDAP has not answered, its own wait is what clients are told.
    let testWaiting: Waiting | undefined;
    let isAnswered = false;
    function noteTest(): void {
      if (!isAnswered) return;
      if (testWaiting !== undefined) tell(testWaiting);
      else noteWaiting({ expectedAt: 0, why: "The registry's 404s are being tested" });
    }
    const trusting = canary.resultOf(row, {
      ...wait,
      onQueue(queued) {
        testWaiting = waitingFor(queued);
        noteTest();
      },
    });
    const confirming = confirmDns(asked.answer, tld, trusting, sources);
    background.run(confirming);
    const rdap = await answering;
    const { answer } = rdap;
    switch (answer.kind) {
      case "failed":
        return { dns: asked, rdap: { ...rdap, answer } };
      case "registered": {
        // Without a new test: no client waits for one to learn that a name is taken.
        const result = await canary.inForce(row);
        const registry: RegistryEvidence = { kind: "registered", canary: result };
        const testedAt = result && canary.testedAt(row, result);
        return { dns: asked, rdap: { ...rdap, answer: registry, testedAt } };
      }
      case "notFound": {
        const answeredAt = performance.now();
        isAnswered = true;
        noteTest();
        // A name that no registry sells is reserved by the rule, whatever the test finds.
        const isUnsold = (await coverageOf(tld))?.level?.kind === "forbidden";
        const confirmed = isUnsold ? asked.answer : await confirming;
        const tested = isUnsold ? await canary.inForce(row) ?? UNTESTED : await trusting;
        const registry = await readDenial({ label, tld }, { answer, row, wait, tested });
        spent.trust += performance.now() - answeredAt;
        const testedAt = canary.testedAt(row, registry.canary);
        return {
          dns: { ...asked, answer: confirmed },
          rdap: { ...rdap, answer: registry, testedAt },
        };
      }
      default:
        answer satisfies never;
        return { dns: asked, rdap: unsent(now()) };
    }
  }

  /** A 404 with all that decides whether it is trusted; asks about a random name if it differs in words that no phrase reads. */
  async function readDenial(
    { label, tld }: Domain,
    { answer, row, wait, tested }: {
      answer: Extract<RdapAnswer, { kind: "notFound" }>;
      row: TldRow;
      wait: WaitOptions;
      tested: Canary;
    },
  ): Promise<Denial> {
    const { readLabelRules } = await import("./label_rules.ts");
    const coverage = await coverageOf(tld);
    const { policy, asked } = readLabelRules(label, tld, coverage);
    // Once more, after the answer: the registry may have failed a test since the question was sent. A pass since then does
    // not count: DNS was not confirmed.
    let result = tested.kind === "passed" ? await canary.inForce(row) ?? tested : tested;
    let notice = noticeOf(answer, asked, result);
    if (notice.kind === "unread" && result.kind === "passed") {
      await canary.learn(row, label, wait.priority ?? "foreground");
      result = await canary.inForce(row) ?? result;
      notice = noticeOf(answer, asked, result);
    }
    // A registry that failed a test and has passed since may have given a wrong 404 in between.
    if (result.kind === "passed" && !canary.trusts(row, answer.askedAt)) result = ASKED_TOO_EARLY;
    if (notice.kind === "unread" && result.kind === "passed") {
      reportUnread(tld, withoutLabel(notice.words, asked));
    }
    if (notice.kind !== "plain") report("rdap.notice", { domain: asked.domain, ...notice });
    const isUnsold = coverage?.level?.kind === "forbidden";
    return { kind: "notFound", notice, canary: result, policy, isUnsold };
  }

  return { judge, judgeByDns };
}

/** The judgement on what was said. */
function judgementOn(testimony: Testimony): Judgement {
  const { dns, rdap, whois, registrars } = testimony;
  const verdict = decide({
    dns: dns?.answer,
    registry: rdap?.answer,
    whois: whois?.answer,
    registrars: registrars?.map(({ answer }) => answer),
  });
  const isByWhois = verdict.source === "whois";
  const isByRecord = rdap?.answer.kind === "registered" || dns === undefined;
  // Where both DNS and RDAP decide, the verdict is as old as the first: a name that was delegated between the two must not be
  // found by another process, only to be replaced by this.
  const deciding = isByWhois ? whois : isByRecord ? rdap : dns;
  return { verdict, testimony, askedAt: deciding?.askedAt };
}

/** Tells clients which question is under way, and what the name most likely is. */
function tellPending(
  { label, tld }: Domain,
  { onPending }: WaitOptions,
  { likely, ...question }: Pick<Pending, "host" | "expectedAt"> & { likely?: Likely | undefined },
): void {
  const isLikely = likely === "available";
  onPending?.({ domain: `${label}.${tld}`, tld, ...question, ...(isLikely && { likely }) });
}

/** The registry's part where no server is asked, because of a rule or because none is known. */
function withoutServer(why: string | undefined, askedAt: number): Exchange<RegistryEvidence> {
  const answer: RegistryEvidence = why === undefined
    ? { kind: "unlisted" }
    : { kind: "closed", why };
  return { answer, host: "", askedAt, ms: 0 };
}

/** The registry's part where all clients left before it was asked. */
function unsent(askedAt: number): Exchange<RegistryEvidence> {
  return { answer: { kind: "failed", fault: "unasked", why: "" }, host: "", askedAt, ms: 0 };
}

/** A question to a WHOIS server. */
interface AskedWhois {
  readonly asking: Promise<Exchange<WhoisAnswer> | undefined>;
  isOver: boolean;
  /** Absent until it is put into a queue. */
  queued?: WhoisQueued;
  onQueue?: (queued: WhoisQueued) => void;
  leave(): void;
}

/** Whose queue a question is in, and when it leaves that. */
type WhoisQueued = Pick<Pending, "host" | "expectedAt">;

/** What asking further witnesses needs. */
interface Furthering {
  readonly whois: AskedWhois;
  readonly wait: WaitOptions;
  readonly context: JudgeContext;
}

/** What a question waits for, and until when, in ms of `performance.now()`: clients may be told later. */
interface Waiting extends Pick<Queued, "why"> {
  readonly expectedAt: number;
}

function waitingFor({ expectedMs, why }: Queued): Waiting {
  return { expectedAt: performance.now() + expectedMs, why };
}

/** The ms until a time in ms of `performance.now()`; 0 if it has passed. */
export function msUntil(at: number): number {
  return Math.max(0, at - performance.now());
}

/** How long a needed WHOIS server may still answer once a registrar's yes stands in for it, in ms. */
const STAND_IN_MS = 1_000;

/** The longest pause of a server for which a look-up waits, and that of all such pauses, in seconds; and how often it asks. */
const LONGEST_PAUSE_S = 120;
const LONGEST_PAUSES_S = 15 * 60;
const MOST_TIMES = 3;

/** Whether a server of the registry was not asked, because of a pause or of its queue. */
function isUnasked({ rdap, whois }: Testimony): boolean {
  const isSo = (answer: object = {}) => "fault" in answer && answer.fault === "unasked";
  return isSo(rdap?.answer) || isSo(whois?.answer);
}

type NotDelegated = Exclude<DnsAnswer, { kind: "delegated" }>;

const UNCONFIRMED: RestrictingRule = {
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
    wait: {
      ...wait,
      onWait(ms: number) {
        waitedMs += ms;
        wait.onWait?.(ms);
      },
    },
    waitedMs: () => waitedMs,
    tookMs,
    exchange: <Answer extends Witnessed>(answer: Answer, host: string): Exchange<Answer> => {
      const { askedAt = calledAt, said } = answer;
      return { answer, host, said, askedAt, ms: tookMs() };
    },
  };
}
