/**
 * Rate limits: at most `limit` slots of a key in any 60 s (a sliding window), over all processes that share a KV.
 *
 *   claim ─► does it fit into the known window? ─no─► refused, without KV
 *                 │ yes                               (read in the background once a second, where other processes'
 *                 ▼                                    slots are in the way: they may have been given back)
 *            covered by the reservation? ─yes─► admitted; its slots are pending until a commit renews the
 *                 │ no                          reservation: once half of its slots or its time is used up
 *                 ▼
 *            waits for a batched commit ─committed─► decided
 *                 │          └─ conflict ─► read, commit again; after 1 s refused: KV is not at fault
 *                 ▼
 *            KV fails, or a call takes over 1 s ─► the fallback limiter decides, until KV takes the pending slots
 *
 * Files: `known_window.ts` (pure rules), `key_states.ts` (memory), `decider.ts` (the way above), `committer.ts` over
 * `window_store.ts` (KV), `fallback.ts`.
 *
 * KV stores `["rate", key]` → stamps and counts. A slot counts for 60 s after its stamp. There are two kinds:
 * - taken: stamped with the time of admission, in whole ms;
 * - reserved for one process: stamped with the time at which the reservation ends, and a fraction of a ms that tells it
 *   from others. Until then the process may admit requests, so that none of them counts for longer than the reserved slot,
 *   whether the process lives, forgets it or is killed.
 * A commit is a compare-and-set on the version it was made from. It writes the pending slots with their own times and
 * replaces the reservation. A renewal reserves at least as many slots as were unused, so that KV covers what is taken
 * while it is under way. A reservation that is not renewed is given back when it ends, after a third of a window, and at
 * a shutdown. KV never holds fewer slots than were admitted: those of a commit with an unknown outcome may count twice.
 *
 * Size of a reservation: none for a new key; then at most as many slots as the key has taken, an eighth of its limit, a
 * quarter of what is left. The last slots are never reserved, so that a low limit is exact over all processes. A client
 * of n processes may be refused early by at most n - 1 reservations (`.github/docs/operate.md`); a client of one process by
 * none.
 *
 * Clocks: any two processes' wall clocks differ by at most a sixtieth of a window (1 s). Others' slots count for
 * so much longer, own slots for 60 s exactly. Reservations end by the monotonic clock, so that setting the wall clock
 * does not lengthen them.
 *
 * Fallback: each of n processes admits an nth of a limit, and no more than is known to be left, so that they admit no
 * more than the limit together. After KV is back that holds, and nothing more is reserved, until the others have had time
 * to write what they admitted (`recoveryMs`). Less than twice the limit is admitted where a process had taken more than
 * its share before, and where a client reaches other processes than before, just as KV fails.
 *
 * Loss of KV's data: an entry has an incarnation, a number drawn by the process that created it. A process that reads
 * another incarnation than before, or no entry, adds the taken slots that it knows, its own and others', and ends its
 * reservation (`fromRecreated()`). Then it reads all its keys again. After a fault it reads ten, to find such a loss.
 */
import { type Alarm, startTimer, type Timing, withDeadline } from "../flow/deadline.ts";
import { createBatcher } from "../flow/batcher.ts";
import type { Report } from "../flow/report.ts";
import { WINDOW_MS } from "../rules/window.ts";
import {
  type Decision,
  dropExpired,
  type Durations,
  endReservation,
  type LimitState,
  limitStateOf,
  takenOf,
} from "./known_window.ts";
import { createFallbackLimiter } from "./fallback.ts";
import { createCommitter } from "./committer.ts";
import { createDecider } from "./decider.ts";
import { createWindowStore, LARGEST_COMMIT, type RateLimitKv } from "./window_store.ts";
import { createKeyStates, isCovered } from "./key_states.ts";

/** The rate limits of all keys. */
export interface RateLimiter {
  /**
   * Claims `cost` slots (1), all or none. A promise only where the decision waits for KV: for little more than a second,
   * and it never rejects.
   */
  admit(key: string, limit: number, cost?: number): Decision | Promise<Decision>;
  /** The state of a key's limit as this process knows it; takes no slot and reads nothing. */
  peek(key: string, limit: number): LimitState;
  /** Whether KV is out of reach, so that the fallback decides. */
  isOnFallback(): boolean;
  /** Gives back reservations, and settles once all is decided and, where KV works, committed: it may be closed then. */
  settled(): Promise<void>;
  /** How many keys are remembered. */
  readonly size: number;
}

/** What the limiter needs; all but the first three have defaults. */
export interface RateLimiterOptions extends Partial<Timing> {
  kv: RateLimitKv;
  /** The wall clock, in ms since 1970. */
  now: () => number;
  report: Report;
  windowMs?: number;
  deadlineMs?: number;
  pauseMs?: number;
  maxKeys?: number;
  random?: () => number;
  /** How many processes are known to share KV, with this one (1). */
  processes?: () => number;
}

/** For a KV call, and for a claim that conflicts with other processes: several round trips to another continent. */
const DEADLINE_MS = 1_000;
/** How long KV is not used after a fault. */
const PAUSE_MS = 1_000;
/** About 15 MB; a key that is forgotten is read again. */
const MAX_KEYS = 50_000;
/** For a KV that is far away; a local one runs commits one by one anyway. */
const COMMITS_AT_ONCE = 32;
/** Where KV is far, a batch that is not full starts while others are under way, up to this number. */
const PARTIAL_COMMITS_AT_ONCE = 16;
/** A KV whose commits are faster is near: claims then wait for the running commit and share the next. */
const NEAR_MS = 20;
/** Few, because no caller waits for a give-back. */
const GIVE_BACKS_AT_ONCE = 2;

/** Creates the limiter. Each change between KV and the fallback is reported once. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { kv, now, windowMs = WINDOW_MS, maxKeys = MAX_KEYS } = options;
  const durations: Durations = {
    windowMs,
    reservationMs: Math.ceil(windowMs / 3),
    skewMs: Math.ceil(windowMs / 60),
  };
  const states = createKeyStates(maxKeys);
  const context = {
    monotonic: () => performance.now(),
    startAlarm: startTimer,
    random: Math.random,
    processes: () => 1,
    deadlineMs: DEADLINE_MS,
    pauseMs: PAUSE_MS,
    ...options,
    maxKeys,
    durations,
    states,
  };
  const { monotonic, startAlarm, deadlineMs } = context;
  const committer = createCommitter({
    ...context,
    store: createWindowStore(kv, { keepMs: windowMs + 2 * durations.skewMs }),
    quotaOf({ key, limit }, time) {
      const quota = fallback.quotaOf(key, limit, time);
      // While shares are in force, other processes may still write what they admitted without KV.
      const mayReserve = quota.share === quota.limit && states.active.size < maxKeys;
      return mayReserve ? quota : undefined;
    },
    onFault,
    onConflict: (state, waitingSince) => decider.refuseOverdue(state, waitingSince),
    onLoss: () => void readAllAgain(),
  });
  const fallback = createFallbackLimiter({
    ...context,
    committer,
    onRecovery() {
      // If KV has lost its data, these few show it, and `onLoss` has all others read.
      readAgain(LARGEST_COMMIT);
      sweep();
    },
  });
  const urgent = createBatcher(work, {
    size: LARGEST_COMMIT,
    atOnce: COMMITS_AT_ONCE,
    partialAtOnce: () => committer.fastestMs < NEAR_MS ? 1 : PARTIAL_COMMITS_AT_ONCE,
  });
  const giveBacks = createBatcher(work, { size: LARGEST_COMMIT, atOnce: GIVE_BACKS_AT_ONCE });
  const decider = createDecider({
    ...context,
    fallback,
    commitSoon: (key) => {
      urgent.add(key);
      sweepAlarm ??= startAlarm(sweep, durations.reservationMs / 4);
    },
    commitLater: giveBacks.add,
  });
  let sweepAlarm: Alarm | undefined;
  let isReadingAll = false;

  /** Never rejects. A key with a commit under way is committed again after it. */
  async function work(keys: readonly string[]): Promise<void> {
    const batch = keys.map(states.get).filter(({ isBusy }) => !isBusy);
    if (fallback.isActive() || batch.length === 0) return;
    await committer.commit(batch);
    batch.forEach(decider.decideWaiting);
  }

  function onFault(reason: string): void {
    committer.abandon();
    if (fallback.isActive()) return;
    fallback.activate(reason);
    decider.decideAllOnFallback();
  }

  /** Commits the fallback's pending slots and gives back ended reservations; repeated while any key is active. */
  function sweep(): void {
    sweepAlarm?.stop();
    sweepAlarm = undefined;
    if (states.active.size === 0) return;
    sweepAlarm = startAlarm(sweep, durations.reservationMs / 4);
    if (fallback.isActive()) return;
    const time = monotonic();
    for (const state of states.active.values()) {
      if (!state.isBusy && !isCovered(state, time)) giveBacks.add(state.key);
    }
  }

  /** Has keys with slots read again, so that slots that KV lacks are written: active keys first. */
  function readAgain(mostKeys: number): void {
    const time = now();
    states.all()
      .filter(({ isBusy, window }) => !isBusy && takenOf(dropExpired(window, time, durations)) > 0)
      .take(mostKeys)
      .forEach((state) => {
        state.version = undefined;
        giveBacks.add(state.key);
      });
  }

  async function readAllAgain(): Promise<void> {
    if (isReadingAll) return;
    isReadingAll = true;
    readAgain(Infinity);
    await giveBacks.settled();
    isReadingAll = false;
  }

  async function writeAll(): Promise<void> {
    if (fallback.isActive()) await fallback.tryRecovery();
    await Promise.all([urgent.settled(), giveBacks.settled()]);
    // So that the sweep gives the reservations back.
    for (const state of states.active.values()) state.window = endReservation(state.window);
    sweep();
    await giveBacks.settled();
  }

  async function settled(): Promise<void> {
    await withDeadline(writeAll(), 2 * deadlineMs, undefined, startAlarm);
    sweepAlarm?.stop();
    sweepAlarm = undefined;
    fallback.stop();
    committer.abandon();
  }

  return {
    admit: (key, limit, cost = 1) => decider.admit(key, limit, cost),
    peek(key, limit) {
      const time = { now: now(), monotonic: monotonic() };
      const window = dropExpired(states.get(key).window, time.now, durations);
      return limitStateOf(window, fallback.quotaOf(key, limit, time), time.now, durations);
    },
    isOnFallback: fallback.isActive,
    settled,
    get size() {
      return states.active.size + states.size;
    },
  };
}
