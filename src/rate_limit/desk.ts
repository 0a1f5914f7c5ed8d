/** Where claims are decided: at once where that needs no KV, else once KV has answered or is given up. */
import type { Timing } from "../flow/deadlines.ts";
import {
  type Admission,
  type Claim,
  lapse,
  refuse,
  spend,
  standingOf,
  takenOf,
  type Terms,
  type Time,
} from "./account.ts";
import type { Alone } from "./alone.ts";
import { isRenewalDue, restOf } from "./lease.ts";
import type { States, SubjectState } from "./states.ts";

/** What the desk needs. */
export interface DeskOptions extends Pick<Timing, "monotonic"> {
  states: States;
  alone: Alone;
  terms: Terms;
  deadlineMs: number;
  now: () => number;
  /** Has a subject committed soon: a claim waits, or its lease is to be renewed. */
  commitSoon: (subject: string) => void;
  /** Has a subject read or committed when there is time. */
  commitLater: (subject: string) => void;
}

/** Decisions on claims. */
export interface Desk {
  admit(subject: string, limit: number, cost: number): Promise<Admission>;
  /** Decides what waits by what is known now; for the rest there is another commit. */
  serve(state: SubjectState): void;
  /** Refuses claims that have waited since then while KV answered: other processes were faster. */
  refuseLate(state: SubjectState, waitingSince: number): void;
  /** Decides all that waits without KV. */
  serveAlone(): void;
}

/** How often KV is read for a caller that other processes' slots have refused: they may have been given back. */
const LOOK_EVERY_MS = 1_000;

/** Opens the desk. */
export function createDesk(options: DeskOptions): Desk {
  const { states, alone, terms, deadlineMs, now, monotonic, commitSoon, commitLater } = options;

  const readTime = (): Time => ({ now: now(), monotonic: monotonic() });

  function claimOf({ subject, limit }: SubjectState, cost: number, { now }: Time): Claim {
    return { limit: limit - alone.withheldFrom(subject, now), cost };
  }

  function admit(subject: string, limit: number, cost: number): Promise<Admission> {
    const time = readTime();
    const state = states.of(subject);
    state.limit = limit;
    const claim = claimOf(state, cost, time);
    const known = decideByKnown(state, claim, time);
    if (known !== undefined) return Promise.resolve(known);
    if (alone.isNow()) return Promise.resolve(alone.decide(state, claim, time.now));
    const { promise, resolve: decide } = Promise.withResolvers<Admission>();
    state.waiting.push({ claim, since: time.monotonic, decide });
    states.keep(state);
    commitSoon(subject);
    return promise;
  }

  /** Decides on a claim that does not fit in, and on one that the lease covers. */
  function decideByKnown(state: SubjectState, claim: Claim, time: Time): Admission | undefined {
    state.account = lapse(state.account, time.now, terms);
    const { account, subject } = state;
    const mayAsk = !state.isBusy && !alone.isNow();
    if (alone.isNow()) alone.noteDecision();
    if (takenOf(account) + claim.cost > claim.limit) {
      if (mayAsk && account.theirs.length > 0 && time.monotonic - state.readAt > LOOK_EVERY_MS) {
        state.version = undefined;
        commitLater(subject);
      }
      return refuse(account, claim, time.now, terms);
    }
    if (state.waiting.length > 0 || restOf(account, time.monotonic) < claim.cost) return undefined;
    const { after, admission } = spend(account, claim, time.now, terms);
    state.account = after;
    if (mayAsk && isRenewalDue(after, state.limit, time, terms)) commitSoon(subject);
    return admission;
  }

  function serve(state: SubjectState): void {
    if (alone.isNow()) return;
    const time = readTime();
    for (const one of state.waiting.splice(0)) {
      const known = decideByKnown(state, one.claim, time);
      if (known === undefined) state.waiting.push(one);
      else one.decide(known);
    }
    states.keep(state);
    if (state.waiting.length > 0) commitSoon(state.subject);
  }

  function refuseLate(state: SubjectState, waitingSince: number): void {
    const late = state.waiting.findLastIndex(({ since }) => since < waitingSince) + 1;
    if (late === 0) return;
    // A commit that conflicted may have been applied, by a client that sent it twice: its lease is not used.
    state.account = { ...state.account, lease: undefined };
    const time = now();
    for (const { claim: { limit }, decide } of state.waiting.splice(0, late)) {
      const standing = standingOf(state.account, limit, time, terms);
      decide({ kind: "refused", ...standing, retryAfterMs: deadlineMs });
    }
  }

  function serveAlone(): void {
    const time = readTime();
    // What only waits leaves its place first to what has to be written.
    const waiting = [...states.open.values()].map((state) => {
      const claims = state.waiting.splice(0);
      states.keep(state);
      return { state, claims };
    });
    for (const { state, claims } of waiting) {
      for (const { claim: { cost }, decide } of claims) {
        const claim = claimOf(state, cost, time);
        decide(decideByKnown(state, claim, time) ?? alone.decide(state, claim, time.now));
      }
    }
  }

  return { admit, serve, refuseLate, serveAlone };
}
