/** When a process holds slots in reserve, how many, and what it writes to KV. Pure; `limiter.ts` has the protocol. */
import { countOf, merge, shift, type Window, without } from "../rules/window.ts";
import {
  type Account,
  type Admission,
  type Claim,
  refuse,
  type SlotLease,
  spend,
  takenOf,
  type Terms,
  type Time,
} from "./account.ts";

/** What is to be written, what it decides, and the account once it is in KV. */
export interface Plan {
  readonly admissions: readonly Admission[];
  readonly after: Account;
  /** Whether KV has to change for it. */
  readonly changes: boolean;
  /** The slots that are written with it and were taken before. */
  readonly paid: Window;
}

/** No more than an eighth of a limit is held in reserve by a process. */
const LARGEST_SHARE = 1 / 8;
/** Nor more than a quarter of what is left: the last slots are never held, but committed one by one. */
const LARGEST_SHARE_OF_REST = 1 / 4;

/** How many slots of the lease are left. */
export function restOf({ lease, unwritten }: Account, monotonic: number): number {
  if (lease === undefined || monotonic >= lease.until) return 0;
  return Math.max(0, lease.count - countOf(unwritten));
}

/** How many slots to hold: none for a subject that is new, and never more than it has taken so far. */
export function reserveOf(taken: number, left: number, limit: number): number {
  const most = Math.min(taken, Math.ceil(limit * LARGEST_SHARE), left * LARGEST_SHARE_OF_REST);
  return Math.max(0, Math.floor(most));
}

/** Whether the lease is to be renewed beside a claim that it covers: half of it is used up, or of its time. */
export function isRenewalDue(
  account: Account,
  limit: number,
  { monotonic }: Time,
  { leaseMs }: Terms,
): boolean {
  const { lease } = account;
  if (lease === undefined) return false;
  const taken = takenOf(account);
  const reserve = reserveOf(taken, limit - taken, limit);
  const rest = restOf(account, monotonic);
  const isOld = monotonic > lease.until - leaseMs / 2;
  return isOld ? reserve > 0 : 2 * rest <= lease.count && reserve > rest;
}

/**
 * Decides on claims that a commit is to decide, writes what was taken, and holds a new lease of what is left of `limit`;
 * none where that is 0. Where no claim waits, what is left of the old lease may be used while the commit is under way:
 * the new one holds at least that much, so KV covers it whether the commit lands or not.
 */
export function plan(
  account: Account,
  claims: readonly Claim[],
  { limit, time, terms, fraction }: {
    limit: number;
    time: Time;
    terms: Terms;
    /** Of a ms: makes a stamp that no other process has. */
    fraction: number;
  },
): Plan {
  const { now, monotonic } = time;
  const paid = account.unwritten;
  const taken = takenOf(account);
  let after: Account = {
    theirs: account.theirs,
    written: merge(account.written, paid),
    unwritten: [],
  };
  const admissions = claims.map((claim) => {
    if (takenOf(after) + claim.cost > claim.limit) return refuse(after, claim, now, terms);
    const spent = spend(after, claim, now, terms);
    after = { ...after, written: merge(after.written, spent.after.unwritten) };
    return spent.admission;
  });
  const kept = claims.length === 0 ? restOf(account, monotonic) : 0;
  const reserve = limit === 0 ? 0 : reserveOf(taken, limit - takenOf(after), limit);
  const count = Math.max(kept, reserve);
  if (count > 0) {
    const { leaseMs } = terms;
    after = {
      ...after,
      lease: { at: now + leaseMs + fraction, count, until: monotonic + leaseMs },
    };
  }
  const isAdmitting = admissions.some(({ kind }) => kind === "admitted");
  const changes = isAdmitting || paid.length > 0 || account.lease !== undefined || count > 0;
  return { admissions, after, changes, paid };
}

/** The account once a plan is in KV: what was taken meanwhile is still to be written. */
export function land(account: Account, { after, paid }: Plan): Account {
  return { ...after, unwritten: without(account.unwritten, paid) };
}

/** What KV is to hold. */
export function toStored({ theirs, written, lease }: Account, { skewMs }: Terms): Window {
  return merge(merge(shift(theirs, -skewMs), written), slotsOf(lease));
}

/** The account once KV was read: what is not known to be of this process is of others. */
export function fromStored(account: Account, stored: Window, { skewMs }: Terms): Account {
  const { written, lease } = account;
  const ours = merge(written, slotsOf(lease));
  return { ...account, theirs: shift(without(stored, ours), skewMs) };
}

function slotsOf(lease: SlotLease | undefined): Window {
  return lease === undefined ? [] : [{ at: lease.at, count: lease.count }];
}
