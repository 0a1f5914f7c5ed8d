/** What one process knows of a key's sliding window, and its decisions. Pure; protocol: `limiter.ts`. */
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

/** A claim to `cost` slots of `limit`, all or none. */
export interface SlotClaim {
  readonly limit: number;
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
export function takenOf({ others, committed, pending }: KnownWindow): number {
  return countOf(others) + countOf(committed) + countOf(pending);
}

/** The limit's state by a window without expired slots. */
export function limitStateOf(
  window: KnownWindow,
  limit: number,
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
    remaining: Math.max(0, limit - takenOf(window)),
    resetAt: oldest === Infinity ? now : Math.ceil(oldest + windowMs),
  };
}

/** Refuses a claim for which too few slots are left. One beyond the limit never fits; its wait is that of all slots. */
export function refuse(
  window: KnownWindow,
  { limit, cost }: SlotClaim,
  now: number,
  durations: Durations,
): Decision {
  const all = merge(merge(window.others, window.committed), window.pending);
  const release = releaseTime(all, takenOf(window) + cost - limit, durations.windowMs);
  const retryAfterMs = Math.ceil((release ?? now + durations.windowMs) - now);
  return { kind: "refused", ...limitStateOf(window, limit, now, durations), retryAfterMs };
}

/** Takes slots, to be committed later. */
export function takePending(
  window: KnownWindow,
  { limit, cost }: SlotClaim,
  now: number,
  durations: Durations,
): { after: KnownWindow; decision: Decision } {
  const at = slotTime(now, limit);
  const after = { ...window, pending: append(window.pending, { at, count: cost }) };
  return {
    after,
    decision: { kind: "admitted", ...limitStateOf(after, limit, now, durations), at },
  };
}
