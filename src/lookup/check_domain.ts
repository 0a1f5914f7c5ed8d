/** The check of a domain: by the cache, or by its witnesses; and its rows. */
import {
  type Answer,
  type Cache,
  cached,
  type CachedLookup,
  type CacheEntry,
  type Renewal,
} from "../flow/cache/cached.ts";
import type { Waiter } from "../flow/cache/flight.ts";
import { startTimer } from "../flow/deadline.ts";
import type { WaitOptions } from "../flow/upstream_host.ts";
import type { Report } from "../flow/process.ts";
import type { Offer } from "../rules/answer.ts";
import { holdsDeletedBack } from "../rules/drop_dates.ts";
import { type EvidenceEntry, type Finding, impliedEntries, toEntries } from "../rules/evidence.ts";
import { parkingHouseOf, readForSale, type TxtRecord } from "../rules/readers/for_sale.ts";
import {
  CANCELLED,
  INTERNAL_ERROR,
  isAvailable,
  lifetimeMs,
  type Likely,
  type State,
  type Status,
  statusOf,
  type UnknownCause,
  type Verdict,
} from "../rules/verdict.ts";
import { createJudges, type Judge, type Judgement, type JudgeOptions } from "./judge.ts";
import { msUntil, standInFor } from "./exchange.ts";
import type { Domain } from "../rules/name.ts";
import type { Suffixes } from "./suffixes.ts";

/** The result for one domain, as the API returns it. */
export interface DomainResult {
  domain: string;
  /** The domain in Unicode, if it has a valid A-label. */
  unicode?: string;
  tld: string;
  state: State;
  available: boolean;
  status: readonly Status[];
  premium: boolean;
  source: Verdict["source"] | `${Verdict["source"]}+cache`;
  checkedAt: string;
  /** How long this request waited for this domain. */
  responseMs: number;
  /** Why a domain that is not taken cannot be registered. */
  reason?: string;
  error?: string;
  /** What an unknown name most likely is. */
  likely?: Likely;
  /** Seconds until asking again makes sense, where a pause or a queue of the registry is the reason. */
  retryAfter?: number;
  /** Who may register under the TLD; only of an available name with conditions. */
  requirements?: string;
  /** What a registrar asks for the name; only where the operator has an account with one. */
  offer?: Offer;
  /** What each witness said; only where the client wants it. */
  evidence?: readonly EvidenceEntry[];
}

/**
 * Checks one label under one TLD; never throws for a fault of an upstream. Once all its clients have disconnected, its
 * queued questions are cancelled; a question that was sent is finished and cached. `options`: what it wants besides the verdict.
 */
export type CheckDomain = (
  label: string,
  tld: string,
  waiter?: Waiter,
  options?: { readonly withEvidence?: boolean },
) => Promise<DomainResult>;

/** What is counted of an answer. */
interface AnswerSummary extends Pick<DomainResult, "tld" | "state" | "source"> {
  cause?: UnknownCause | undefined;
}

/** Constants: a string concatenated for each answer would be hashed again for each metric. */
const FROM_CACHE = { dns: "dns+cache", rdap: "rdap+cache", whois: "whois+cache" } as const;

/** The checks of a domain, and the renewal of its cached answers. */
export type DomainChecks = ReturnType<typeof createCheckDomain>;

/** What the checks need. */
interface CheckOptions extends JudgeOptions {
  /** Asks for the records by which the holder of a delegated name offers it, none of them if there is no offer. */
  askForSale?(
    domain: string,
    waiter?: Waiter,
  ): Promise<Answer<{ records: readonly TxtRecord[]; askedAt: number; ms: number }>>;
  suffixes: JudgeOptions["suffixes"] & Pick<Suffixes, "isUnlisted">;
  cache: Cache<Finding>;
  /** Called for bugs: a bug must not fail the answers for other names. */
  reportFault: Report;
  /** Called with every answer. */
  onAnswer?: (answer: AnswerSummary) => void;
}

/** Creates the checks. */
export function createCheckDomain(options: CheckOptions) {
  const { suffixes, cache, background, resolverName, reportFault, onAnswer, now } = options;
  /** What is known of names whose questions wait. */
  const interims = new Map<string, () => Judgement>();
  const { judge, judgeByDns } = createJudges(options);
  async function find(
    judge: Judge,
    domain: Domain,
    { wait, last }: { wait: WaitOptions; last: Finding | undefined },
  ): Promise<Finding> {
    const startedAt = now();
    const name = nameOf(domain);
    let interim: (() => Judgement) | undefined;
    const noteInterim = (next: () => Judgement) => {
      // No client waits for background work.
      if (wait.priority === "background") return;
      interim = next;
      interims.set(name, next);
    };
    const judging = judge(domain, wait, { registeredAt: last?.registeredAt, noteInterim }).catch(
      (error): Judgement => {
        // The names that clients check must not be logged.
        reportFault("check.failed", {
          tld: domain.tld,
          error: String(error).replaceAll(domain.label, "<name>"),
        });
        return { verdict: INTERNAL_ERROR, testimony: {} };
      },
    );
    const { verdict, testimony, askedAt = startedAt } = await judging;
    // Not that of another look-up of the name: one by DNS alone has none.
    if (interims.get(name) === interim) interims.delete(name);
    const found = toFinding({ verdict, testimony }, askedAt);
    const registeredAt = found.state === "taken" ? askedAt : last?.registeredAt;
    const row = registeredAt === undefined ? undefined : await suffixes.rowOf(domain.tld);
    return row !== undefined && holdsDeletedBack(row) ? { ...found, registeredAt } : found;
  }

  /** Both ways of judging share the cache: what DNS alone cannot decide is unknown, which is never cached. */
  const cachedBy = (judge: Judge, cache: Cache<Finding>) =>
    cached((domain: Domain, wait, last) => find(judge, domain, { wait, last }), {
      keyOf: nameOf,
      cache,
      askedAtOf: ({ checkedAt }) => Date.parse(checkedAt),
      lifetimeMs,
      now,
    });
  const { renew, ...checks } = cachedBy(judge, cache);
  const dnsChecks = cachedBy(judgeByDns, onlyTaken(cache));

  /** The entries of the witnesses: their answers if this process has them, else what the verdict from KV implies. */
  async function witnessEntries(
    { tld }: Domain,
    { value, isCached }: Answer<Finding>,
  ): Promise<EvidenceEntry[]> {
    if (value.evidence !== undefined) {
      const entries: EvidenceEntry[] = JSON.parse(value.evidence);
      return entries.map((entry) => ({ ...entry, cached: isCached }));
    }
    const row = await suffixes.rowOf(tld);
    const rdap = row === undefined ? "" : new URL(row.rdapBase).host;
    return impliedEntries(value, { dns: resolverName, rdap });
  }

  async function forSaleEntries(
    domain: Domain,
    waiter: Waiter | undefined,
  ): Promise<EvidenceEntry[]> {
    const answer = await options.askForSale?.(nameOf(domain), waiter);
    const said = answer && readForSale(answer.value.records);
    if (answer === undefined || said === undefined) return [];
    const { askedAt, ms } = answer.value;
    return [{
      witness: "dns",
      host: resolverName,
      said,
      means: "for_sale",
      askedAt: new Date(askedAt).toISOString(),
      ms,
      cached: answer.isCached,
    }];
  }

  /** What the witnesses said, and whether a taken name is offered for sale. */
  async function evidenceOf(
    domain: Domain,
    answer: Answer<Finding>,
    waiter: Waiter | undefined,
  ): Promise<readonly EvidenceEntry[]> {
    const found = await witnessEntries(domain, answer);
    const isOfUnlisted = await suffixes.isUnlisted(domain.tld);
    const entries = found.map((entry) =>
      isOfUnlisted && entry.witness === "rdap" ? { ...entry, unlisted: true as const } : entry
    );
    const delegation = entries.find(({ means }) => means === "delegated");
    // A name that DNS does not show cannot have records either.
    if (delegation === undefined) return entries;
    const house = parkingHouseOf(delegation.said.split(", "));
    const parked: EvidenceEntry[] = house === undefined
      ? []
      : [{ ...delegation, said: house, means: "parked" }];
    return [...entries, ...parked, ...await forSaleEntries(domain, waiter)];
  }

  /**
   * The answer, or what is known when the client wants it, or as soon as it is clear that the answer will not come by then. Then
   * the look-up goes on for the rest of a minute, so that asking again finds its answer in the cache.
   */
  async function answerInTime(
    { answer }: Checks,
    domain: Domain,
    waiter: Waiter | undefined,
  ): Promise<Answer<Finding>> {
    if (waiter?.answerBy === undefined) return await answer(domain, waiter);
    let by = waiter.answerBy;
    let isOver = false;
    const late = Promise.withResolvers<undefined>();
    const giveUpIn = (ms: number) => startTimer(() => late.resolve(undefined), ms);
    let timer = giveUpIn(msUntil(by));
    const standIn = standInFor(waiter);
    const answering = answer(domain, {
      ...standIn.waiter,
      onPending({ expectedAt, likely }) {
        if (isOver) return;
        if (likely !== undefined) by = Math.min(by, performance.now() + FURTHER_MS);
        timer.stop();
        timer = giveUpIn(expectedAt > by ? JOINED_MS : msUntil(by));
      },
    });
    try {
      const answered = await Promise.race([answering, late.promise]);
      if (answered !== undefined) return answered;
    } finally {
      isOver = true;
      timer.stop();
    }
    standIn.stay();
    background.run(answering);
    const known = interims.get(nameOf(domain));
    await Promise.all([options.canary.refresh(), options.whoisTrust?.refresh()]);
    const interim = known?.() ?? NOT_STARTED;
    return { value: toFinding(interim, interim.askedAt ?? now()), isCached: false };
  }

  /** The check whose rows are the answers of `checks`; each is counted. */
  const checkBy = (checks: Checks): CheckDomain => async (label, tld, waiter, options) => {
    const domain = { label, tld };
    const startedAt = performance.now();
    const waitedMs = () => Math.round(performance.now() - startedAt);
    const answer = checks.peek(domain) ?? await answerInTime(checks, domain, waiter);
    const { value, isCached } = answer;
    const unicode = await unicodeNameOf(domain);
    const responseMs = waitedMs();
    const coverage = isAvailable(value) ? await suffixes.coverageOf(tld) : undefined;
    const requirements = coverage?.facts.requirements;
    const source = isCached ? FROM_CACHE[value.source] : value.source;
    onAnswer?.({ tld, state: value.state, source, cause: value.cause });
    const row = toResult(domain, value, { source, responseMs, unicode, requirements });
    if (options?.withEvidence !== true) return row;
    const evidence = await evidenceOf(domain, answer, waiter);
    return { ...row, responseMs: waitedMs(), evidence };
  };

  return {
    checkDomain: checkBy(checks),
    /** Checks by the cache and DNS alone: a name that is in neither is unknown. */
    checkInDns: checkBy(dnsChecks),
    /** Looks a domain up with background priority, unless its cached answer is valid until a time (ms since 1970). */
    renewDomain: (label: string, tld: string, until: number): Promise<Renewal> =>
      renew({ label, tld }, until),
    /** Whether a cached answer says that the name is taken or reserved under one of the TLDs. */
    async isKnownUnavailable(label: string, tlds: readonly string[]): Promise<boolean> {
      const found = await Promise.all(tlds.map((tld) => cache.get(nameOf({ label, tld }))));
      return found.some((entry) => entry !== undefined && !isAvailable(entry.value));
    },
  };
}

type Checks = Pick<CachedLookup<Domain, Finding>, "peek" | "answer">;

/** How long a client that does not wait for a stream waits for a needed WHOIS server, in ms. */
const FURTHER_MS = 2_000;
/** Within so many ms a client that joins a look-up gets a turn of its own, or it is told that it waits too long. */
const JOINED_MS = 100;

/** The judgement on a name whose question waits in the resolver's queue. */
const NOT_STARTED: Judgement = {
  verdict: {
    ...CANCELLED,
    cause: "dns",
    error: "Too many look-ups are queued",
    retryAfter: 15,
  },
  testimony: {},
};

/**
 * A cache that shows taken names only: a cached "available" would tell a client that asks no registry that
 * another client has just looked the name up.
 */
function onlyTaken(cache: Cache<Finding>): Cache<Finding> {
  const ifTaken = (entry: CacheEntry<Finding> | undefined) =>
    entry?.value.state === "taken" ? entry : undefined;
  return {
    ...cache,
    peek: (key) => ifTaken(cache.peek(key)),
    get: async (key) => ifTaken(await cache.get(key)),
  };
}

function nameOf({ label, tld }: Domain): string {
  return `${label}.${tld}`;
}

/** The domain in Unicode; undefined if it has no valid A-label. */
async function unicodeNameOf(domain: Domain): Promise<string | undefined> {
  if (!domain.label.startsWith("xn--") && !domain.tld.startsWith("xn--")) return undefined;
  const { toUnicodeDomain } = await import("./label.ts");
  return toUnicodeDomain(nameOf(domain));
}

/** The finding of a judgement whose deciding question was sent at `askedAt` (ms since 1970). */
function toFinding({ verdict, testimony }: Judgement, askedAt: number): Finding {
  const checkedAt = new Date(askedAt).toISOString();
  return { ...verdict, checkedAt, evidence: JSON.stringify(toEntries(testimony)) };
}

function toResult(
  { label, tld }: Domain,
  value: Finding,
  { source, responseMs, unicode, requirements }: Pick<DomainResult, "source" | "responseMs"> & {
    unicode: string | undefined;
    requirements: string | undefined;
  },
): DomainResult {
  const { state, checkedAt, reason, error, likely, retryAfter, offer } = value;
  const available = isAvailable(value);
  const wait = retryAfter === undefined ? "" : `; retry in ${retryAfter} s`;
  return {
    domain: `${label}.${tld}`,
    ...(unicode !== undefined && { unicode }),
    tld,
    state,
    available,
    status: statusOf(value),
    premium: state === "premium",
    source,
    checkedAt,
    responseMs,
    ...(reason !== undefined && { reason }),
    ...(error !== undefined && { error: `${error}${wait}` }),
    ...(likely !== undefined && { likely }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(requirements !== undefined && { requirements }),
    ...(offer !== undefined && { offer }),
  };
}
