/** The canary test of a registry: its answers for names of known state decide whether its 404s are trusted. */
import type { Canary, RdapAnswer } from "./answer.ts";
import { refusesAnyName } from "./readers/notices.ts";
import type { AskedName } from "./readers/statements.ts";
import { addTemplate, type Template, templateOf } from "./readers/templates.ts";

/** A canary's result, valid for one RDAP base until `expiresAt` (ms since 1970). */
export interface CanaryRecord {
  base: string;
  canary: Canary;
  /** ISO 8601, like every time that is compared with a result's `checkedAt`. */
  testedAt: string;
  expiresAt: number;
  /** When the registry first passed again after it had returned 404 for a registered name; absent if it never did. */
  honestSince?: string;
  /** When the registry first no longer had a record of a made-up name; absent if it never had one. */
  confirmedMadeUpUntil?: string;
}

/** The registry's answer about a label that DNS shows as delegated. */
export interface DelegatedProbe {
  readonly label: string;
  readonly answer: RdapAnswer;
}

/** Labels registered under nearly every TLD; a DNS query first checks that they are delegated. */
export const CANARY_SEEDS: readonly string[] = ["google", "nic", "amazon"];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The largest clock difference between synchronised processes. */
const SKEW_MS = 30_000;

const LIFETIMES_MS: Readonly<Record<Canary["kind"], number>> = {
  // The job renews it hourly.
  passed: 90 * MINUTE_MS,
  failed: HOUR_MS,
  // The test that set this soon replaces it, unless its process dies.
  doubted: MINUTE_MS,
  undecided: 0,
};

/** How long a result is valid, in ms: a registry that failed is tested again sooner, as it may have been fixed. */
export function canaryLifetimeMs(kind: Canary["kind"]): number {
  return LIFETIMES_MS[kind] ?? 0;
}

/** Withdraws a pass at once, while a registry that returned 404 for a registered name is tested again. */
export const DOUBTED: Canary = {
  kind: "doubted",
  why: untrusted("its RDAP server returned 404 for a registered name and is being tested again"),
};

/**
 * Judges a base by its answers for delegated names, in query order, and for a made-up name. A name that gets a 404 is
 * queried twice. One registered answer outweighs a 404 for another name: `nic` is delegated under many TLDs without
 * being registered.
 */
export function judgeCanary(
  delegated: readonly DelegatedProbe[],
  { asked, answer: madeUp }: { asked: AskedName; answer: RdapAnswer },
): Canary {
  if (madeUp.kind === "registered") {
    const result = failed("its RDAP server reports a made-up name as registered");
    return { ...result, confirmsMadeUp: true };
  }
  const witness = delegated.find(({ answer }) => answer.kind === "registered");
  if (witness === undefined) return judgeWithoutWitness(delegated.map(({ answer }) => answer));
  switch (madeUp.kind) {
    case "failed":
      return undecided("its RDAP server did not answer for a made-up name", [madeUp]);
    case "notFound":
      break;
    default:
      madeUp satisfies never;
      return undecided("its RDAP server's answer for a made-up name could not be read", []);
  }
  const template = templateOfDenial(madeUp, asked);
  if (template === undefined) {
    return failed("its RDAP server reports a made-up name as not registrable");
  }
  const denied = delegated.filter(({ answer }) => answer.kind === "notFound");
  const denies = denied.find(({ label }) => label !== witness.label)?.label;
  return {
    kind: "passed",
    witness: witness.label,
    templates: [template],
    ...(denies !== undefined && { denies }),
  };
}

/** The template of a registry's 404 for a random name; undefined for another answer, and if it speaks against the name. */
export function templateOfDenial(answer: RdapAnswer, asked: AskedName): Template | undefined {
  if (answer.kind !== "notFound" || refusesAnyName(answer.statements, asked)) return undefined;
  return templateOf(answer.statements, { ...asked, askedAt: answer.askedAt });
}

function judgeWithoutWitness(answers: readonly RdapAnswer[]): Canary {
  const denials = answers.filter(({ kind }) => kind === "notFound").length;
  if (denials > 1) return failed("its RDAP server returned 404 for names known to be registered");
  if (denials === 1) return DOUBTED;
  return undecided("no registered name was found to test its RDAP server with", answers);
}

/** The record of a result; undefined for `undecided`: a test that could not run withdraws nothing. */
export function recordCanary(
  { base, canary, at }: { base: string; canary: Canary; at: number },
): CanaryRecord | undefined {
  if (canary.kind === "undecided") return undefined;
  const testedAt = new Date(at).toISOString();
  return { base, canary, testedAt, expiresAt: at + canaryLifetimeMs(canary.kind) };
}

/** Whether a record is still valid for a base. */
export function isCurrentRecord(
  { base, expiresAt }: CanaryRecord,
  { rdapBase, now }: { rdapBase: string; now: number },
): boolean {
  return base === rdapBase && expiresAt > now;
}

/** Merges a TLD's records: the later one, with the history it needs from the earlier, regardless of their clocks. */
export function mergeCanaryRecords(
  earlier: CanaryRecord | undefined,
  later: CanaryRecord,
): CanaryRecord {
  if (earlier === undefined) return later;
  const merged = mergeTrust(earlier, later);
  const hasStopped = confirmsMadeUp(earlier.canary) && !confirmsMadeUp(merged.canary);
  const until = hasStopped
    ? latest(earlier.testedAt, later.testedAt)
    : latest(earlier.confirmedMadeUpUntil, later.confirmedMadeUpUntil);
  return { ...merged, ...(until !== undefined && { confirmedMadeUpUntil: until }) };
}

/** The merged record, with the history that decides on its 404s. */
function mergeTrust(earlier: CanaryRecord, later: CanaryRecord): CanaryRecord {
  switch (later.canary.kind) {
    case "failed":
    case "undecided":
      return later;
    case "doubted":
      // A known failure outweighs a doubt.
      if (earlier.canary.kind === "failed") return { ...later, canary: earlier.canary };
      return { ...later, ...since(earlier.honestSince) };
    case "passed": {
      const templates = templatesOf(earlier, later, later.canary.templates);
      const canary = { ...later.canary, templates };
      // A registry that returns 404 for the same label each time has not changed in between.
      const isSame = earlier.canary.kind === "passed" ||
        (earlier.canary.kind === "doubted" && later.canary.denies !== undefined);
      const honestSince = isSame
        ? latest(earlier.honestSince, later.honestSince)
        : latest(earlier.testedAt, later.testedAt);
      return { ...later, canary, ...since(honestSince) };
    }
    default:
      later.canary satisfies never;
      return later;
  }
}

/** A registry may have several 404s for names that are not registered; each test sees one. */
function templatesOf(
  earlier: CanaryRecord,
  later: CanaryRecord,
  templates: readonly Template[],
): readonly Template[] {
  if (earlier.canary.kind !== "passed" || earlier.base !== later.base) return templates;
  return templates.toReversed().reduce(addTemplate, earlier.canary.templates);
}

/** The record with a further 404 for a random name; as it is unless it is a pass of the same base. */
export function teachRecord(
  record: CanaryRecord,
  { base, template }: { base: string; template: Template },
): CanaryRecord {
  const { canary } = record;
  if (canary.kind !== "passed" || record.base !== base) return record;
  return { ...record, canary: { ...canary, templates: addTemplate(canary.templates, template) } };
}

/** Merges a record that arrives `late`, because KV failed when it was made. */
export function mergeLateRecord(
  kept: CanaryRecord | undefined,
  late: CanaryRecord,
): CanaryRecord {
  if (kept === undefined || isLaterRecord(kept, late)) {
    return mergeCanaryRecords(kept, late);
  }
  return mergeCanaryRecords(late, kept);
}

/**
 * Whether a record counts as the later one. A pass that was merged with a failure has its time. Clocks
 * of processes differ: of two that are as close, the one that did not pass counts as the later.
 */
function isLaterRecord(
  kept: CanaryRecord,
  late: CanaryRecord,
): boolean {
  if (knows(late, kept)) return true;
  if (knows(kept, late)) return false;
  const laterMs = Date.parse(late.testedAt) - Date.parse(kept.testedAt);
  if (Math.abs(laterMs) > SKEW_MS || hasPassed(late) === hasPassed(kept)) return laterMs > 0;
  return hasPassed(kept);
}

/** Whether the test had a pass. */
function hasPassed({ canary }: CanaryRecord): boolean {
  return canary.kind === "passed";
}

/** Whether a pass was merged with a test that did not pass. */
function knows(one: CanaryRecord, other: CanaryRecord): boolean {
  return hasPassed(one) && !hasPassed(other) && (one.honestSince ?? "") >= other.testedAt;
}

/**
 * Whether a cached "available" may be returned. Not if its registry has since returned 404 for a registered name, unless
 * it was checked after the registry passed again.
 */
export function isTrusted(record: CanaryRecord | undefined, checkedAt: string): boolean {
  if (record === undefined) return true;
  if (record.canary.kind !== "passed") return false;
  return record.honestSince === undefined || checkedAt > record.honestSince;
}

/**
 * Whether a cached "taken" by the registry's record may be returned. Not if the registry has had a record of a made-up
 * name since: not while that result is in force, and then only if it was checked after the registry had stopped.
 */
export function isTakenTrusted(
  record: CanaryRecord | undefined,
  { checkedAt, now }: { checkedAt: string; now: number },
): boolean {
  if (record === undefined) return true;
  const { canary, confirmedMadeUpUntil, expiresAt } = record;
  if (confirmsMadeUp(canary) && expiresAt > now) return false;
  return confirmedMadeUpUntil === undefined || checkedAt > confirmedMadeUpUntil;
}

/** Whether a failed test showed that the registry has a record of a made-up name: its records prove nothing then. */
export function confirmsMadeUp(canary: Canary): boolean {
  return canary.kind === "failed" && canary.confirmsMadeUp === true;
}

function since(honestSince: string | undefined): Pick<CanaryRecord, "honestSince"> {
  return honestSince === undefined ? {} : { honestSince };
}

function latest(one = "", other = ""): string | undefined {
  return (one > other ? one : other) || undefined;
}

function failed(why: string): Extract<Canary, { kind: "failed" }> {
  return { kind: "failed", why: untrusted(why) };
}

function untrusted(why: string): string {
  return `This registry's "not found" is not trusted: ${why}`;
}

function undecided(why: string, answers: readonly RdapAnswer[]): Canary {
  const fault = answers.find(({ kind }) => kind === "failed");
  const detail = fault?.kind === "failed" ? ` (${fault.why})` : "";
  return {
    kind: "undecided",
    why: `This registry's "not found" could not be tested: ${why}${detail}`,
  };
}
