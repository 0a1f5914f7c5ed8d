/** The fallback limiter: decides from memory while KV is out of reach, and commits pending slots once KV is back. */
import type { Alarm } from "../flow/alarm.ts";
import type { Timing } from "../flow/deadlines.ts";
import type { Report } from "../flow/report.ts";
import { append, countOf, type Slots, unexpired, type Window } from "../rules/window.ts";
import {
  type Decision,
  type Durations,
  refuse,
  type SlotClaim,
  takenOf,
  takePending,
} from "./known_window.ts";
import type { Committer } from "./committer.ts";
import { LARGEST_COMMIT } from "./window_store.ts";
import type { KeyState, KeyStates } from "./key_states.ts";

/** What the fallback limiter needs. */
export interface FallbackOptions extends Pick<Timing, "startAlarm"> {
  states: KeyStates;
  committer: Committer;
  durations: Durations;
  report: Report;
  /** How long KV is not used after a fault. */
  pauseMs: number;
  /** How many keys have a window of their own. */
  maxKeys: number;
  /** How many processes are known to share KV. */
  processes: () => number;
  /** Called once KV has taken the pending slots. */
  onRecovery: () => void;
}

/** A limiter that works without KV. */
export interface FallbackLimiter {
  isActive(): boolean;
  /** Starts it and reports that once. */
  activate(reason: string): void;
  /** Decides a claim that fits into the known window. */
  decide(state: KeyState, claim: SlotClaim, now: number): Decision;
  /** How many slots a key has taken in the overflow windows. */
  overflowOf(key: string, now: number): number;
  /** Counts a decision made without KV, for the report. */
  countDecision(): void;
  /** Checks whether KV is back; one attempt at a time. */
  tryRecovery(): Promise<void>;
  stop(): void;
}

/** Creates it, inactive. */
export function createFallbackLimiter(options: FallbackOptions): FallbackLimiter {
  const { states, committer, durations, report, pauseMs, maxKeys, processes, onRecovery } = options;
  const overflow = createOverflowWindows(durations.windowMs);
  let isActive = false;
  let decisions = 0;
  let trial: Promise<void> | undefined;
  let alarm: Alarm | undefined;

  /** A process admits its share of the limit, and no more than is known to be left. */
  function decide(state: KeyState, { limit, cost }: SlotClaim, now: number): Decision {
    const { window, key } = state;
    const share = Math.ceil(limit / Math.max(1, processes()));
    const claim = { limit: Math.min(limit, share + countOf(window.others)), cost };
    if (takenOf(window) + cost > claim.limit) return refuse(window, claim, now, durations);
    const { after, decision } = takePending(window, claim, now, durations);
    if (states.active.size < maxKeys || states.active.has(key)) {
      state.window = after;
      states.update(state);
    } else if (decision.kind === "admitted") {
      overflow.add(key, { at: decision.at, count: cost });
    }
    tryLater();
    return decision;
  }

  function tryLater(): void {
    alarm ??= options.startAlarm(() => {
      alarm = undefined;
      void tryRecovery();
    }, pauseMs);
  }

  function tryRecovery(): Promise<void> {
    return trial ??= writePending().finally(() => trial = undefined);
  }

  /** Tries with a commit, because a KV that reads and cannot write is of no use. No claim waits for this. */
  async function writePending(): Promise<void> {
    const unwritten = states.active.values().filter(({ window }) => window.pending.length > 0)
      .take(LARGEST_COMMIT).toArray();
    if (!isActive || unwritten.length === 0) return;
    if (!await committer.commit(unwritten)) return tryLater();
    isActive = false;
    report("limits.shared", { decidedAlone: decisions });
    unwritten.forEach(states.update);
    onRecovery();
  }

  return {
    isActive: () => isActive,
    activate(reason) {
      isActive = true;
      decisions = 0;
      report("limits.alone", { reason });
      tryLater();
    },
    decide,
    overflowOf: overflow.count,
    countDecision: () => void decisions++,
    tryRecovery,
    stop() {
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
