/** The fallback limiter: decides from memory while KV is out of reach, and commits pending slots once KV is back. */
import type { Alarm } from "../flow/deadline.ts";
import type { Report } from "../flow/report.ts";
import { append, countOf, type Slots, unexpired, type Window } from "../rules/window.ts";
import {
  type Decision,
  type Instant,
  type Quota,
  type SlotClaim,
  takePending,
} from "./known_window.ts";
import type { Committer } from "./committer.ts";
import { LARGEST_COMMIT } from "./window_store.ts";
import type { KeyState, LimiterContext } from "./key_states.ts";

/** What the fallback limiter needs. */
export interface FallbackOptions extends LimiterContext {
  committer: Committer;
  report: Report;
  /** How long KV is not used after a fault. */
  pauseMs: number;
  /** How many processes are known to share KV. */
  processes: () => number;
  /** Called once KV has taken the pending slots. */
  onRecovery: () => void;
}

/** The key of no client: where no slot is unwritten, one of this key is written to find out whether KV is back. */
const TRIAL_KEY = "";

/** A limiter that works without KV. */
export interface FallbackLimiter {
  isActive(): boolean;
  /** Starts it and reports that once. */
  activate(reason: string): void;
  /**
   * What this process may admit of a limit. While it is active, and until the other processes have had time to write what
   * they admitted meanwhile: an equal share. Less what the overflow windows hold.
   */
  quotaOf(key: string, limit: number, time: Instant): Quota;
  /** Admits a claim that fits into the known window, to be committed later. */
  admit(state: KeyState, claim: SlotClaim, now: number): Decision;
  /** Counts a decision made without KV, for the report. */
  countDecision(): void;
  /** Checks whether KV is back; one attempt at a time. */
  tryRecovery(): Promise<void>;
  stop(): void;
}

/** Creates it, inactive. */
export function createFallbackLimiter(options: FallbackOptions): FallbackLimiter {
  const { states, committer, durations, report, pauseMs, maxKeys, processes, onRecovery } = options;
  // A process may lose an attempt to the deadline as KV comes back; after a pause it makes another.
  const recoveryMs = 2 * (pauseMs + options.deadlineMs);
  const overflow = createOverflowWindows(durations.windowMs);
  let isActive = false;
  let sharesUntil = -Infinity;
  let decisions = 0;
  let trial: Promise<void> | undefined;
  let alarm: Alarm | undefined;
  let isStopped = false;

  function quotaOf(key: string, limit: number, { now, monotonic }: Instant): Quota {
    const isShared = isActive || monotonic < sharesUntil;
    const share = isShared ? Math.max(1, Math.floor(limit / processes())) : limit;
    const taken = overflow.count(key, now);
    return { limit: limit - taken, share: share - taken };
  }

  function admit(state: KeyState, claim: SlotClaim, now: number): Decision {
    const { key } = state;
    const { after, decision } = takePending(state.window, claim, now, durations);
    if (states.active.size < maxKeys || states.active.has(key)) {
      state.window = after;
      states.update(state);
    } else if (decision.kind === "admitted") {
      overflow.add(key, { at: decision.at, count: claim.cost });
    }
    return decision;
  }

  function tryLater(): void {
    if (isStopped) return;
    alarm ??= options.startAlarm(() => {
      alarm = undefined;
      void tryRecovery();
    }, pauseMs);
  }

  function tryRecovery(): Promise<void> {
    return trial ??= writePending().finally(() => trial = undefined);
  }

  function findUnwritten(): KeyState[] {
    return states.active.values().filter(({ window }) => window.pending.length > 0)
      .take(LARGEST_COMMIT).toArray();
  }

  function takeTrialSlot(): KeyState {
    const state = states.get(TRIAL_KEY);
    const claim = { limit: 1, share: 1, cost: 1 };
    state.window = takePending(state.window, claim, options.now(), durations).after;
    states.update(state);
    return state;
  }

  /** Tries with a commit, because a KV that reads and cannot write is of no use. No claim waits for this. */
  async function writePending(): Promise<void> {
    if (!isActive) return;
    const unwritten = findUnwritten();
    if (unwritten.length === 0) unwritten.push(takeTrialSlot());
    if (!await committer.commit(unwritten)) return tryLater();
    isActive = false;
    sharesUntil = options.monotonic() + recoveryMs;
    report("limits.shared", { decidedAlone: decisions });
    unwritten.forEach(states.update);
    onRecovery();
  }

  return {
    isActive: () => isActive,
    activate(reason) {
      isActive = true;
      isStopped = false;
      decisions = 0;
      report("limits.alone", { reason, processes: processes() });
      tryLater();
    },
    quotaOf,
    admit,
    countDecision: () => void decisions++,
    tryRecovery,
    stop() {
      isStopped = true;
      alarm?.stop();
      alarm = undefined;
    },
  };
}

/**
 * Windows for keys beyond the number that is remembered one by one, shared by keys with the same hash: a key may be
 * refused early because of another, never late.
 */
interface OverflowWindows {
  count(key: string, now: number): number;
  add(key: string, slots: Slots): void;
}

/** So many that a few keys seldom collide, and so few that memory is bounded; a power of two. */
const SHARED_WINDOWS = 1_024;

function createOverflowWindows(windowMs: number): OverflowWindows {
  const windows = new Map<number, Window>();
  return {
    count(key, now) {
      if (windows.size === 0) return 0;
      const place = placeOf(key);
      const window = unexpired(windows.get(place) ?? [], now, windowMs);
      if (window.length === 0) windows.delete(place);
      else windows.set(place, window);
      return countOf(window);
    },
    add(key, slots) {
      const place = placeOf(key);
      windows.set(place, append(windows.get(place) ?? [], slots));
    },
  };
}

/** FNV-1a, so that addresses that differ in few characters do not collide. */
function placeOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < key.length; n++) {
    hash = Math.imul(hash ^ key.charCodeAt(n), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (SHARED_WINDOWS - 1);
}
