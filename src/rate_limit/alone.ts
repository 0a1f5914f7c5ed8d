/** The time in which KV is out of reach: this process decides alone, and writes what it let in once KV is back. */
import type { Alarm } from "../flow/alarm.ts";
import type { Timing } from "../flow/deadlines.ts";
import type { Report } from "../flow/report.ts";
import { countOf } from "../rules/window.ts";
import { type Admission, type Claim, refuse, spend, takenOf, type Terms } from "./account.ts";
import type { Commits } from "./commits.ts";
import { createCrowd } from "./crowd.ts";
import { LARGEST_COMMIT } from "./ledger.ts";
import type { States, SubjectState } from "./states.ts";

/** What deciding alone needs. */
export interface AloneOptions extends Pick<Timing, "startAlarm"> {
  states: States;
  commits: Commits;
  terms: Terms;
  report: Report;
  /** How long KV is left alone after a fault. */
  pauseMs: number;
  /** How many subjects are remembered one by one. */
  maxSubjects: number;
  /** How many processes share KV, as far as is known. */
  processes: () => number;
  /** Called when KV takes what was let in alone. */
  onShared: () => void;
}

/** Decisions without KV. */
export interface Alone {
  isNow(): boolean;
  /** From now on; reported once. */
  begin(reason: string): void;
  /** Decides on a claim for which there seems to be room. */
  decide(state: SubjectState, claim: Claim, now: number): Admission;
  /** How many slots of a subject are taken that are in no account. */
  withheldFrom(subject: string, now: number): number;
  /** Notes that a decision was made without KV, for the report. */
  noteDecision(): void;
  /** Sees whether KV is back; one attempt at a time. */
  tryAgain(): Promise<void>;
  stop(): void;
}

/** Creates them; KV is not out of reach. */
export function createAlone(options: AloneOptions): Alone {
  const { states, commits, terms, report, pauseMs, maxSubjects, processes, onShared } = options;
  const crowd = createCrowd(terms.windowMs);
  let isAlone = false;
  let decisions = 0;
  let trial: Promise<void> | undefined;
  let alarm: Alarm | undefined;

  /** A process lets in its share of the limit, and no more than is left as far as it knows. */
  function decide(state: SubjectState, { limit, cost }: Claim, now: number): Admission {
    const { account, subject } = state;
    const share = Math.ceil(limit / Math.max(1, processes()));
    const claim = { limit: Math.min(limit, share + countOf(account.theirs)), cost };
    if (takenOf(account) + cost > claim.limit) return refuse(account, claim, now, terms);
    const { after, admission } = spend(account, claim, now, terms);
    if (states.open.size < maxSubjects || states.open.has(subject)) {
      state.account = after;
      states.keep(state);
    } else if (admission.kind === "admitted") {
      crowd.add(subject, { at: admission.at, count: cost });
    }
    tryLater();
    return admission;
  }

  function tryLater(): void {
    alarm ??= options.startAlarm(() => {
      alarm = undefined;
      void tryAgain();
    }, pauseMs);
  }

  function tryAgain(): Promise<void> {
    return trial ??= tryToWrite().finally(() => trial = undefined);
  }

  /** No claim waits for it. Only slots to be written are worth it: a KV that reads and cannot write does not work. */
  async function tryToWrite(): Promise<void> {
    const owing = states.open.values().filter(({ account }) => account.unwritten.length > 0)
      .take(LARGEST_COMMIT).toArray();
    if (!isAlone || owing.length === 0) return;
    if (!await commits.settle(owing)) return tryLater();
    isAlone = false;
    report("limits.shared", { decidedAlone: decisions });
    owing.forEach(states.keep);
    onShared();
  }

  return {
    isNow: () => isAlone,
    begin(reason) {
      isAlone = true;
      decisions = 0;
      report("limits.alone", { reason });
      tryLater();
    },
    decide,
    withheldFrom: crowd.count,
    noteDecision: () => void decisions++,
    tryAgain,
    stop() {
      alarm?.stop();
      alarm = undefined;
    },
  };
}
