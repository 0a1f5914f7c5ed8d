/** The canary test of a registry: what its answers to known questions say about the worth of its 404s. */
import type { Canary, RdapAnswer } from "./answer.ts";
import { readNotice } from "./notices.ts";
import { addWording, type AskedName, type Wording, wordingOf } from "./wording.ts";

/** A canary's result, good for one RDAP base and until `expiresAt` (ms since 1970). */
export interface CanaryRecord {
  base: string;
  canary: Canary;
  /** ISO 8601, like every time that is compared with a finding's. */
  testedAt: string;
  expiresAt: number;
  /** When the TLD's registry first passed again after it had denied a registered name; absent where it never did. */
  honestSince?: string;
}

/** The registry's answer about a label that DNS shows as delegated. */
export interface DelegatedProbe {
  readonly label: string;
  readonly answer: RdapAnswer;
}

/** Labels that are registered under nearly every TLD; DNS is asked first whether they are delegated. */
export const CANARY_SEEDS: readonly string[] = ["google", "nic", "amazon"];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long a result holds, in ms: a registry that failed is tested again sooner, for it may have been mended. */
export function canaryLifetimeMs(kind: Canary["kind"]): number {
  switch (kind) {
    case "passed":
      return 24 * HOUR_MS;
    case "failed":
      return HOUR_MS;
    case "doubted":
      // The test that noted it ends with another result, unless its process dies.
      return MINUTE_MS;
    case "undecided":
      return 0;
    default:
      kind satisfies never;
      return 0;
  }
}

/** The result while a registry that denied a registered name is asked again: its pass is withdrawn at once. */
export const DOUBTED: Canary = {
  kind: "doubted",
  why: untrusted("its RDAP server denied a registered name, and is being asked again"),
};

/**
 * Judges a base by its answers for delegated names, in the order asked, and by the one for a made-up name. A name that
 * is denied is asked twice. One that is known outweighs another that is denied: `nic` is delegated under many TLDs
 * without being registered.
 */
export function judgeCanary(
  delegated: readonly DelegatedProbe[],
  { asked, answer: madeUp }: { asked: AskedName; answer: RdapAnswer },
): Canary {
  if (madeUp.kind === "registered") {
    return failed("its RDAP server answers that a made-up name is registered");
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
  // Legal notices that come with every 404 may hold any words; its own title and description may not.
  const own = madeUp.said.filter(({ place }) => place === "title" || place === "description");
  const { kind } = readNotice(own, asked, []);
  if (kind === "reserved" || kind === "unsupported") {
    return failed("its RDAP server says of a made-up name that it cannot be registered");
  }
  const denied = delegated.filter(({ answer }) => answer.kind === "notFound");
  const denies = denied.find(({ label }) => label !== witness.label)?.label;
  return {
    kind: "passed",
    witness: witness.label,
    wordings: [wordingOf(madeUp.said, asked)],
    ...(denies !== undefined && { denies }),
  };
}

function judgeWithoutWitness(answers: readonly RdapAnswer[]): Canary {
  const denials = answers.filter(({ kind }) => kind === "notFound").length;
  if (denials > 1) return failed("its RDAP server denies names that are registered");
  if (denials === 1) return DOUBTED;
  return undecided("no registered name was found to test its RDAP server with", answers);
}

/** The record of a result, where it is one: a test that could not be made takes nothing back. */
export function recordCanary(
  { base, canary, at }: { base: string; canary: Canary; at: number },
): CanaryRecord | undefined {
  if (canary.kind === "undecided") return undefined;
  const testedAt = new Date(at).toISOString();
  return { base, canary, testedAt, expiresAt: at + canaryLifetimeMs(canary.kind) };
}

/** Whether a record decides for a base at this moment; a pass of an earlier version knows no wordings. */
export function isInForce(
  { canary, base, expiresAt }: CanaryRecord,
  { rdapBase, now }: { rdapBase: string; now: number },
): boolean {
  const isWhole = canary.kind !== "passed" || Array.isArray(canary.wordings);
  return isWhole && base === rdapBase && expiresAt > now;
}

/** The later of two records of a TLD, with what it must remember of the earlier, regardless of their clocks. */
export function follow(earlier: CanaryRecord | undefined, later: CanaryRecord): CanaryRecord {
  if (earlier === undefined) return later;
  switch (later.canary.kind) {
    case "failed":
    case "undecided":
      return later;
    case "doubted":
      // What failed before is no less known to have lied.
      if (earlier.canary.kind === "failed") return { ...later, canary: earlier.canary };
      return { ...later, ...since(earlier.honestSince) };
    case "passed": {
      const wordings = wordingsOf(earlier, later, later.canary.wordings);
      const canary = { ...later.canary, wordings };
      // A registry that denies the same label each time has not changed in between.
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

/** A registry may word its 404 in several ways, of which each test sees one. */
function wordingsOf(
  earlier: CanaryRecord,
  later: CanaryRecord,
  wordings: readonly Wording[],
): readonly Wording[] {
  if (earlier.canary.kind !== "passed" || earlier.base !== later.base) return wordings;
  return wordings.toReversed().reduce(addWording, earlier.canary.wordings ?? []);
}

/** What is to be kept once a record arrives `late`, because it could not be written when it was made. */
export function admitLate(kept: CanaryRecord | undefined, late: CanaryRecord): CanaryRecord {
  if (kept === undefined || late.testedAt > kept.testedAt) return follow(kept, late);
  return follow(late, kept);
}

/**
 * Whether an "available" may be answered from the cache: not after its registry has denied a registered name, unless it
 * was found out after the registry passed again.
 */
export function isTrusted(record: CanaryRecord | undefined, checkedAt: string): boolean {
  if (record === undefined) return true;
  if (record.canary.kind !== "passed") return false;
  return record.honestSince === undefined || checkedAt > record.honestSince;
}

function since(honestSince: string | undefined): Pick<CanaryRecord, "honestSince"> {
  return honestSince === undefined ? {} : { honestSince };
}

function latest(one = "", other = ""): string | undefined {
  return (one > other ? one : other) || undefined;
}

function failed(why: string): Canary {
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
