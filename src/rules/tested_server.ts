/**
 * The test of a registry's server, the same for RDAP and WHOIS: its answers for names of known state decide whether its
 * denials are believed.
 *
 *   two random names of different lengths ─► a record, or words against one ─► failed
 *                │ denied: templates
 *                ▼
 *   names that DNS shows delegated ─► a record ─► passed ; one is denied, but for `nic`, or none has a record ─► failed
 *
 * The record comes last: a server that gives it did not refuse the questions before. A server that does not answer, or refuses
 * us, has shown nothing: what stood stands. A pass is in force for 90 minutes, by its own dates, for all processes; one denied
 * name that DNS shows delegated ends it at once. What was found before the last failure proves nothing.
 */
import type { Canary, RdapAnswer, TestFault } from "./answer.ts";
import { refusesAnyName } from "./readers/notices.ts";
import type { AskedName, Statement } from "./readers/statements.ts";
import { addTemplate, isKeepable, type Template, templateOf } from "./readers/templates.ts";

/** What a server says to a question of its test. */
export type TestReply =
  | { readonly kind: "record" }
  /** It denies the name as one that does not exist. */
  | { readonly kind: "denial"; readonly template: Template }
  /** It speaks against the name, or its text is no denial; `why` follows "the server". */
  | { readonly kind: "against"; readonly why: string }
  | {
    readonly kind: "failed";
    readonly why: string;
    readonly fault?: TestFault | undefined;
    /** The rest of the server's pause, in ms. */
    readonly retryAfterMs?: number | undefined;
  };

/** What is known of a TLD's server; all times are in ms since 1970. */
export interface ServerRecord {
  /** The RDAP base, or the WHOIS host. */
  readonly server: string;
  /** The last result; `undecided`: no test has found anything yet. */
  readonly result: Canary;
  readonly testedAt: number;
  readonly expiresAt: number;
  /** When it first passed again after a failure: what was asked before proves nothing. Absent if it never failed. */
  readonly believedSince?: number | undefined;
  /** Since when tests have not passed; absent if the last one did, or the server refused it. */
  readonly unprovenSince?: number | undefined;
  /** Since when no connection has been made; absent if the last one was. */
  readonly unreachableSince?: number | undefined;
  /** When it was last tried, without an answer that counts if one of those two is set. */
  readonly triedAt?: number | undefined;
}

/** Labels registered under nearly every TLD; a DNS query first checks that they are delegated. */
export const TEST_SEEDS: readonly string[] = ["google", "nic", "amazon"];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const UNREACHABLE_MS = 15 * MINUTE_MS;
/** A server that was not tried for longer may be back. */
const TRIED_MS = 2 * UNREACHABLE_MS;
/** The job renews it hourly. */
const PASSED_MS = 90 * MINUTE_MS;
/** Sooner than a pass: the server may have been mended. */
const FAILED_MS = 10 * MINUTE_MS;

/** The record after a test at a time (ms since 1970). */
export function recordTest(
  before: ServerRecord | undefined,
  { server, at, result }: { server: string; at: number; result: Canary },
): ServerRecord {
  const same = before?.server === server ? before : undefined;
  const service = serviceAfter(same, result, at);
  // A failure counts on where another server takes the place: what was denied before it may still be cached.
  const isFirst = before?.result.kind === "failed" &&
    (result.kind === "passed" || same === undefined);
  // What is later was written by a clock that was set ahead.
  const believedSince = isFirst ? at : before?.believedSince && Math.min(before.believedSince, at);
  const known = { server, testedAt: at, ...service, result, believedSince };
  switch (result.kind) {
    case "passed": {
      const templates = same?.result.kind === "passed"
        ? result.templates.toReversed().reduce(addTemplate, same.result.templates)
        : result.templates;
      return { ...known, result: { ...result, templates }, expiresAt: at + PASSED_MS };
    }
    case "failed":
      return { ...known, expiresAt: at + FAILED_MS };
    case "undecided":
      return same === undefined ? { ...known, expiresAt: at } : { ...same, ...service };
  }
}

/** Since when the server is not proven, and not reached. */
function serviceAfter(
  before: ServerRecord | undefined,
  result: Canary,
  at: number,
): Pick<ServerRecord, "unprovenSince" | "unreachableSince" | "triedAt"> {
  const { unprovenSince, unreachableSince, triedAt } = before ?? {};
  const fault = result.kind === "undecided" ? result.fault : undefined;
  if (fault === "unsent") return { unprovenSince, unreachableSince, triedAt };
  // A refusal ends a time without a pass, too: it must not put a needed server out of service.
  const isProven = result.kind === "passed" || fault === "refused";
  return {
    unprovenSince: isProven ? undefined : unprovenSince ?? at,
    unreachableSince: fault === "unreachable"
      ? sinceOf({ unreachableSince, triedAt }, at)
      : undefined,
    triedAt: at,
  };
}

/** Since when it was not reached on end. The job tries hourly; one that was not tried for longer may have been back meanwhile. */
function sinceOf(
  { unreachableSince, triedAt = -Infinity }: Pick<ServerRecord, "unreachableSince" | "triedAt">,
  at: number,
): number {
  return at - triedAt < PASSED_MS ? unreachableSince ?? at : at;
}

/** The record after a try to connect at a time (ms since 1970); the same object if that adds nothing. */
export function recordReach(
  record: ServerRecord,
  { isUnreachable, at }: { isUnreachable: boolean; at: number },
): ServerRecord {
  const { unreachableSince, triedAt = -Infinity } = record;
  if (!isUnreachable) {
    return unreachableSince === undefined ? record : { ...record, unreachableSince: undefined };
  }
  const isKnown = unreachableSince !== undefined && Math.abs(at - triedAt) < MINUTE_MS;
  return isKnown ? record : { ...record, unreachableSince: sinceOf(record, at), triedAt: at };
}

/**
 * Of a stored record and one that KV did not take in time, the later; after a failure it believes nothing from before itself, else
 * nothing that the earlier one does not believe.
 */
export function laterRecord(stored: ServerRecord | undefined, late: ServerRecord): ServerRecord {
  if (stored === undefined) return late;
  const [earlier, later] = stored.testedAt > late.testedAt ? [late, stored] : [stored, late];
  const isFirst = earlier.result.kind === "failed" && later.result.kind !== "failed";
  const believedSince = isFirst ? later.testedAt : earlier.believedSince ?? -Infinity;
  return believedSince > (later.believedSince ?? -Infinity) ? { ...later, believedSince } : later;
}

/** The record with a further denial of a random name; as it is unless it is a pass. */
export function teachRecord(record: ServerRecord, template: Template): ServerRecord {
  const { result } = record;
  if (result.kind !== "passed") return record;
  return { ...record, result: { ...result, templates: addTemplate(result.templates, template) } };
}

/** The result in force of a server. */
export function resultInForce(
  record: ServerRecord | undefined,
  { server, now }: { server: string; now: number },
): Canary | undefined {
  if (record === undefined || record.server !== server) return undefined;
  const leftMs = record.expiresAt - now;
  // A result that would last longer was found by a clock that was set ahead.
  if (leftMs <= 0 || leftMs > PASSED_MS + MINUTE_MS) return undefined;
  const { result, testedAt } = record;
  return result.kind === "undecided" ? undefined : { ...result, testedAt };
}

/** Whether a denial to a question sent at that time is believed. */
export function believesDenial(record: ServerRecord | undefined, askedAt: number): boolean {
  if (record?.result.kind === "failed") return false;
  return askedAt > (record?.believedSince ?? -Infinity);
}

/** Whether the server's record of a name proves that it is registered; not where the server had those of random names, too. */
export function believesRecord(record: ServerRecord | undefined, askedAt: number): boolean {
  if (record === undefined) return true;
  if (confirmsMadeUp(record.result) && askedAt < record.expiresAt) return false;
  return askedAt > (record.believedSince ?? -Infinity);
}

/** Whether a failed test showed that the server has a record of a made-up name: its records prove nothing then. */
export function confirmsMadeUp(result: Canary): boolean {
  return result.kind === "failed" && result.confirmsMadeUp === true;
}

/**
 * Why a server is not in service, for people; undefined if it is. A needed server that could be skipped while it is busy would
 * let a long list of names decide which withheld names look available: neither a refusal nor our own queue counts, nor time
 * without a try.
 */
export function outOfService(record: ServerRecord | undefined, now: number): string | undefined {
  if (record === undefined) return undefined;
  const { unreachableSince = Infinity, unprovenSince = Infinity, result } = record;
  const { triedAt = -Infinity } = record;
  if (now - triedAt >= TRIED_MS) return undefined;
  if (triedAt - unreachableSince >= UNREACHABLE_MS) {
    return `It could not be reached since ${new Date(unreachableSince).toISOString()}`;
  }
  if (triedAt - unprovenSince < DAY_MS) return undefined;
  return result.kind === "failed" ? result.why : "It has not passed a test within a day";
}

/** What the RDAP server's answer for a name is to its test. */
export function rdapTestReply(answer: RdapAnswer, asked: AskedName): TestReply {
  switch (answer.kind) {
    case "registered":
      return { kind: "record" };
    case "failed":
      return { kind: "failed", why: answer.why, retryAfterMs: answer.retryAfterMs };
    case "notFound":
      return denialReply(answer.statements, { ...asked, askedAt: answer.askedAt });
  }
}

/** What the denial of a random name is to the test of its server, over RDAP or WHOIS. */
export function denialReply(statements: readonly Statement[], asked: AskedName): TestReply {
  if (refusesAnyName(statements, asked)) {
    return { kind: "against", why: "reports a made-up name as not registrable" };
  }
  const template = templateOf(statements, asked);
  return isKeepable(template)
    ? { kind: "denial", template }
    : { kind: "against", why: "has a denial that is too long" };
}
