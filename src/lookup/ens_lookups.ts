/** The look-ups of a .eth name: cache, then the chain; the rules decide. */
import { type Cache, cached } from "../flow/cache/cached.ts";
import type { Waiter } from "../flow/cache/flight.ts";
import { withDeadline } from "../flow/deadline.ts";
import type { WaitOptions } from "../flow/upstream_host.ts";
import type { EnsRecords, ProfileAnswer, RegistrationAnswer } from "../rules/answer.ts";
import {
  decideEns,
  type EnsDates,
  ensDates,
  ensLifetimeMs,
  type EnsVerdict,
  profileLifetimeMs,
  type RecordsProblem,
  type RegistrationPrice,
} from "../rules/ens.ts";

/** A verdict and when the chain was asked (ISO 8601). */
export type EnsFinding = EnsVerdict & { readonly checkedAt: string };

type Cause = RecordsProblem["kind"] | undefined;

/** A profile, that the name is not registered, or the failure; and when the chain was asked. */
type ProfileFinding =
  & (
    | { kind: "found"; profile: Profile; problem?: Cause; expires?: number }
    | { kind: "notFound" }
    | { kind: "failed"; why: string }
  )
  & { readonly checkedAt: string };

/** The owner, resolver and records of a name. */
interface Profile {
  owner?: string | undefined;
  resolver?: string | undefined;
  address?: string | undefined;
  records: EnsRecords;
  /** Why the records could not be read; they are empty then. */
  error?: string | undefined;
}

/** What is counted of an answer; without a source where there is none. */
export type EnsCount = {
  operation: "check" | "metadata";
  result: "available" | "taken" | EnsProfileAnswer["kind"];
  source: Provenance["source"] | "";
};

/** Where and when an answer comes from. */
interface Provenance {
  /** How long this request waited. */
  responseMs: number;
  source: "rpc" | "rpc+cache";
  checkedAt: string;
}

/** The result for one .eth name, as the API returns it. */
export interface EnsCheckResult extends Provenance, EnsDates {
  name: string;
  available: boolean;
  owner?: string;
  resolver?: string;
  registrationPrice?: RegistrationPrice;
}

/** The answer to a check. */
export type EnsCheckAnswer =
  | { kind: "answered"; result: EnsCheckResult }
  | { kind: "failed"; why: string };

/** The answer to a profile request, as the API returns it. */
type EnsProfileAnswer =
  | { kind: "answered"; result: { name: string } & Profile & Provenance }
  | { kind: "notFound" }
  | { kind: "failed"; why: string };

/** The look-ups, by label. They never throw for a fault of a node. */
export type EnsLookups = ReturnType<typeof createEnsLookups>;

/** Keeps every answer, also an error, within six seconds. */
const DEADLINE_MS = 5_500;
const LATE = { kind: "failed", why: "the Ethereum nodes did not answer in time" } as const;

/** Creates the look-ups over the questions and the caches. */
export function createEnsLookups(
  { ask, contracts, checkCache, profileCache, onAnswer, now }: {
    ask: {
      registration(label: string): Promise<RegistrationAnswer>;
      profile(label: string, wait: WaitOptions): Promise<ProfileAnswer>;
    };
    contracts: { nameWrapper: string; graveyard?: string };
    checkCache: Cache<EnsFinding>;
    profileCache: Cache<ProfileFinding>;
    /** Called with each answer. */
    onAnswer: (answer: EnsCount) => void;
    now: () => number;
  },
) {
  async function findCheck(label: string): Promise<EnsFinding> {
    const checkedAt = new Date(now()).toISOString();
    const answer = await withDeadline(ask.registration(label), DEADLINE_MS, LATE);
    if (answer.kind === "failed") return { ...answer, checkedAt };
    return { ...decideEns(label, answer.registration, contracts), checkedAt };
  }

  async function findProfile(label: string, wait: WaitOptions): Promise<ProfileFinding> {
    const checkedAt = new Date(now()).toISOString();
    const answer = await withDeadline(ask.profile(label, wait), DEADLINE_MS, LATE);
    if (answer.kind === "failed") return { ...answer, checkedAt };
    const { registration, records, address, problem } = answer;
    const verdict = decideEns(label, registration, contracts);
    if (verdict.kind === "failed") return { ...verdict, checkedAt };
    if (verdict.kind === "free") return { kind: "notFound", checkedAt };
    const profile = {
      owner: verdict.owner,
      resolver: answer.resolver ?? verdict.resolver,
      address,
      records,
      error: problem && `The records could not be read: ${problem.why}`,
    };
    const expires = Number(registration.expires);
    return { kind: "found", profile, problem: problem?.kind, expires, checkedAt };
  }

  const options = {
    keyOf: (label: string) => label,
    askedAtOf: ({ checkedAt }: { checkedAt: string }) => Date.parse(checkedAt),
    now,
  };
  const checks = cached(findCheck, { ...options, cache: checkCache, lifetimeMs: ensLifetimeMs });
  const ofProfiles = { ...options, cache: profileCache, lifetimeMs: profileLifetimeMs };
  const profiles = cached(findProfile, ofProfiles);

  async function check(label: string): Promise<EnsCheckAnswer> {
    const startedAt = performance.now();
    const { value, isCached } = await checks.answer(label);
    if (value.kind === "failed") {
      onAnswer({ operation: "check", result: "failed", source: "" });
      return value;
    }
    const { kind, checkedAt, expires, ...fields } = value;
    const available = kind === "free";
    const asked = provenance(startedAt, isCached, checkedAt);
    const result = available ? "available" : "taken";
    onAnswer({ operation: "check", result, source: asked.source });
    const known = { name: `${label}.eth`, available, ...fields, ...ensDates(expires, now()) };
    return { kind: "answered", result: { ...known, ...asked } };
  }

  async function profile(label: string, waiter?: Waiter): Promise<EnsProfileAnswer> {
    const startedAt = performance.now();
    const { value, isCached } = await profiles.answer(label, waiter);
    if (value.kind !== "found") {
      onAnswer({ operation: "metadata", result: value.kind, source: "" });
      return value;
    }
    const asked = provenance(startedAt, isCached, value.checkedAt);
    onAnswer({ operation: "metadata", result: "answered", source: asked.source });
    return { kind: "answered", result: { name: `${label}.eth`, ...value.profile, ...asked } };
  }

  return {
    check,
    profile,
    /** Looks a name up again if its cached check expires before `until` (ms since 1970). */
    renew: checks.renew,
  };
}

function provenance(startedAt: number, isCached: boolean, checkedAt: string): Provenance {
  const responseMs = Math.round(performance.now() - startedAt);
  return { responseMs, source: isCached ? "rpc+cache" : "rpc", checkedAt };
}
