/** What one process knows of a subject's slots, and how it decides on a claim. Pure; `limiter.ts` has the protocol. */
import {
  append,
  countOf,
  merge,
  releaseTime,
  type Slots,
  slotTime,
  unexpired,
  type Window,
} from "../rules/window.ts";

/** Slots that KV holds for this process under one stamp: it may let callers in with them until the lease ends. */
export interface SlotLease extends Slots {
  /** When it ends, in ms of the monotonic clock: not after `at` by the wall clock of the commit. */
  readonly until: number;
}

/** A subject's slots. */
export interface Account {
  /** Taken or held by other processes, each `skewMs` later than its stamp in KV. */
  readonly theirs: Window;
  /** Taken here and written to KV. */
  readonly written: Window;
  /** Taken here and not written: as many as the lease holds are covered by it, more only where KV failed. */
  readonly unwritten: Window;
  readonly lease?: SlotLease | undefined;
}

/** How long things last, in ms. */
export interface Terms {
  readonly windowMs: number;
  readonly leaseMs: number;
  readonly skewMs: number;
}

/** The clocks, read once for each decision: what lapses between two readings would make room too early. */
export interface Time {
  /** ms since 1970. */
  readonly now: number;
  readonly monotonic: number;
}

/** What is asked for: `cost` slots of `limit`, all or none. */
export interface Claim {
  readonly limit: number;
  readonly cost: number;
}

/** What is left, and when the next slot comes free (now, where none is taken). */
export interface LimitState {
  readonly remaining: number;
  readonly resetAt: number;
}

/** Let in, and since when that counts; or refused, and when the same claim would be let in. */
export type Admission =
  | LimitState & { readonly kind: "admitted"; readonly at: number }
  | LimitState & { readonly kind: "refused"; readonly retryAfterMs: number };

/** An account before anything is known. */
export const EMPTY: Account = { theirs: [], written: [], unwritten: [] };

/** The account without what has lapsed. */
export function lapse(account: Account, now: number, { windowMs }: Terms): Account {
  const theirs = unexpired(account.theirs, now, windowMs);
  const written = unexpired(account.written, now, windowMs);
  const unwritten = unexpired(account.unwritten, now, windowMs);
  const isSame = theirs === account.theirs && written === account.written &&
    unwritten === account.unwritten;
  return isSame ? account : { ...account, theirs, written, unwritten };
}

/** How many slots are taken, as far as is known; what is only held for this process is free. */
export function takenOf({ theirs, written, unwritten }: Account): number {
  return countOf(theirs) + countOf(written) + countOf(unwritten);
}

/** How an account without lapsed slots stands. */
export function standingOf(
  account: Account,
  limit: number,
  now: number,
  { windowMs }: Terms,
): LimitState {
  const { theirs, written, unwritten } = account;
  const oldest = Math.min(
    theirs[0]?.at ?? Infinity,
    written[0]?.at ?? Infinity,
    unwritten[0]?.at ?? Infinity,
  );
  return {
    remaining: Math.max(0, limit - takenOf(account)),
    resetAt: oldest === Infinity ? now : Math.ceil(oldest + windowMs),
  };
}

/** The refusal of a claim for which too few slots are left; a claim beyond the limit waits for all, and in vain. */
export function refuse(
  account: Account,
  { limit, cost }: Claim,
  now: number,
  terms: Terms,
): Admission {
  const all = merge(merge(account.theirs, account.written), account.unwritten);
  const release = releaseTime(all, takenOf(account) + cost - limit, terms.windowMs);
  const retryAfterMs = Math.ceil((release ?? now + terms.windowMs) - now);
  return { kind: "refused", ...standingOf(account, limit, now, terms), retryAfterMs };
}

/** Takes slots without writing them. */
export function spend(
  account: Account,
  { limit, cost }: Claim,
  now: number,
  terms: Terms,
): { after: Account; admission: Admission } {
  const at = slotTime(now, limit);
  const after = { ...account, unwritten: append(account.unwritten, { at, count: cost }) };
  return { after, admission: { kind: "admitted", ...standingOf(after, limit, now, terms), at } };
}
