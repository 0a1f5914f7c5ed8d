/** Commits windows by compare-and-set, up to ten keys together, and retries conflicts until the deadline. */
import { withRunningDeadline } from "../flow/deadline.ts";
import { isLocked } from "../rules/is_locked.ts";
import {
  applyCommit,
  type CommitPlan,
  dropExpired,
  endReservation,
  fromRecreated,
  fromStored,
  type Instant,
  planCommit,
  type Quota,
  type SlotClaim,
  toStored,
} from "./known_window.ts";
import type { WindowStore } from "./window_store.ts";
import { hasUncovered, type KeyState, type LimiterContext } from "./key_states.ts";

/** What the committer needs. */
export interface CommitterOptions extends LimiterContext {
  store: WindowStore;
  /** What a key's reservation is made from; undefined where none may be made: each is remembered until it ends. */
  quotaOf: (state: KeyState, time: Instant) => Quota | undefined;
  /** Called when a KV call fails or takes longer than the deadline. */
  onFault: (reason: string) => void;
  /** Called after each conflict or lock, for each key of the commit: claims from before `waitingSince` are overdue. */
  onConflict: (state: KeyState, waitingSince: number) => void;
  /** Called when a read finds that KV has lost slots. */
  onLoss: () => void;
}

/** Commits windows. */
export interface Committer {
  /**
   * Commits the windows and returns whether KV answered: after too many conflicts they are still to be committed. It
   * decides the waiting claims, or leaves them waiting.
   */
  commit(states: readonly KeyState[]): Promise<boolean>;
  /** Gives up commits that are under way: their outcome is unknown, so their reservations are ended. */
  abandon(): void;
  /** How long a commit takes without queueing, in ms: the least of the last ones. */
  readonly fastestMs: number;
}

/** After so many conflicts each key is committed by itself, so that a contended one does not delay the others. */
const CONFLICTS_TOGETHER = 2;
/** Short, because SQLite has no queue: a process that backs off for long is starved by those that retry often. */
const LONGEST_PAUSE_MS = 4;
/** Growth of `fastestMs` per slower commit: after a dozen of them KV counts as far away. */
const LEAST_GROWTH = 1.05;
/** Float64 holds stamps of this century to 1/4096 ms. */
const FRACTIONS = 4_096;

type Outcome = "committed" | "conflict" | "locked" | "abandoned";

/** Creates the committer. */
export function createCommitter(options: CommitterOptions): Committer {
  const { store, durations, deadlineMs, now, random, monotonic, startAlarm } = options;
  const { quotaOf, onFault, onConflict, onLoss } = options;
  /** Grows with each `abandon()`; results of calls from an earlier epoch are ignored. */
  let epoch = 0;
  const busy = new Set<KeyState>();
  let fastestMs = 0;
  let answeredAt = -Infinity;

  async function settle(states: readonly KeyState[]): Promise<boolean> {
    const began = epoch;
    for (const state of states) {
      state.isBusy = true;
      busy.add(state);
    }
    try {
      return await tryUntilCommitted(states, monotonic());
    } finally {
      if (epoch === began) {
        for (const state of states) {
          state.isBusy = false;
          busy.delete(state);
        }
      }
    }
  }

  async function tryUntilCommitted(states: readonly KeyState[], since: number): Promise<boolean> {
    for (let tries = 0, conflicts = 0;; tries++) {
      const outcome = await attempt(states, since);
      if (outcome === "committed" || outcome === "abandoned") return outcome === "committed";
      if (outcome === "conflict") conflicts++;
      // A conflict proves that KV answers. A lock does not: a claim that waits since the last answer of KV waits on, until
      // the lock counts as a fault and the fallback decides.
      const deadline = monotonic() - deadlineMs;
      const waitingSince = outcome === "locked" ? Math.min(deadline, answeredAt) : deadline;
      for (const state of states) onConflict(state, waitingSince);
      // A renewal or give-back is not retried: no caller waits for it, and claims of other processes may.
      const isUrgent = states.some((state) =>
        state.waiting.length > 0 || hasUncovered(state, monotonic())
      );
      if (!isUrgent || monotonic() - since > deadlineMs) return outcome === "conflict";
      if (conflicts >= CONFLICTS_TOGETHER && states.length > 1) {
        const all = await Promise.all(states.map((state) => tryUntilCommitted([state], since)));
        return all.every((answered) => answered);
      }
      // No backoff after the first conflict: mostly the key was not new to KV, and no other process contends.
      if (conflicts !== 1 || outcome === "locked") await pause(tries);
    }
  }

  async function attempt(states: readonly KeyState[], since: number): Promise<Outcome> {
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
        if (outcome !== "committed") return outcome;
      }
      for (const { state, planned } of plans) {
        state.window = applyCommit(state.window, planned);
        const decided = state.waiting.splice(0, planned.decisions.length);
        decided.forEach(({ resolve: decide }, n) =>
          planned.decisions[n] && decide(planned.decisions[n])
        );
      }
      return "committed";
    } catch (error) {
      if (epoch !== began) return "abandoned";
      // From the oldest claim on, which may have waited for an earlier commit.
      const waitingSince = states.map(({ waiting }) => waiting[0]?.since ?? since);
      const silentMs = monotonic() - Math.max(Math.min(since, ...waitingSince), answeredAt);
      if (isLocked(error) && silentMs <= deadlineMs) return "locked";
      onFault(String(error));
      return "abandoned";
    }
  }

  async function read(states: readonly KeyState[], began: number): Promise<void> {
    const entries = await inTime(store.read(states.map(({ key }) => key)), began);
    if (epoch !== began) return;
    let hasLost = false;
    states.forEach((state, n) => {
      const entry = entries?.[n];
      if (entry === undefined) return;
      const { stored, version, incarnation } = entry;
      const known = dropExpired(state.window, now(), durations);
      const isComplete = incarnation === state.incarnation && !known.isLost;
      state.window = (isComplete ? fromStored : fromRecreated)(known, stored, durations);
      state.version = version;
      state.incarnation = incarnation;
      state.readAt = monotonic();
      hasLost ||= state.window.isLost === true;
    });
    if (hasLost) onLoss();
  }

  function planOf(state: KeyState, time: Instant): CommitPlan {
    state.window = dropExpired(state.window, time.now, durations);
    const claims: readonly SlotClaim[] = state.waiting.map(({ claim }) => claim);
    // A reservation that ended without being renewed is given back.
    const hasEnded = time.monotonic >= (state.window.reservation?.until ?? -Infinity);
    const isGivenBack = claims.length === 0 && hasEnded;
    const quota = isGivenBack ? undefined : quotaOf(state, time);
    const fraction = (1 + Math.floor(random() * (FRACTIONS - 1))) / FRACTIONS;
    return planCommit(state.window, claims, { quota, time, durations, fraction });
  }

  async function write(
    plans: readonly { state: KeyState; planned: CommitPlan }[],
    began: number,
    time: number,
  ): Promise<Outcome> {
    const writes = plans.map(({ state: { key, version = null, incarnation }, planned }) => ({
      key,
      version,
      incarnation: incarnation ?? random(),
      stored: toStored(planned.after, durations),
    }));
    // The version is unknown until the outcome is.
    for (const { state } of plans) state.version = undefined;
    const startedAt = monotonic();
    const version = await inTime(store.write(writes, time), began);
    if (epoch !== began) return "abandoned";
    answeredAt = monotonic();
    fastestMs = Math.min(answeredAt - startedAt, fastestMs * LEAST_GROWTH + 1);
    if (version === undefined) return "conflict";
    plans.forEach(({ state }, n) => {
      state.version = version;
      state.incarnation = writes[n]?.incarnation;
    });
    return "committed";
  }

  async function inTime<T>(call: Promise<T>, began: number): Promise<T | undefined> {
    const late = Symbol();
    const answer = await withRunningDeadline(call, deadlineMs, late, {
      monotonic,
      startAlarm,
      answeredAt: () => answeredAt,
    });
    if (answer !== late) return answer as T;
    if (epoch === began) onFault(`no answer within ${deadlineMs} ms`);
    return undefined;
  }

  function pause(tries: number): Promise<void> {
    const ms = random() * Math.min(LONGEST_PAUSE_MS, 2 ** tries);
    return new Promise((resolve) => startAlarm(resolve, ms));
  }

  return {
    commit: settle,
    abandon() {
      epoch++;
      for (const state of busy) {
        // KV may hold the old reservation, which is given back, or the new one, which counts as another process's.
        state.window = endReservation(state.window);
        state.isBusy = false;
      }
      busy.clear();
    },
    get fastestMs() {
      return fastestMs;
    },
  };
}
