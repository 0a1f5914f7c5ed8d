/** Rate limits: exact over all processes that share KV, and exact within this one while KV is out of reach. */
import { deadline } from "../flow/deadline.ts";
import type { Report } from "../flow/report.ts";
import {
  type Admission,
  admit,
  type Claim,
  merge,
  peek,
  type Standing,
  type Window,
  WINDOW_MS,
} from "../rules/window.ts";
import { createDebts } from "./debts.ts";
import { createPages, type WindowKv } from "./window_pages.ts";
import { LARGEST_COMMIT, openSession, type Session } from "./window_session.ts";

/** The windows of all subjects. */
export interface Windows {
  /** Decides on a claim of `cost` slots (1). Never rejects, and never takes much longer than KV's deadline. */
  admit(subject: string, limit: number, cost?: number): Promise<Admission>;
  /** How a subject stands as far as this process knows; takes nothing, asks nobody. */
  peek(subject: string, limit: number): Standing;
  /** Whether KV is out of reach, so that this process decides alone. */
  isAlone(): boolean;
  /** Settles once all claims are decided and, where KV takes it, all debts paid; KV may be closed then. */
  settled(): Promise<void>;
  /** How many subjects are remembered. */
  readonly size: number;
}

/** What windows need; all but the first three have defaults. */
export interface WindowsOptions {
  kv: WindowKv;
  now: () => number;
  report: Report;
  windowMs?: number;
  deadlineMs?: number;
  pauseMs?: number;
  maxSubjects?: number;
  random?: () => number;
}

/** A local commit takes under a millisecond and one across regions 100: whatever takes longer is a fault. */
const DEADLINE_MS = 250;
/** How long KV is left alone after a fault. */
const PAUSE_MS = 1_000;
/** Some 15 MB of addresses that come once; one that is forgotten is read again. */
const MAX_SUBJECTS = 50_000;

/** Creates the windows. Each change between sharing them and being alone is reported once. */
export function createWindows(options: WindowsOptions): Windows {
  const { kv, now, report, windowMs = WINDOW_MS, deadlineMs = DEADLINE_MS } = options;
  const { pauseMs = PAUSE_MS, maxSubjects = MAX_SUBJECTS, random = Math.random } = options;
  const pages = createPages(kv, { max: maxSubjects, windowMs });
  const debts = createDebts({ max: maxSubjects, windowMs });
  let session: Session | undefined = open();
  let decidedAlone = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt: Promise<void> | undefined;
  let paying = Promise.resolve();

  function open(): Session {
    return openSession(pages, debts, { deadlineMs, now, random, onFailure });
  }

  function known(subject: string, time: number): Window {
    const owed = merge(debts.of(subject, time), debts.common(subject, time));
    return merge(pages.of(subject, time).window, owed);
  }

  function decide(subject: string, limit: number, cost = 1): Promise<Admission> {
    const claim: Claim = { limit, cost, windowMs };
    if (session === undefined) return Promise.resolve(decideAlone(subject, claim));
    const time = now();
    const window = known(subject, time);
    // Others can only have taken more: what is refused by what is known is refused.
    if (peek(window, time, claim).remaining >= cost) return session.request(subject, claim);
    return Promise.resolve(admit(window, time, claim).admission);
  }

  function decideAlone(subject: string, claim: Claim): Admission {
    decidedAlone++;
    const time = now();
    const { admission } = admit(known(subject, time), time, claim);
    if (admission.kind === "admitted") {
      debts.owe(subject, { at: admission.at, count: claim.cost ?? 1 }, time);
      // Only a debt is worth a new attempt: a KV that reads and cannot write does not work.
      tryAgainLater();
    }
    return admission;
  }

  function onFailure(failed: Session, reason: string): void {
    const left = failed.end();
    if (session !== failed) return;
    session = undefined;
    decidedAlone = 0;
    debts.unpaid(now());
    report("limits.alone", { reason });
    // A commit may still be applied, so that these count twice: early refusals for a minute, never too many let in.
    for (const { subject, claim, decide } of left) decide(decideAlone(subject, claim));
    tryAgainLater();
  }

  function tryAgainLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void tryAgain();
    }, pauseMs);
  }

  /** One attempt at a time, or the second would take the place of a session in which claims wait already. */
  function tryAgain(): Promise<void> {
    return attempt ??= tryToPay().finally(() => attempt = undefined);
  }

  /** Nobody waits for the attempt: claims are decided alone until it has succeeded. */
  async function tryToPay(): Promise<void> {
    const subjects = debts.some(LARGEST_COMMIT, now());
    if (session !== undefined || subjects.length === 0) return;
    const trial = open();
    const paid = trial.pay(subjects).then(() => true, () => false);
    if (await deadline(paid, deadlineMs, false)) {
      session = trial;
      report("limits.shared", { decidedAlone });
      paying = payAll(trial);
    } else {
      trial.end();
      debts.unpaid(now());
      tryAgainLater();
    }
  }

  /** A few at a time, so that no claim has to wait behind the debts of an outage. */
  async function payAll(payer: Session): Promise<void> {
    // A session that a claim has brought to its end pays nothing any more, however often it is told to.
    while (session === payer) {
      const subjects = debts.some(LARGEST_COMMIT, now());
      if (subjects.length === 0) return;
      const paid = payer.pay(subjects).then(() => undefined, String);
      const failure = await deadline(paid, deadlineMs, `no answer within ${deadlineMs} ms`);
      if (failure !== undefined) return onFailure(payer, failure);
    }
  }

  async function settled(): Promise<void> {
    // An attempt is bounded by its own deadline; what a hanging KV never answers is not waited for.
    if (session === undefined) await tryAgain();
    await deadline(Promise.all([session?.settled(), paying]), 2 * deadlineMs, undefined);
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    admit: decide,
    peek(subject, limit) {
      const time = now();
      return peek(known(subject, time), time, { limit, windowMs });
    },
    isAlone: () => session === undefined,
    settled,
    get size() {
      return pages.size;
    },
  };
}
