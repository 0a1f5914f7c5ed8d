/**
 * What is known of a TLD's WHOIS server over processes and days: whether it is in service. A needed server that could be
 * skipped while it is busy would let a long list of names decide which withheld names look available.
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
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const UNREACHABLE_MS = 15 * MINUTE_MS;

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

/** Both as one record: the later test, and the later pass. */
export function mergeServices(one: WhoisService | undefined, other: WhoisService): WhoisService {
  if (one === undefined) return other;
  const later = one.testedAt > other.testedAt ? one : other;
  const passedAt = Math.max(one.passedAt ?? 0, other.passedAt ?? 0);
  return passedAt > 0 ? { ...later, passedAt } : later;
}
