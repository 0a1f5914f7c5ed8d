/**
 * Rate limits: at most `limit` slots of a subject in any 60 s, over all processes that share a KV, near or far.
 *
 *   claim ─► does it fit in, by what is known? ─no─► refused; KV is not asked (read beside it, once a second, where
 *                 │ yes                              other processes' slots are in the way: they may be given back)
 *                 ▼
 *            does the lease cover it? ─yes─► admitted; once half the lease or its time is used, a commit renews it beside
 *                 │ no
 *                 ▼
 *            waits for a commit ─landed─► decided by it
 *                 │       └──── conflict ─► read, commit again; after 1 s refused: contention is no fault
 *                 ▼
 *            KV errs, or answers a call not within 1 s ─► decided alone, until KV takes what was let in meanwhile
 *
 * KV holds `["rate", subject]` → stamps and counts. A slot counts for 60 s after its stamp. There are two kinds:
 * - taken: stamped with the time at which a caller was let in;
 * - held: a lease of one process, stamped with the time at which the lease ends. It may let callers in until then, so
 *   none of them counts for longer than the held slot does, whether the process lives, forgets it or is killed.
 * One commit, checked against the version it was made from, replaces the lease: what was taken since is written with its
 * own time, what is left is held anew. A renewal holds at least what was left, so that KV covers what is taken while it
 * is under way. A lease that no claim renews is given back when it ends, after a third of a window, and at a shutdown.
 * KV never holds less than was let in: slots of a commit whose outcome is unknown may count twice, never not at all.
 *
 * How much: nothing for a subject that is new; then at most as much as it has taken, an eighth of its limit, a quarter
 * of what is left. The last slots are never held, so that a low limit is exact for all processes. A caller over n
 * processes may be refused early by at most n - 1 leases (README says so); a caller of one process by none.
 *
 * Clocks: any two processes' wall clocks differ by at most a sixtieth of a window (1 s). What other processes wrote
 * counts for so much longer, own slots for 60 s exactly. Leases end by the monotonic clock: setting the wall clock does
 * not lengthen them.
 *
 * Alone, a process lets in its share of a limit (`processes`), and no more than is left as far as it knows.
 */
import { type Alarm, startAlarm } from "../flow/alarm.ts";
import { createDeadlines, type Timing } from "../flow/deadlines.ts";
import { createBatcher } from "../flow/batcher.ts";
import type { Report } from "../flow/report.ts";
import { WINDOW_MS } from "../rules/window.ts";
import { type Admission, lapse, type LimitState, standingOf, type Terms } from "./account.ts";
import { createAlone } from "./alone.ts";
import { createCommits } from "./commits.ts";
import { createDesk } from "./desk.ts";
import { LARGEST_COMMIT, type LedgerKv, openLedger } from "./ledger.ts";
import { createStates, isCovered } from "./states.ts";

/** The rate limits of all subjects. */
export interface RateLimiter {
  /** Decides on a claim of `cost` slots (1), all or none. Never rejects; waits for KV for little more than a second. */
  admit(subject: string, limit: number, cost?: number): Promise<Admission>;
  /** How a subject stands as far as this process knows; takes nothing, reads nothing. */
  peek(subject: string, limit: number): LimitState;
  /** Whether KV is out of reach, so that this process decides alone. */
  isAlone(): boolean;
  /** Gives back what is held; settles once all is decided and, where KV takes it, written: KV may be closed then. */
  settled(): Promise<void>;
  /** How many subjects are remembered. */
  readonly size: number;
}

/** What the limiter needs; all but the first three have defaults. */
export interface RateLimiterOptions extends Partial<Timing> {
  kv: LedgerKv;
  /** The wall clock, in ms since 1970. */
  now: () => number;
  report: Report;
  windowMs?: number;
  deadlineMs?: number;
  pauseMs?: number;
  maxSubjects?: number;
  random?: () => number;
  /** How many processes share KV, as far as is known (1). */
  processes?: () => number;
}

/** For a call of KV, and for a claim that contends with other processes: several round trips to another continent. */
const DEADLINE_MS = 1_000;
/** How long KV is left alone after a fault. */
const PAUSE_MS = 1_000;
/** Some 15 MB of addresses that come once; one that is forgotten is read again. */
const MAX_SUBJECTS = 50_000;
/** For a KV that is far away; a local one takes commits one by one anyway. */
const COMMITS_AT_ONCE = 32;
/** Where KV is far, claims do not wait for each other's commits, unless they are many. */
const PARTIAL_COMMITS_AT_ONCE = 16;
/** A commit of a KV on this machine is over by then: claims wait for it, to go together in the next. */
const NEAR_MS = 20;
/** No caller waits for slots that are given back. */
const GIVE_BACKS_AT_ONCE = 2;

/** Creates the limiter. Each change between sharing slots and deciding alone is reported once. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { kv, now, windowMs = WINDOW_MS, deadlineMs = DEADLINE_MS } = options;
  const { maxSubjects = MAX_SUBJECTS } = options;
  const timing: Timing = { monotonic: () => performance.now(), startAlarm, ...options };
  const terms: Terms = {
    windowMs,
    leaseMs: Math.ceil(windowMs / 3),
    skewMs: Math.ceil(windowMs / 60),
  };
  const states = createStates(maxSubjects);
  const shared = { random: Math.random, ...timing, now, terms, states, deadlineMs, maxSubjects };
  const commits = createCommits({
    ...shared,
    ...options,
    ledger: openLedger(kv, { keepMs: windowMs + 2 * terms.skewMs }),
    hasRoom: () => states.open.size < maxSubjects,
    onFault,
    onConflict: (state) => desk.refuseLate(state, timing.monotonic() - deadlineMs),
  });
  const alone = createAlone({
    processes: () => 1,
    pauseMs: PAUSE_MS,
    ...options,
    ...shared,
    commits,
    onShared: sweep,
  });
  const urgent = createBatcher(work, {
    size: LARGEST_COMMIT,
    atOnce: COMMITS_AT_ONCE,
    partialAtOnce: () => commits.leastMs < NEAR_MS ? 1 : PARTIAL_COMMITS_AT_ONCE,
  });
  const giveBacks = createBatcher(work, { size: LARGEST_COMMIT, atOnce: GIVE_BACKS_AT_ONCE });
  const desk = createDesk({
    ...shared,
    alone,
    commitSoon: (subject) => {
      urgent.add(subject);
      sweepAlarm ??= timing.startAlarm(sweep, terms.leaseMs / 4);
    },
    commitLater: giveBacks.add,
  });
  const ending = createDeadlines(2 * deadlineMs, timing);
  let sweepAlarm: Alarm | undefined;

  /** Never rejects. A subject of which a commit is under way has its turn after it. */
  async function work(subjects: readonly string[]): Promise<void> {
    const batch = subjects.map(states.of).filter(({ isBusy }) => !isBusy);
    if (alone.isNow() || batch.length === 0) return;
    await commits.settle(batch);
    batch.forEach(desk.serve);
  }

  function onFault(reason: string): void {
    commits.abandon();
    if (alone.isNow()) return;
    alone.begin(reason);
    desk.serveAlone();
  }

  /** Has written what was let in alone, and given back what was held and not asked for; now and then, while there is any. */
  function sweep(): void {
    sweepAlarm?.stop();
    sweepAlarm = undefined;
    if (states.open.size === 0) return;
    sweepAlarm = timing.startAlarm(sweep, terms.leaseMs / 4);
    if (alone.isNow()) return;
    const time = timing.monotonic();
    for (const state of states.open.values()) {
      if (!state.isBusy && !isCovered(state, time)) giveBacks.add(state.subject);
    }
  }

  async function writeAll(): Promise<void> {
    if (alone.isNow()) await alone.tryAgain();
    await Promise.all([urgent.settled(), giveBacks.settled()]);
    states.endLeases();
    sweep();
    await giveBacks.settled();
  }

  async function settled(): Promise<void> {
    await ending.withFallback(writeAll(), undefined);
    sweepAlarm?.stop();
    sweepAlarm = undefined;
    alone.stop();
    ending.stop();
    commits.stop();
  }

  return {
    admit: (subject, limit, cost = 1) => desk.admit(subject, limit, cost),
    peek(subject, limit) {
      const time = now();
      const account = lapse(states.of(subject).account, time, terms);
      return standingOf(account, limit - alone.withheldFrom(subject, time), time, terms);
    },
    isAlone: alone.isNow,
    settled,
    get size() {
      return states.open.size + states.size;
    },
  };
}
