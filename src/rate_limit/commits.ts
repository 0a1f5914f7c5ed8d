/** Has KV decide: reads and commits the accounts of up to ten subjects together, until they are in KV or time is up. */
import { createDeadlines, type Timing } from "../flow/deadlines.ts";
import { isLocked } from "../rules/is_locked.ts";
import { type Claim, lapse, type Terms } from "./account.ts";
import { fromStored, land, type Plan, plan, toStored } from "./lease.ts";
import type { Ledger } from "./ledger.ts";
import type { SubjectState } from "./states.ts";

/** What commits need. */
export interface CommitsOptions extends Timing {
  ledger: Ledger;
  terms: Terms;
  deadlineMs: number;
  now: () => number;
  random: () => number;
  /** Whether there is room to remember another lease. */
  hasRoom: () => boolean;
  /** Called when KV does not answer a call within the deadline, or errs. */
  onFault: (reason: string) => void;
  /** Called after each conflict, with each of its subjects. */
  onConflict: (state: SubjectState) => void;
}

/** Commits of accounts. */
export interface Commits {
  /** Commits the accounts; gives whether they are in KV. Waiting claims are decided by it, or still wait. */
  settle(states: readonly SubjectState[]): Promise<boolean>;
  /** Gives up what is under way: its outcome stays unknown, and its leases are not used any more. */
  abandon(): void;
  /** How long a commit takes, in ms, when it has not to wait for others: the least of the last ones. */
  readonly leastMs: number;
  stop(): void;
}

/** After as many conflicts each subject goes alone, so that one that is contended does not hold up the others. */
const CONFLICTS_TOGETHER = 2;
/** Short: SQLite has no queue, and a process that waits long while others try often never gets its turn. */
const LONGEST_PAUSE_MS = 4;
/** So fast is forgotten how fast KV was: after a dozen slow commits it counts as far away. */
const LEAST_GROWTH = 1.05;
/** Float64 holds stamps of this century to 1/4096 ms. */
const FRACTIONS = 4_096;

type Outcome = "landed" | "conflict" | "locked" | "abandoned";

/** Creates the commits. */
export function createCommits(options: CommitsOptions): Commits {
  const { ledger, terms, deadlineMs, now, random, monotonic, startAlarm } = options;
  const { hasRoom, onFault, onConflict } = options;
  const deadlines = createDeadlines(deadlineMs, options);
  /** Counts what was abandoned: what began before says nothing any more. */
  let epoch = 0;
  const busy = new Set<SubjectState>();
  let leastMs = 0;
  let answeredAt = -Infinity;

  async function settle(states: readonly SubjectState[]): Promise<boolean> {
    const began = epoch;
    for (const state of states) {
      state.isBusy = true;
      busy.add(state);
    }
    try {
      return await tryUntilLanded(states, monotonic());
    } finally {
      if (epoch === began) {
        for (const state of states) {
          state.isBusy = false;
          busy.delete(state);
        }
      }
    }
  }

  async function tryUntilLanded(states: readonly SubjectState[], since: number): Promise<boolean> {
    for (let tries = 0, conflicts = 0;; tries++) {
      const outcome = await attempt(states, since);
      if (outcome === "landed" || outcome === "abandoned") return outcome === "landed";
      if (outcome === "conflict") conflicts++;
      states.forEach(onConflict);
      // A renewal or a give-back has time, and leaves the turn to claims that wait elsewhere.
      const isAwaited = states.some(({ waiting }) => waiting.length > 0);
      if (!isAwaited || monotonic() - since > deadlineMs) return false;
      if (conflicts >= CONFLICTS_TOGETHER && states.length > 1) {
        const all = await Promise.all(states.map((state) => tryUntilLanded([state], since)));
        return all.every((landed) => landed);
      }
      // The first conflict is mostly a subject that is not as new as was guessed: no other process contends.
      if (conflicts !== 1 || outcome === "locked") await pause(tries);
    }
  }

  async function attempt(states: readonly SubjectState[], since: number): Promise<Outcome> {
    const began = epoch;
    try {
      const stale = states.filter(({ version }) => version === undefined);
      if (stale.length > 0) await read(stale, began);
      if (epoch !== began) return "abandoned";
      const time = { now: now(), monotonic: monotonic() };
      const plans = states.map((state) => ({ state, planned: planOf(state, time) }));
      const changed = plans.filter(({ planned }) => planned.changes);
      if (changed.length > 0) {
        const outcome = await write(changed, began, time.now);
        if (outcome !== "landed") return outcome;
      }
      for (const { state, planned } of plans) {
        state.account = land(state.account, planned);
        const decided = state.waiting.splice(0, planned.admissions.length);
        decided.forEach(({ decide }, n) => planned.admissions[n] && decide(planned.admissions[n]));
      }
      return "landed";
    } catch (error) {
      if (epoch !== began) return "abandoned";
      const silentMs = monotonic() - Math.max(since, answeredAt);
      if (isLocked(error) && silentMs <= deadlineMs) return "locked";
      onFault(String(error));
      return "abandoned";
    }
  }

  async function read(states: readonly SubjectState[], began: number): Promise<void> {
    const entries = await inTime(ledger.read(states.map(({ subject }) => subject)), began);
    if (epoch !== began) return;
    states.forEach((state, n) => {
      const entry = entries?.[n];
      if (entry === undefined) return;
      state.version = entry.version;
      state.readAt = monotonic();
      state.account = fromStored(state.account, entry.stored, terms);
    });
  }

  function planOf(state: SubjectState, time: { now: number; monotonic: number }): Plan {
    state.account = lapse(state.account, time.now, terms);
    const claims: readonly Claim[] = state.waiting.map(({ claim }) => claim);
    // A lease that no claim has renewed is given back.
    const hasEnded = time.monotonic >= (state.account.lease?.until ?? -Infinity);
    const isGivenBack = claims.length === 0 && hasEnded;
    const limit = isGivenBack || !hasRoom() ? 0 : state.limit;
    const fraction = Math.floor(random() * FRACTIONS) / FRACTIONS;
    return plan(state.account, claims, { limit, time, terms, fraction });
  }

  async function write(
    plans: readonly { state: SubjectState; planned: Plan }[],
    began: number,
    time: number,
  ): Promise<Outcome> {
    const writes = plans.map(({ state: { subject, version = null }, planned }) => ({
      subject,
      version,
      stored: toStored(planned.after, terms),
    }));
    // Until the outcome is known, so is no version.
    for (const { state } of plans) state.version = undefined;
    const startedAt = monotonic();
    const version = await inTime(ledger.write(writes, time), began);
    if (epoch !== began) return "abandoned";
    answeredAt = monotonic();
    leastMs = Math.min(answeredAt - startedAt, leastMs * LEAST_GROWTH + 1);
    if (version === undefined) return "conflict";
    for (const { state } of plans) state.version = version;
    return "landed";
  }

  async function inTime<T>(call: Promise<T>, began: number): Promise<T | undefined> {
    const late = Symbol();
    const answer = await deadlines.withFallback(call, late);
    if (answer !== late) return answer as T;
    if (epoch === began) onFault(`no answer within ${deadlineMs} ms`);
    return undefined;
  }

  function pause(tries: number): Promise<void> {
    const ms = random() * Math.min(LONGEST_PAUSE_MS, 2 ** tries);
    return new Promise((resolve) => startAlarm(resolve, ms));
  }

  return {
    settle,
    abandon() {
      epoch++;
      for (const state of busy) {
        // KV may hold the old lease or the new one: what it holds of either counts as another process's.
        state.account = { ...state.account, lease: undefined };
        state.isBusy = false;
      }
      busy.clear();
    },
    get leastMs() {
      return leastMs;
    },
    stop: () => deadlines.stop(),
  };
}
