/**
 * Asks the witnesses about a domain, collects what they said, and decides once.
 *
 * DNS comes first: only name servers prove anything. Without them the TLD's own registry is asked: its RDAP server, and
 * beside it WHOIS where its word is needed, or after it WHOIS if RDAP has no usable answer. Once RDAP has denied a name that
 * would be available, registrars are asked while WHOIS is.
 */
import type { Pending } from "../flow/cache/flight.ts";
import { pause, withDeadline } from "../flow/deadline.ts";
import type { WaitOptions } from "../flow/upstream_host.ts";
import type {
  Canary,
  DnsAnswer,
  RegistrarAnswer,
  RestrictingRule,
  WhoisAnswer,
} from "../rules/answer.ts";
import type { Exchange, Testimony } from "../rules/evidence.ts";
import { ruleForDropped } from "../rules/drop_dates.ts";
import type { Domain } from "../rules/name.ts";
import { neededServerOf } from "../rules/tables/hosts.ts";
import {
  CANCELLED,
  decide,
  inSeconds,
  isAvailable,
  lifetimeMs,
  type Likely,
  type NotDelegated,
  type RegistryEvidence,
  type Verdict,
} from "../rules/verdict.ts";
import { msUntil, startTiming, type Waiting, waitingFor } from "./exchange.ts";
import type { KnownNames } from "./known_names.ts";
import { createRdapWitness, type RdapOptions } from "./rdap_witness.ts";
import { unasked } from "./registries.ts";
import type { WhoisTrust } from "./server_tests.ts";
import type { Suffixes } from "./suffixes.ts";

/** A verdict, the answers that it rests on, and when its deciding question was sent, in ms since 1970, if one was. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly testimony: Testimony;
  readonly askedAt?: number | undefined;
}

/** What judging is told, and tells. */
interface JudgeContext {
  /** When the domain was last seen registered, in ms since 1970, if that is known and its registry may hold it back. */
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

/** The witnesses, and what judging needs besides. */
export interface JudgeOptions extends RdapOptions {
  isDelegated(domain: string, wait: WaitOptions): Promise<DnsAnswer>;
  names: Pick<KnownNames, "showsDelegation" | "noteDelegated">;
  /** Absent: no WHOIS server is asked. */
  askWhois?: AskWhois | undefined;
  /** Whether the denials of needed servers are believed; absent with `askWhois`. */
  whoisTrust?: Pick<WhoisTrust, "refresh" | "confirms"> | undefined;
  /** Absent if the operator has no account with a registrar. */
  askRegistrars?: AskRegistrars | undefined;
  /** Which resolver is asked. */
  resolverName: "system" | "resolver";
  suffixes: Pick<Suffixes, "rowOf" | "closedBy" | "coverageOf">;
  /** Aborted when the process begins to end. */
  ending: AbortSignal;
}

/** Creates both ways of judging: by all witnesses, and by DNS alone. */
export function createJudges(options: JudgeOptions): { judge: Judge; judgeByDns: Judge } {
  const { suffixes: { rowOf, closedBy, coverageOf }, background, ending, now } = options;
  const askRdap = createRdapWitness(options);

  async function askDns({ label, tld }: Domain, wait: WaitOptions): Promise<Exchange<DnsAnswer>> {
    const timing = startTiming(wait, now);
    const answer = await options.isDelegated(`${label}.${tld}`, timing.wait);
    if (answer.kind === "delegated") options.names.noteDelegated(tld, label);
    return timing.exchange(answer, options.resolverName);
  }

  /** The judgement on a name that cannot be registered; undefined if it may be possible. */
  async function judgeByRule({ label, tld }: Domain): Promise<Judgement | undefined> {
    const why = await closedBy(label, tld);
    if (why === undefined) return undefined;
    return judgementOn({ rdap: withoutServer({ kind: "closed", why }, now()) });
  }

  const judgeByDns: Judge = async (domain, wait) =>
    await judgeByRule(domain) ?? judgementOn({ dns: await askDns(domain, wait) });

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
      // The name may be registered by now: it has waited for the test of its server, which is in force.
      if (isAvailable(verdict) && isStale(judgement) && times < MOST_TIMES) {
        context.noteInterim(() => ({ verdict: OUTDATED, testimony }));
        continue;
      }
      const isLast = times === MOST_TIMES || retryAfter > LONGEST_PAUSE_S ||
        pausedS + retryAfter > LONGEST_PAUSES_S ||
        wait.priority === "background" || ending.aborted;
      if (isLast) return judgement;
      pausedS += retryAfter;
      const expectedAt = performance.now() + retryAfter * 1_000;
      context.noteInterim(() => (
        { ...judgement, verdict: { ...verdict, retryAfter: inSeconds(msUntil(expectedAt)) } }
      ));
      const { rdap, whois } = testimony;
      const { host = "" } = whois ?? rdap ?? {};
      if (rdap !== undefined) tellPending(domain, wait, { host, expectedAt, likely });
      await pause(retryAfter * 1_000, ending, ...(wait.signal === undefined ? [] : [wait.signal]));
    }
  };

  /** Whether all that the verdict rests on is older than an answer may be: a registrar's queue may be as long. */
  function isStale({ verdict, testimony: { rdap, whois, registrars = [] } }: Judgement): boolean {
    const sold = registrars.filter(({ answer: { kind } }) =>
      kind === "sells" || kind === "premium"
    );
    const said = [rdap, whois, ...sold].map((exchange) => exchange?.askedAt ?? 0);
    return now() - Math.max(...said) > lifetimeMs(verdict);
  }

  const judgeOnce: Judge = async (domain, wait, { registeredAt, noteInterim }) => {
    const dns = await askDns(domain, wait);
    const { answer } = dns;
    if (answer.kind === "delegated") return judgementOn({ dns });
    const row = await rowOf(domain.tld);
    if (wait.signal?.aborted) {
      const rdap = withoutServer({ kind: "failed", fault: "unasked", why: "" }, dns.askedAt);
      return { verdict: CANCELLED, testimony: { dns, rdap } };
    }
    if (answer.kind === "failed" && answer.fault === "unasked") return judgementOn({ dns });
    const dropped = registeredAt === undefined ? undefined : ruleForDropped(registeredAt, now());
    const left = new AbortController();
    const lookUp: LookUp = { domain, wait, left: left.signal, dropped, said: { dns }, waits: {} };
    noteInterim(() => known(lookUp));
    const asking = row === undefined
      ? readUnlisted({ ...dns, answer }, domain.tld)
      : askRdap(domain, { dns: { ...dns, answer }, row }, wait, (waiting) => {
        lookUp.waits.rdap = waiting;
        if (waiting.expectedAt !== undefined) tell(lookUp, waiting);
      });
    // Beside the registry's RDAP server: asked after it, WHOIS would double the time of an available name. But not
    // before it: where both have one budget, RDAP's question goes first.
    const whois = Promise.resolve().then(() => askWhois(lookUp));
    background.run(whois);
    try {
      const asked = await asking;
      await options.canary.refresh();
      Object.assign(lookUp.said, asked);
      return await askFurther(lookUp, whois);
    } finally {
      left.abort();
    }
  };

  /** What is known of a name under a TLD without an RDAP server; where it has no server at all, its rule may settle it. */
  async function readUnlisted(dns: Exchange<NotDelegated>, tld: string): Promise<Testimony> {
    const coverage = await coverageOf(tld);
    const level = coverage?.facts.coverage === "dns" ? coverage.level : undefined;
    // Without a registry DNS alone decides: only a resolver that shows a delegation under the TLD may say "none".
    const isClosed = level?.kind === "forbidden" && dns.answer.kind === "none" &&
      await options.names.showsDelegation(tld);
    const answer: RegistryEvidence = isClosed
      ? { kind: "closed", why: level.rule }
      : { kind: "unlisted" };
    return { dns, rdap: withoutServer(answer, dns.askedAt) };
  }

  /** Asks the TLD's WHOIS server where its word is needed, or if `isFallback`, and notes what it says. */
  async function askWhois(lookUp: LookUp, isFallback = false): Promise<void> {
    const { domain, wait, left, waits } = lookUp;
    const timing = startTiming(wait, now);
    const needed = options.askWhois && neededServerOf(domain.tld);
    lookUp.said.whois = undefined;
    if (needed !== undefined) waits.whois = { host: needed.host, why: "" };
    const signal = wait.signal === undefined ? left : AbortSignal.any([wait.signal, left]);
    const whoisWait: WaitOptions = {
      ...timing.wait,
      signal,
      onQueue(queued) {
        waits.whois = waitingFor(queued);
        if (lookUp.said.rdap !== undefined) tell(lookUp, waits.whois);
      },
    };
    const answer = await options.askWhois?.(domain, whoisWait, isFallback);
    const said = answer && timing.exchange(await withRule(answer, domain), answer.host ?? "");
    // A needed server that was not asked, as where all clients have left, stays missing: without it no name is available. Nor
    // between these two, so nothing is waited for there.
    if (needed === undefined || answer !== undefined) delete waits.whois;
    lookUp.said.whois = said;
  }

  /** WHOIS' denial with the rule for the label: RDAP may say nothing. */
  async function withRule(answer: WhoisAnswer, { label, tld }: Domain): Promise<WhoisAnswer> {
    if (answer.kind !== "notFound") return answer;
    const { labelPolicyOf } = await import("./label.ts");
    const policy = labelPolicyOf(label, tld, await coverageOf(tld));
    return policy.kind === "allowed" ? answer : { ...answer, rule: policy };
  }

  async function askRegistrars(
    { domain, wait }: LookUp,
  ): Promise<readonly Exchange<RegistrarAnswer>[]> {
    const timing = startTiming(wait, now);
    const answers = await options.askRegistrars?.(domain, timing.wait) ?? [];
    return answers.map((answer) => timing.exchange(answer, answer.host ?? ""));
  }

  /** Asks WHOIS and registrars where their answers may change the verdict, and decides. */
  async function askFurther(lookUp: LookUp, whois: Promise<void>): Promise<Judgement> {
    const { said, domain: { tld } } = lookUp;
    const first = judgementOn({ ...said, rdap: believed(tld, said.rdap), whois: undefined });
    const isFree = isAvailable(first.verdict);
    if (!isFree && first.verdict.state !== "unknown") return first;
    if (lookUp.waits.whois !== undefined) tell(lookUp, lookUp.waits.whois);
    if (isFree) {
      const registrars = askRegistrars(lookUp);
      background.run(registrars);
      // Where its queue was too long: a client that has come since may have a turn sooner.
      const asked = isUnasked(said) ? askWhois(lookUp, true) : whois;
      background.run(asked);
      said.registrars = await registrars;
      // A registrar's yes may stand in for a needed WHOIS server.
      const isEnough = lookUp.waits.whois !== undefined && isAvailable(known(lookUp).verdict);
      await (isEnough ? withDeadline(asked, STAND_IN_MS, undefined) : asked);
    } else {
      await whois;
      if (said.whois === undefined) await askWhois(lookUp, true);
    }
    // A server that has failed its test since it denied the name is told to be missing when it is asked again.
    await options.whoisTrust?.refresh();
    if (isRefuted(lookUp)) await askWhois(lookUp);
    await options.canary.refresh();
    return known(lookUp);
  }

  /**
   * RDAP's answer, without belief in a denial of a server that has failed a test since it was asked, perhaps while WHOIS had its
   * queue: it may have been wrong then already.
   */
  function believed(tld: string, rdap: Testimony["rdap"]): Testimony["rdap"] {
    if (rdap?.answer.kind !== "notFound" || rdap.answer.canary.kind !== "passed") return rdap;
    if (options.canary.trusts({ tld }, rdap.askedAt)) return rdap;
    return { ...rdap, answer: { ...rdap.answer, canary: NOT_TRUSTED } };
  }

  /** Whether a needed WHOIS server has failed its test since it denied the name. */
  const isRefuted = ({ domain: { tld }, said: { whois } }: LookUp): boolean =>
    whois?.answer.kind === "notFound" && options.whoisTrust?.confirms(tld, whois.askedAt) === false;

  /** The judgement on what was said so far; for an answer that has not come stands what its question waits for. */
  function known(lookUp: LookUp): Judgement {
    const { domain: { tld }, dropped, said, waits } = lookUp;
    const standIn = <Answer>(
      { host, why, expectedAt = 0 }: Waiting,
      toAnswer: (why: string, retryAfterMs: number) => Answer,
    ) => ({ answer: toAnswer(why, msUntil(expectedAt)), host, askedAt: now(), ms: 0 });
    const rdap = believed(tld, said.rdap) ?? (waits.rdap && standIn(waits.rdap, unasked));
    const { isRegistrarEnough } = neededServerOf(tld) ?? {};
    const awaited = isRefuted(lookUp) ? { host: said.whois?.host ?? "", why: "" } : waits.whois;
    const whois = awaited === undefined ? said.whois : standIn(awaited, (_, retryAfterMs) => (
      { kind: "missing", fault: "unasked", retryAfterMs, isRegistrarEnough } as const
    ));
    // The registries that hold names back have no WHOIS but needed ones, which tell that.
    const isHeld = dropped !== undefined && whois?.answer.kind !== "notFound";
    const testimony = { ...said, rdap: isHeld ? restricted(rdap, dropped) : rdap, whois };
    const judgement = judgementOn(testimony);
    const isAwaited = options.askRegistrars !== undefined && said.registrars === undefined;
    if (!isAwaited || !isAvailable(judgement.verdict)) return judgement;
    const registrars = [standIn({ host: "", why: "" }, () => UNASKED_REGISTRAR)];
    return judgementOn({ ...testimony, registrars });
  }

  /** Tells clients which question is under way, and what the name most likely is. */
  function tell(lookUp: LookUp, { host, expectedAt = 0 }: Waiting): void {
    const likely = lookUp.said.rdap && known(lookUp).verdict.likely;
    tellPending(lookUp.domain, lookUp.wait, { host, expectedAt, likely });
  }

  return { judge, judgeByDns };
}

/** A look-up of a name that DNS does not show. */
interface LookUp {
  readonly domain: Domain;
  readonly wait: WaitOptions;
  /** Aborted once the name is judged: no WHOIS query is sent any more. */
  readonly left: AbortSignal;
  /** The rule for a name that was just dropped. */
  readonly dropped: RestrictingRule | undefined;
  /** What was said so far. */
  readonly said: { -readonly [Witness in keyof Testimony]: Testimony[Witness] };
  /** What the questions wait for that have no answer yet. */
  readonly waits: { rdap?: Waiting; whois?: Waiting };
}

/** A denial of a name that the label's own rules allow, with another rule. */
function restricted(rdap: Testimony["rdap"], policy: RestrictingRule): Testimony["rdap"] {
  if (rdap?.answer.kind !== "notFound" || rdap.answer.policy.kind !== "allowed") return rdap;
  return { ...rdap, answer: { ...rdap.answer, policy } };
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

/** The registry's part where no server is asked: because of a rule, none is known, or all clients left before. */
function withoutServer(answer: RegistryEvidence, askedAt: number): Exchange<RegistryEvidence> {
  return { answer, host: "", askedAt, ms: 0 };
}

const NOT_TRUSTED: Canary = {
  kind: "undecided",
  why: "This registry failed a test of its 404s when it was asked, or since",
  retryAfterMs: 1_000,
};

const OUTDATED: Verdict = {
  ...CANCELLED,
  error: "The registry's denial has grown old while its server was tested, and is asked for again",
  retryAfter: 1,
};

const UNASKED_REGISTRAR: RegistrarAnswer = { kind: "missing", registrar: "registrar" };

/** How long a needed WHOIS server may still answer once a registrar's yes stands in for it, in ms. */
const STAND_IN_MS = 1_000;

/** The longest pause of a server for which a look-up waits, and that of all such pauses, in seconds; and how often it asks. */
const LONGEST_PAUSE_S = 120;
const LONGEST_PAUSES_S = 15 * 60;
const MOST_TIMES = 3;

/** Whether DNS or a server of the registry was not asked, because of a pause or of its queue. */
function isUnasked({ dns, rdap, whois }: Testimony): boolean {
  const isSo = (answer: object = {}) => "fault" in answer && answer.fault === "unasked";
  return [dns, rdap, whois].some((asked) => isSo(asked?.answer));
}
