/** The canary: what two probes of a registry say about the worth of its 404s. */
import type { Canary, RdapAnswer } from "./answer.ts";

/** A canary's result, good for one RDAP base and until `expiresAt` (ms since 1970). */
export interface CanaryRecord {
  base: string;
  canary: Canary;
  /** ISO 8601, like every time that is compared with a finding's. */
  testedAt: string;
  expiresAt: number;
  /** When the TLD's registry was first honest again after it had lied; absent where it never did. */
  honestSince?: string;
}

/** Labels that somebody holds under nearly every TLD; DNS is asked first whether it is so. */
export const CANARY_SEEDS: readonly string[] = ["google", "nic", "amazon"];

/** Registered names that may be denied before the registry counts as lying. */
export const DENIALS_TO_FAIL = 2;

/** How long a result holds, in ms: a registry that lied is asked again sooner, for it may have been mended. */
export function canaryLifetimeMs(canary: Canary): number {
  const HOUR_MS = 3_600_000;
  return { passed: 24 * HOUR_MS, failed: HOUR_MS, undecided: 0 }[canary.kind];
}

/**
 * Judges a base: `delegated` are its answers for names that DNS shows to be delegated, in the order asked, `madeUp` the
 * one for a name that nobody holds.
 */
export function judgeCanary(delegated: readonly RdapAnswer[], madeUp: RdapAnswer): Canary {
  if (madeUp.kind === "registered") {
    return failed("its RDAP server calls a made-up name registered");
  }
  const denials = delegated.filter(({ kind }) => kind === "notFound").length;
  if (!delegated.some(({ kind }) => kind === "registered")) {
    if (denials >= DENIALS_TO_FAIL) {
      return failed("its RDAP server denies names that are registered");
    }
    return undecided("no registered name was found to test its RDAP server with", delegated);
  }
  if (madeUp.kind === "failed") {
    return undecided("its RDAP server did not answer for a made-up name", [madeUp]);
  }
  return { kind: "passed" };
}

/** The record of a result, where it is one: a test that could not be made takes nothing back. */
export function recordCanary(
  { base, canary, at }: { base: string; canary: Canary; at: number },
): CanaryRecord | undefined {
  if (canary.kind === "undecided") return undefined;
  const testedAt = new Date(at).toISOString();
  return { base, canary, testedAt, expiresAt: at + canaryLifetimeMs(canary) };
}

/** The later of two records of a TLD, with what it must remember of the earlier, whatever their clocks say. */
export function follow(earlier: CanaryRecord | undefined, later: CanaryRecord): CanaryRecord {
  if (earlier === undefined || later.canary.kind === "failed") return later;
  const honestSince = earlier.canary.kind === "failed"
    ? latest(earlier.testedAt, later.testedAt)
    : latest(earlier.honestSince, later.honestSince);
  if (honestSince === undefined || honestSince === later.honestSince) return later;
  return { ...later, honestSince };
}

/** What is to be kept once a record comes `late`, which could not be written when it was made. */
export function admitLate(kept: CanaryRecord | undefined, late: CanaryRecord): CanaryRecord {
  if (kept === undefined || late.testedAt > kept.testedAt) return follow(kept, late);
  return follow(late, kept);
}

/** Whether a kept "available" may still be told: not while the registry lies, nor what it denied before it was mended. */
export function isBelieved(record: CanaryRecord | undefined, checkedAt: string): boolean {
  if (record === undefined) return true;
  if (record.canary.kind === "failed") return false;
  return record.honestSince === undefined || checkedAt > record.honestSince;
}

function latest(one = "", other = ""): string | undefined {
  return (one > other ? one : other) || undefined;
}

function failed(why: string): Canary {
  return { kind: "failed", why: `The registry's "not found" cannot be believed: ${why}` };
}

function undecided(why: string, answers: readonly RdapAnswer[]): Canary {
  const fault = answers.find(({ kind }) => kind === "failed");
  const detail = fault?.kind === "failed" ? ` (${fault.why})` : "";
  return {
    kind: "undecided",
    why: `The registry's "not found" could not be tested: ${why}${detail}`,
  };
}
