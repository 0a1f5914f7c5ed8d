/** The details of a taken domain or .eth name: who registered it with, since when, until when, and whether it is for sale. */
import type { Background } from "../flow/process.ts";
import { type Cache, cached } from "../flow/cache/cached.ts";
import { createMemoryCache } from "../flow/cache/memory.ts";
import type { Waiter } from "../flow/cache/flight.ts";
import { withDeadline } from "../flow/deadline.ts";
import type { RdapAnswer, WhoisAnswer } from "../rules/answer.ts";
import { dropOf, purgedOf } from "../rules/drop_dates.ts";
import type { Domain } from "../rules/name.ts";
import { type OpenOffer, readOpenOffer } from "../rules/readers/for_sale.ts";
import type { RegistryDetails } from "../rules/readers/registry_details.ts";
import type { TldRow } from "../rules/tables/tlds.ts";
import type { Likely } from "../rules/verdict.ts";
import { observationOf, type SeenDetails } from "../rules/watch_log.ts";
import type { CheckDomain, DomainResult } from "./check_domain.ts";
import type { EnsCheckResult, EnsLookups } from "./ens_lookups.ts";
import { msUntil, standInFor } from "./exchange.ts";
import type { AskWhois } from "./judge.ts";
import type { AskRegistry } from "./registries.ts";
import type { Suffixes } from "./suffixes.ts";

/** The details of one name, as the API returns them but for its prices. */
interface DetailsResult extends Partial<RegistryDetails>, SeenDetails {
  domain: string;
  available: boolean;
  source: DomainResult["source"] | EnsCheckResult["source"];
  checkedAt: string;
  /** How its holder offers it (RFC 10023). */
  forSale?: OpenOffer | undefined;
  /** As in `DomainResult`. */
  likely?: Likely | undefined;
  retryAfter?: number | undefined;
}

/** Looks at a name for its log. */
export type Observe = ReturnType<typeof createFindDetails>["observe"];

/** About 5 MB. */
const MAX_RECORDS = 5_000;
/** As long as a taken name is cached. */
const RECORD_MS = 60 * 60_000;

/**
 * Creates the records of registries, by domain. They use the questions of checks: in the same queues, at the same paces, with the
 * same pauses; one record answers both.
 */
export function createRegistryRecords(
  { ask, askWhois, rowOf, retest, background, now }: {
    ask: AskRegistry;
    askWhois: AskWhois;
    rowOf: Suffixes["rowOf"];
    /** Tests a registry that denies a taken name: it may deny any. */
    retest: (row: TldRow) => Promise<void>;
    background: Background;
    now: () => number;
  },
) {
  type Answer = RdapAnswer | WhoisAnswer | undefined;
  const cache: Cache<Answer> = createMemoryCache({ max: MAX_RECORDS, now });
  const { answer } = cached(async (domain: Domain, wait): Promise<Answer> => {
    const row = await rowOf(domain.tld);
    if (row === undefined) return await askWhois(domain, wait, true);
    const said = await ask(row.rdapBase, `${domain.label}.${domain.tld}`, wait);
    if (said.kind === "notFound") background.run(retest(row));
    return said;
  }, {
    keyOf: ({ label, tld }) => `${label}.${tld}`,
    cache,
    askedAtOf: (answer) => answer?.kind === "registered" ? answer.askedAt : 0,
    lifetimeMs: (answer) => answer?.kind === "registered" ? RECORD_MS : 0,
    now,
  });
  return {
    /** Asks a registry as given, and keeps the record that it sends. */
    async ask(...[base, domain, wait]: Parameters<AskRegistry>): Promise<RdapAnswer> {
      const found = await ask(base, domain, wait);
      if (found.kind === "registered") {
        const { askedAt } = found;
        await cache.set(domain, { value: found, askedAt, expiresAt: askedAt + RECORD_MS });
      }
      return found;
    },
    /**
     * The record that is kept, or a new one; of the WHOIS server where the TLD has no RDAP server. If it does not come in time
     * for the client, it is kept for the next.
     */
    async recordOf(domain: Domain, waiter?: Waiter): Promise<Answer> {
      if (waiter?.answerBy === undefined) return (await answer(domain, waiter)).value;
      const standIn = standInFor(waiter);
      const answering = answer(domain, standIn.waiter);
      const found = await withDeadline(answering, msUntil(waiter.answerBy), undefined);
      if (found !== undefined) return found.value;
      standIn.stay();
      background.run(answering);
      return { kind: "failed", fault: "unasked", why: "The registry has not answered yet" };
    },
  };
}

/** Creates the look-up of details, and the one for logs. Neither throws for a fault of an upstream. */
export function createFindDetails(
  { checkDomain, ens, records, now }: {
    checkDomain: CheckDomain;
    ens: Pick<EnsLookups, "check">;
    records: Pick<ReturnType<typeof createRegistryRecords>, "recordOf">;
    now: () => number;
  },
) {
  /** The state and the dates of a .eth name. */
  async function findEth(label: string): Promise<DetailsResult> {
    const answer = await ens.check(label);
    if (answer.kind === "failed") {
      return {
        domain: `${label}.eth`,
        state: "unknown",
        available: false,
        source: "rpc",
        checkedAt: new Date(now()).toISOString(),
        error: `The name could not be checked: ${answer.why}`,
      };
    }
    const { name: domain, registrationPrice: price, ...found } = answer.result;
    const { owner: _owner, resolver: _resolver, responseMs: _ms, ...known } = found;
    const free = price?.premiumWei === undefined ? "available" : "premium";
    return { domain, state: known.available ? free : "taken", ...known };
  }

  /** What the registry's record says and when it was asked for (ms since 1970), or why there is none. */
  async function readRecord(domain: Domain, waiter: Waiter | undefined) {
    const record = await records.recordOf(domain, waiter);
    if (record?.kind === "registered" && record.details !== undefined) {
      const { details, askedAt } = record;
      return { fields: { ...details, drop: dropOf(domain.tld, details, now()) }, askedAt };
    }
    if (record === undefined) return { error: "No RDAP server is known for this TLD" };
    return { error: "why" in record ? record.why : "The registry has no record of this name" };
  }

  /** What is known of a name, with the registry's words, and when the oldest of the questions was sent on which that rests. */
  async function look(
    ...[label, tld, waiter, options]: Parameters<CheckDomain>
  ): Promise<{ details: DetailsResult; at: number }> {
    if (tld === "eth") {
      const details = await findEth(label);
      return { details, at: Date.parse(details.checkedAt) };
    }
    const row = await checkDomain(label, tld, waiter, options);
    const { domain, state, available, source, checkedAt, evidence = [] } = row;
    const known = { domain, state, available, source, checkedAt };
    const at = Date.parse(checkedAt);
    if (state !== "taken") {
      const { reason, error, likely, retryAfter } = row;
      const drop = purgedOf(error, now());
      return { details: { ...known, drop, reason, error, likely, retryAfter }, at };
    }
    const offer = evidence.find(({ means }) => means === "for_sale");
    const forSale = offer && readOpenOffer(offer.said);
    const { fields, error, askedAt = at } = await readRecord({ label, tld }, waiter);
    // The record may be older than the check, or come later: what it says is as old as its own question.
    return { details: { ...known, ...fields, error, forSale }, at: Math.min(at, askedAt) };
  }

  return {
    /** Checks a name, and asks its registry for the record if it is taken. Quotes no registry. */
    async findDetails(label: string, tld: string, waiter?: Waiter): Promise<DetailsResult> {
      const { details } = await look(label, tld, waiter, { withEvidence: true });
      const { reason, error } = details;
      return {
        ...details,
        reason: reason && reasonOf(reason),
        error: error && withoutQuote(error),
      };
    },
    /** The state, and what was seen of the name for its log: nothing where that is uncertain. Asks for no offer. */
    async observe(label: string, tld: string, waiter?: Waiter) {
      const { details, at } = await look(label, tld, waiter);
      return { state: details.state, seen: observationOf(details, at) };
    },
  };
}

/** The reason of a check, without what it quotes of the registry. */
function reasonOf(reason: string): string {
  const words = withoutQuote(reason);
  return words === reason ? reason : `${words} that it cannot be registered`;
}

/** A text without what it quotes of a server, after a colon: that may name a person. */
function withoutQuote(text: string): string {
  return text.replace(/: "[^]*"/, "");
}
