/** What happened in a chaos run, in the order of one clock: ms of the runner's `performance.now()`. */
import { firstTruth, seedsOf, type Truth } from "./population.ts";

/** A stretch of time; `to` is Infinity while it lasts. */
export interface Stretch {
  from: number;
  to: number;
}

/** A question that the lab was asked. */
export interface Question {
  at: number;
  /** When the lab sent its answer, or was due to. */
  endsAt: number;
  slot: number;
  /** `dns`, or the registry's host. */
  host: string;
  /** In one word: delegated, none, lied, found, denied, refused, or the fault. */
  answer: string;
}

/** A registry that denies every name, registered or not. */
export interface Lie extends Stretch {
  host: string;
  /** Absent: under every TLD of the host. */
  tld?: string;
  /** Whether the host has lied since the run began, so that no test of it can have passed. */
  always?: boolean;
}

/** KV was replaced by an older copy of itself. */
export interface Rollback extends Stretch {
  /** Whether all processes were stopped meanwhile: no memory of later facts is left. */
  isStopped: boolean;
}

/** A service process from its start to its end, and the offsets of its wall clock, each with its start. */
export interface Run extends Stretch {
  slot: number;
  run: number;
  offsets: { at: number; offsetMs: number }[];
  /** When it listened. */
  readyAt: number;
  /** When it was sent its last signal; Infinity before. */
  endingAt: number;
}

/** A registry test ended in a process. */
export interface CanaryEvent {
  at: number;
  slot: number;
  tld: string;
  host: string;
  kind: string;
}

/** A process was shown that a registry or DNS lies: by the answer to a question of its test. */
export interface Shown {
  at: number;
  slot: number;
  tld: string;
  /** `dns`, or the registry's host. */
  host: string;
}

/** Any other event to print beside a violation. */
export interface Note {
  at: number;
  text: string;
}

/** Everything that the oracle reads. */
export interface History {
  /** ms since 1970 at 0 of this clock. */
  origin: number;
  truths: Map<string, { at: number; truth: Truth }[]>;
  questions: Map<string, Question[]>;
  lies: Lie[];
  /** While it lasts, DNS denies every name. */
  denials: Stretch[];
  runs: Run[];
  canaries: CanaryEvent[];
  shown: Shown[];
  rollbacks: Rollback[];
  /** While it lasts, the machine is so busy that answers are late. */
  busy: Stretch[];
  /** While it lasts, a process has reported that KV fails. */
  kvFailures: (Stretch & { slot: number })[];
  notes: Note[];
}

/** An empty history that begins now. */
export function createHistory(origin = performance.timeOrigin): History {
  return {
    origin,
    truths: new Map(),
    questions: new Map(),
    lies: [],
    denials: [],
    runs: [],
    canaries: [],
    shown: [],
    rollbacks: [],
    busy: [],
    kvFailures: [],
    notes: [],
  };
}

/** Records a question. */
export function noteQuestion(history: History, domain: string, question: Question): void {
  const before = history.questions.get(domain);
  if (before === undefined) history.questions.set(domain, [question]);
  else before.push(question);
}

/** Records that a name has changed. */
export function noteTruth(history: History, domain: string, at: number, truth: Truth): void {
  const before = history.truths.get(domain) ?? [{ at: -Infinity, truth: firstTruth(domain) }];
  history.truths.set(domain, [...before, { at, truth }]);
}

/** The truths of a name, each with its stretch, oldest first. */
export function truthsOf(history: History, domain: string): (Stretch & { truth: Truth })[] {
  const changes = history.truths.get(domain) ?? [{ at: -Infinity, truth: firstTruth(domain) }];
  return changes.map(({ at, truth }, place) => ({
    truth,
    from: at,
    to: changes[place + 1]?.at ?? Infinity,
  }));
}

/** What is true of a name at a moment. */
export function truthAt(history: History, domain: string, at: number): Truth {
  return truthsOf(history, domain).findLast(({ from }) => from <= at)?.truth ?? firstTruth(domain);
}

/** The run of a slot at a moment. */
export function runAt(history: History, slot: number, at: number): Run | undefined {
  return history.runs.findLast((run) => run.slot === slot && run.from <= at && at <= run.to);
}

/** By how much the wall clock of a run was off within a stretch: every value it had. */
export function offsetsIn(run: Run, { from, to }: Stretch): number[] {
  return run.offsets
    .map((one, place) => ({ ...one, until: run.offsets[place + 1]?.at ?? Infinity }))
    .filter(({ at, until }) => at <= to && until >= from)
    .map(({ offsetMs }) => offsetMs);
}

/** Whether the registry at `host` lies about a TLD at a moment, and since when. */
export function lieAt(history: History, host: string, tld: string, at: number): Lie | undefined {
  return history.lies.find((lie) =>
    lie.host === host && (lie.tld === undefined || lie.tld === tld) && lie.from <= at &&
    at <= lie.to
  );
}

/** Whether DNS denies everything at a moment, and since when. */
export function denialAt(history: History, at: number): Stretch | undefined {
  return history.denials.find(({ from, to }) => from <= at && at <= to);
}

/** When the last of a TLD's seeds was denied by DNS to a process within a denial; undefined where one was not. */
export function allSeedsDeniedAt(
  history: History,
  { slot, tld, denial }: { slot: number; tld: string; denial: Stretch },
): number | undefined {
  const denied = seedsOf(tld).map((seed) =>
    (history.questions.get(`${seed}.${tld}`) ?? []).find((question) =>
      question.host === "dns" && question.slot === slot && question.at >= denial.from &&
      question.at <= denial.to
    )?.at
  );
  return denied.includes(undefined) ? undefined : Math.max(...denied.map((at) => at ?? 0));
}
