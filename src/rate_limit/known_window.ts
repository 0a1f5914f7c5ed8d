/**
 * What one process knows of a key's sliding window: its decisions, when it reserves slots and how many, and what a commit
 * writes. Pure; protocol: `limiter.ts`.
 */
import {
  append,
  countOf,
  merge,
  releaseTime,
  shift,
  type Slots,
  slotTime,
  unexpired,
  type Window,
  without,
} from "../rules/window.ts";

/** Slots that KV holds for this process under one stamp: until it ends, it admits claims without a commit. */
export interface Reservation extends Slots {
  /** When it ends, in ms of the monotonic clock: not after `at` by the wall clock of the commit. */
  readonly until: number;
}

/** The slots of a key. */
export interface KnownWindow {
  /** Taken or reserved by other processes, each `skewMs` later than its stamp in KV. */
  readonly others: Window;
  /** Taken by this process and committed to KV. */
  readonly committed: Window;
  /** Taken by this process and not committed yet: covered by the reservation, unless KV failed. */
  readonly pending: Window;
  readonly reservation?: Reservation | undefined;
  /** Whether KV has lost slots of `others` or `committed`, which the next commit writes again. */
  readonly isLost?: boolean;
}

/** Durations, in ms. */
export interface Durations {
  readonly windowMs: number;
  readonly reservationMs: number;
  readonly skewMs: number;
}

/** Both clocks, read once for each decision: a slot that expired between two readings would be reused too early. */
export interface Instant {
  /** ms since 1970. */
  readonly now: number;
  readonly monotonic: number;
}

/** How many slots of a key may count at once. */
export interface Quota {
  /** Over all processes. */
  readonly limit: number;
  /** Of them, taken by this process: the whole limit, unless KV is away or was a moment ago. */
  readonly share: number;
}

/** A claim to `cost` slots, all or none. */
export interface SlotClaim extends Quota {
  readonly cost: number;
}

/** How many slots are left, and when the next one expires (now, where none is taken). */
export interface LimitState {
  readonly remaining: number;
  readonly resetAt: number;
}

/** Admitted, with the time from which the slots count; or refused, with the time after which the same claim fits. */
export type Decision =
  | LimitState & { readonly kind: "admitted"; readonly at: number }
  | LimitState & { readonly kind: "refused"; readonly retryAfterMs: number };

/** The window of a key of which nothing is known. */
export const NOTHING_KNOWN: KnownWindow = { others: [], committed: [], pending: [] };

/** The window without expired slots. */
export function dropExpired(
  window: KnownWindow,
  now: number,
  { windowMs }: Durations,
): KnownWindow {
  const others = unexpired(window.others, now, windowMs);
  const committed = unexpired(window.committed, now, windowMs);
  const pending = unexpired(window.pending, now, windowMs);
  const isSame = others === window.others && committed === window.committed &&
    pending === window.pending;
  return isSame ? window : { ...window, others, committed, pending };
}

/** How many slots are known to be taken; those reserved for this process do not count until they are used. */
export function takenOf(window: KnownWindow): number {
  return countOf(window.others) + ownOf(window);
}

/** How many slots this process may still take; below zero where too many are taken. */
export function leftOf(window: KnownWindow, { limit, share }: Quota): number {
  return Math.min(limit - countOf(window.others), share) - ownOf(window);
}

function ownOf({ committed, pending }: KnownWindow): number {
  return countOf(committed) + countOf(pending);
}

/** The limit's state by a window without expired slots. */
export function limitStateOf(
  window: KnownWindow,
  quota: Quota,
  now: number,
  { windowMs }: Durations,
): LimitState {
  const { others, committed, pending } = window;
  const oldest = Math.min(
    others[0]?.at ?? Infinity,
    committed[0]?.at ?? Infinity,
    pending[0]?.at ?? Infinity,
  );
  return {
    remaining: Math.max(0, leftOf(window, quota)),
    resetAt: oldest === Infinity ? now : Math.ceil(oldest + windowMs),
  };
}

/** Refuses a claim for which too few slots are left. One beyond the limit never fits; its wait is that of all slots. */
export function refuse(
  window: KnownWindow,
  claim: SlotClaim,
  now: number,
  durations: Durations,
): Decision {
  const own = merge(window.committed, window.pending);
  const all = merge(window.others, own);
  const waitMs = (slots: Window, most: number) => {
    const missing = countOf(slots) + claim.cost - most;
    if (missing <= 0) return 0;
    const release = releaseTime(slots, missing, durations.windowMs);
    return (release ?? now + durations.windowMs) - now;
  };
  const retryAfterMs = Math.ceil(Math.max(waitMs(all, claim.limit), waitMs(own, claim.share)));
  return { kind: "refused", ...limitStateOf(window, claim, now, durations), retryAfterMs };
}

/** Takes slots, to be committed later. */
export function takePending(
  window: KnownWindow,
  claim: SlotClaim,
  now: number,
  durations: Durations,
): { after: KnownWindow; decision: Decision } {
  const at = slotTime(now, claim.limit);
  const after = { ...window, pending: append(window.pending, { at, count: claim.cost }) };
  return {
    after,
    decision: { kind: "admitted", ...limitStateOf(after, claim, now, durations), at },
  };
}

/** A commit before it is made: the decisions and the window that result from it. */
export interface CommitPlan {
  readonly decisions: readonly Decision[];
  readonly after: KnownWindow;
  /** Whether it writes anything. */
  readonly changes: boolean;
  /** The slots it writes that were pending before. */
  readonly flushed: Window;
}

/** A process reserves no more than an eighth of a limit, */
const LARGEST_SHARE = 1 / 8;
/** nor more than a quarter of what is left: the last slots are never reserved, but committed one by one. */
const LARGEST_SHARE_OF_REST = 1 / 4;

/** How many slots of the reservation are unused. */
export function reservedLeft({ reservation, pending }: KnownWindow, monotonic: number): number {
  if (reservation === undefined || monotonic >= reservation.until) return 0;
  return Math.max(0, reservation.count - countOf(pending));
}

/** The window with its reservation ended: it covers no claim, and the next commit gives it back where KV has it. */
export function endReservation(window: KnownWindow): KnownWindow {
  const { reservation } = window;
  if (reservation === undefined) return window;
  return { ...window, reservation: { ...reservation, until: -Infinity } };
}

/** How many slots to reserve: none for a new key, and never more than it has taken so far. */
export function reservationSize(taken: number, left: number, limit: number): number {
  const most = Math.min(taken, Math.ceil(limit * LARGEST_SHARE), left * LARGEST_SHARE_OF_REST);
  return Math.max(0, Math.floor(most));
}

/** Whether to renew the reservation while it still covers claims: half of its slots or of its time is used up. */
export function isRenewalDue(
  window: KnownWindow,
  quota: Quota,
  { monotonic }: Instant,
  { reservationMs }: Durations,
): boolean {
  const { reservation } = window;
  if (reservation === undefined) return false;
  const rest = reservedLeft(window, monotonic);
  const isOld = monotonic > reservation.until - reservationMs / 2;
  if (!isOld && 2 * rest > reservation.count) return false;
  const size = reservationSize(takenOf(window), leftOf(window, quota), quota.limit);
  return size > (isOld ? 0 : rest);
}

/**
 * Plans a commit: decides the claims, writes the pending slots, and makes a new reservation of what is left of the
 * quota (none without one). Where no claim waits, the old reservation stays in use while the commit is under way: the new
 * one holds at least as many slots, so that KV covers them whether the commit succeeds or not.
 */
export function planCommit(
  window: KnownWindow,
  claims: readonly SlotClaim[],
  { quota, time, durations, fraction }: {
    quota: Quota | undefined;
    time: Instant;
    durations: Durations;
    /** Of a ms, between 0 and 1: it tells the stamp from those of taken slots and of other processes' reservations. */
    fraction: number;
  },
): CommitPlan {
  const { now, monotonic } = time;
  const flushed = window.pending;
  const taken = takenOf(window);
  let after: KnownWindow = {
    others: window.others,
    committed: merge(window.committed, flushed),
    pending: [],
  };
  const decisions = claims.map((claim) => {
    if (leftOf(after, claim) < claim.cost) return refuse(after, claim, now, durations);
    const spent = takePending(after, claim, now, durations);
    after = { ...after, committed: merge(after.committed, spent.after.pending) };
    return spent.decision;
  });
  const kept = claims.length === 0 ? reservedLeft(window, monotonic) : 0;
  const size = quota === undefined ? 0 : reservationSize(taken, leftOf(after, quota), quota.limit);
  const count = Math.max(kept, size);
  if (count > 0) {
    const { reservationMs } = durations;
    after = {
      ...after,
      reservation: { at: now + reservationMs + fraction, count, until: monotonic + reservationMs },
    };
  }
  const isAdmitting = decisions.some(({ kind }) => kind === "admitted");
  const changes = isAdmitting || flushed.length > 0 || window.reservation !== undefined ||
    window.isLost === true || count > 0;
  return { decisions, after, changes, flushed };
}

/** The window after a commit; slots taken meanwhile stay pending. */
export function applyCommit(window: KnownWindow, { after, flushed }: CommitPlan): KnownWindow {
  return { ...after, pending: without(window.pending, flushed) };
}

/** The window as KV stores it. */
export function toStored(
  { others, committed, reservation }: KnownWindow,
  { skewMs }: Durations,
): Window {
  return merge(merge(shift(others, -skewMs), committed), slotsOf(reservation));
}

/** The window after a read of the entry that it was made from: what is not this process's belongs to others. */
export function fromStored(
  window: KnownWindow,
  stored: Window,
  { skewMs }: Durations,
): KnownWindow {
  const ours = merge(window.committed, slotsOf(window.reservation));
  return { ...window, others: shift(without(stored, ours), skewMs) };
}

/**
 * The window after a read that found another entry than before, or none: KV lost the earlier one, as a server does that
 * restarts without its data. Taken slots that KV lacks still count, until the next commit writes them. So slots are
 * forgotten only if all processes that know them have ended. Others' reservations that KV lacks do not count: each process
 * ends its own when it finds the loss, and an old one would never be given back.
 */
export function fromRecreated(
  window: KnownWindow,
  stored: Window,
  { skewMs }: Durations,
): KnownWindow {
  const { others, committed, reservation } = window;
  const found = without(stored, slotsOf(reservation));
  const known = merge(shift(others.filter(isTaken), -skewMs), committed);
  const missing = without(known, found);
  return {
    ...endReservation(window),
    others: shift(without(merge(found, missing), committed), skewMs),
    isLost: missing.length > 0,
  };
}

/** Taken slots have stamps in whole ms, reserved ones between them. */
function isTaken({ at }: Slots): boolean {
  return Number.isInteger(at);
}

function slotsOf(reservation: Reservation | undefined): Window {
  return reservation === undefined ? [] : [{ at: reservation.at, count: reservation.count }];
}
