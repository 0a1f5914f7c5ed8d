/**
 * What is known of a TLD's WHOIS server over processes and days: whether it is in service, and whether what it says is
 * needed for "available". A server that could be skipped while it is busy would let a long list of names decide which
 * withheld names look available.
 */
import type { Template } from "./readers/templates.ts";

/** The record of a server; all times are in ms since 1970. */
export interface WhoisService {
  /** When its last test began, and what it found: why it failed, undefined if it passed. */
  readonly testedAt: number;
  readonly failure?: string | undefined;
  readonly passedAt?: number | undefined;
  /** Since when no connection has been made; absent if the last one was. */
  readonly unreachableSince?: number | undefined;
  /** Since when it has refused the queries of its tests; absent if the last one was answered. */
  readonly refusedSince?: number | undefined;
  /** Its texts for random names, the latest first. */
  readonly templates: readonly Template[];
  /** Names without a record that it refused, at most `MAX_REFUSALS`, the latest first. */
  readonly refusals: readonly Refusal[];
}

/** A name that RDAP denied and WHOIS refused, and the site that asked; both hashed. */
export interface Refusal {
  readonly name: string;
  readonly site: string;
  readonly at: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const UNREACHABLE_MS = 15 * MINUTE_MS;
const REFUSALS_MS = 30 * DAY_MS;
const MAX_REFUSALS = 12;
/** So many names, asked from so many sites, show that a server withholds names: one site could invent two of them. */
const LEAST_NAMES = 3;
const LEAST_SITES = 2;

/**
 * Why a server is not in service, for people; undefined if it is. Neither that it refuses queries takes it out of service
 * within a day, nor that its first test waits in our queue: a list of names could bring about both.
 */
export function outOfService(service: WhoisService | undefined, now: number): string | undefined {
  if (service === undefined) return undefined;
  const { passedAt = -Infinity, refusedSince = -Infinity, unreachableSince = Infinity, failure } =
    service;
  if (now - unreachableSince >= UNREACHABLE_MS) {
    return `It could not be reached since ${new Date(unreachableSince).toISOString()}`;
  }
  if (now - Math.max(passedAt, refusedSince) < DAY_MS) return undefined;
  return failure ?? "It has not passed a test within a day";
}

/** Whether a server has refused so many names of late that what it says is needed. */
export function refusesNames({ refusals }: Pick<WhoisService, "refusals">, now: number): boolean {
  const recent = refusals.filter(({ at }) => now - at < REFUSALS_MS);
  const count = (key: "name" | "site") => new Set(recent.map((refusal) => refusal[key])).size;
  return count("name") >= LEAST_NAMES && count("site") >= LEAST_SITES;
}

/** Both as one record: the later test, and what either knows besides. */
export function mergeServices(one: WhoisService | undefined, other: WhoisService): WhoisService {
  if (one === undefined) return other;
  const [earlier, later] = one.testedAt > other.testedAt ? [other, one] : [one, other];
  const passedAt = Math.max(one.passedAt ?? 0, other.passedAt ?? 0);
  const refusals = new Map(
    [...earlier.refusals, ...later.refusals].map((one) => [`${one.name} ${one.site}`, one]),
  );
  return {
    ...later,
    ...(passedAt > 0 && { passedAt }),
    refusals: [...refusals.values()].toSorted((a, b) => b.at - a.at).slice(0, MAX_REFUSALS),
  };
}
