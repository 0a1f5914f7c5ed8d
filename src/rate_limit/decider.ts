/** Decides claims: at once where the known window or a reservation suffices, else after a commit or by the fallback. */
import {
  type Decision,
  dropExpired,
  endReservation,
  type Instant,
  isRenewalDue,
  leftOf,
  limitStateOf,
  refuse,
  reservedLeft,
  type SlotClaim,
  takePending,
} from "./known_window.ts";
import type { FallbackLimiter } from "./fallback.ts";
import type { KeyState, LimiterContext } from "./key_states.ts";

/** What deciding needs. */
export interface DeciderOptions extends LimiterContext {
  fallback: FallbackLimiter;
  /** Queues an urgent commit of a key: a claim waits, or its reservation is due for renewal. */
  commitSoon: (key: string) => void;
  /** Queues a read or commit of a key for which no caller waits. */
  commitLater: (key: string) => void;
}

/** Decisions on claims. */
export interface Decider {
  admit(key: string, limit: number, cost: number): Decision | Promise<Decision>;
  /** Decides waiting claims by the known window; the rest wait for another commit. */
  decideWaiting(state: KeyState): void;
  /** Refuses claims that have waited since before that time although KV answers: other processes win every conflict. */
  refuseOverdue(state: KeyState, waitingSince: number): void;
  /** Has the fallback decide all waiting claims. */
  decideAllOnFallback(): void;
}

/** How often KV is read for a key that is refused because of other processes' slots: those may have been given back. */
const LOOK_EVERY_MS = 1_000;

/** Creates it. */
export function createDecider(options: DeciderOptions): Decider {
  const { states, fallback, durations, deadlineMs, now, monotonic, commitSoon, commitLater } =
    options;

  const readTime = (): Instant => ({ now: now(), monotonic: monotonic() });

  function claimOf({ key, limit }: KeyState, cost: number, time: Instant): SlotClaim {
    return { ...fallback.quotaOf(key, limit, time), cost };
  }

  function admit(key: string, limit: number, cost: number): Decision | Promise<Decision> {
    const time = readTime();
    const state = states.get(key);
    state.limit = limit;
    const claim = claimOf(state, cost, time);
    const known = decideByKnown(state, claim, time);
    if (known !== undefined) return known;
    if (fallback.isActive()) return fallback.admit(state, claim, time.now);
    const { promise, resolve } = Promise.withResolvers<Decision>();
    state.waiting.push({ claim, since: time.monotonic, resolve });
    states.update(state);
    commitSoon(key);
    return promise;
  }

  /** Decides a claim that does not fit, and one that the reservation covers; undefined for any other. */
  function decideByKnown(state: KeyState, claim: SlotClaim, time: Instant): Decision | undefined {
    state.window = dropExpired(state.window, time.now, durations);
    const { window, key } = state;
    const mayAsk = !state.isBusy && !fallback.isActive();
    if (fallback.isActive()) fallback.countDecision();
    if (leftOf(window, claim) < claim.cost) {
      if (mayAsk && window.others.length > 0 && time.monotonic - state.readAt > LOOK_EVERY_MS) {
        state.version = undefined;
        commitLater(key);
      }
      return refuse(window, claim, time.now, durations);
    }
    if (state.waiting.length > 0 || reservedLeft(window, time.monotonic) < claim.cost) {
      return undefined;
    }
    const { after, decision } = takePending(window, claim, time.now, durations);
    state.window = after;
    if (mayAsk && isRenewalDue(after, claim, time, durations)) commitSoon(key);
    return decision;
  }

  function decideWaiting(state: KeyState): void {
    if (fallback.isActive()) return;
    const time = readTime();
    for (const one of state.waiting.splice(0)) {
      const known = decideByKnown(state, one.claim, time);
      if (known === undefined) state.waiting.push(one);
      else one.resolve(known);
    }
    states.update(state);
    if (state.waiting.length > 0) commitSoon(state.key);
  }

  function refuseOverdue(state: KeyState, waitingSince: number): void {
    const late = state.waiting.findLastIndex(({ since }) => since < waitingSince) + 1;
    if (late === 0) return;
    // Deno's KV client may have sent the commit twice, so that it conflicted with itself: KV may lack the reservation.
    state.window = endReservation(state.window);
    const time = now();
    for (const { claim, resolve } of state.waiting.splice(0, late)) {
      const standing = limitStateOf(state.window, claim, time, durations);
      resolve({ kind: "refused", ...standing, retryAfterMs: deadlineMs });
    }
  }

  function decideAllOnFallback(): void {
    const time = readTime();
    // Keys that only wait leave the bounded set first, which makes place for those with pending slots.
    const waiting = [...states.active.values()].map((state) => {
      const claims = state.waiting.splice(0);
      states.update(state);
      return { state, claims };
    });
    for (const { state, claims } of waiting) {
      for (const { claim: { cost }, resolve } of claims) {
        const claim = claimOf(state, cost, time);
        resolve(decideByKnown(state, claim, time) ?? fallback.admit(state, claim, time.now));
      }
    }
  }

  return { admit, decideWaiting, refuseOverdue, decideAllOnFallback };
}
