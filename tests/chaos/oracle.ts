/**
 * Which answers are allowed, decided from the history of a run alone. It follows what `.github/docs/honesty.md`
 * promises and must stay independent of `src`.
 */
import {
  allSeedsDeniedAt,
  denialAt,
  type History,
  type Lie,
  lieAt,
  offsetsIn,
  type Question,
  type Run,
  runAt,
  type Shown,
  type Stretch,
  truthsOf,
} from "./history.ts";
import { CALM_TLDS, classOf, type Truth } from "./population.ts";

/** Time after which all processes know that one has found a registry or DNS lying, and answer no "available" from it. */
export const OTHER_PROCESS_LEARNS_MS = 3_000;
/**
 * The longest that a test can take: two questions, each with 15 s in the queue and 8 s for the answer. If the process
 * logs the result (`canary`), that time counts.
 */
export const TEST_ENDS_MS = 46_000;
/** A registry may start to lie unnoticed until its next test: `.github/docs/operate.md`, `probe_registries`. */
export const PROBING_INTERVAL_MS = 3_600_000;
/** The longest look-up: 15 s in DNS's queue, 2 s for DNS, 15 s in the registry's queue, 8 s for it, 14 s for its test. */
const LONGEST_LOOKUP_MS = 55_000;
/** Before its question to DNS a look-up may wait so long in the queue. */
const LONGEST_TURN_MS = 16_000;
/** A finding is stored 2 s after the last look-up of its label at the latest, by a commit of 1 s at most. */
const STORING_MS = 3_500;
/** After KV has hung, a process does not use it for so long: its findings then stay in its memory. */
const KV_PAUSE_MS = 6_000;
/** If the clocks of processes differ by more, `.github/docs/honesty.md` promises nothing about the order of their facts. */
export const SKEW_MS = 30_000;
/** How long facts are cached (`.github/docs/honesty.md`, "Cache lifetimes"). */
export const KEPT_MS = { available: 300_000, taken: 3_600_000, reserved: 86_400_000 } as const;

/** A row of an answer, the process that gave it, and the times of the request and of its arrival. */
export interface ChaosRow extends Stretch {
  domain: string;
  tld: string;
  available: boolean;
  status: readonly string[];
  premium: boolean;
  source: string;
  checkedAt: string;
  error?: string;
  run: Run;
}

/** Why a wrong answer is counted separately and is no violation. */
export type Window =
  /** The registry began to lie after its last test, and no test has seen that since. */
  | "a registry lies unnoticed until its next test"
  /** Another process has found a newer fact; this one still answers from its memory (`.github/docs/honesty.md`). */
  | "another process's memory"
  /** The look-up was in flight, or its answer being stored, when the newer fact was answered. */
  | "a look-up under way"
  /** The clocks of the processes that noted the facts differ by more than `SKEW_MS`. */
  | "clocks differ"
  /** By their clocks, the processes cannot say which was asked first: what is not available stays. */
  | "asked within the difference of clocks"
  /** KV is older than what was answered: processes learn it within three seconds, those that start know no better. */
  | "KV came back older"
  /** A process has reported that KV fails: its facts could not reach the others. */
  | "KV fails";

/** The oracle's judgement of a row. */
export type Judgement =
  | { kind: "allowed" }
  | { kind: "window"; window: Window; why: string }
  | { kind: "violation"; rule: Rule; why: string };

/** The rules. */
export type Rule =
  | "shape"
  | "wrongly available"
  | "available from a known liar"
  | "available while DNS denies everything"
  | "wrongly taken"
  | "wrongly reserved"
  | "wrong premium"
  | "older than its lifetime"
  | "older fact after a newer one";

/** The state that a row reports. */
export type RowState = "available" | "taken" | "reserved" | "unknown";

/** The oracle of one run. */
export interface Oracle {
  /** Records that a process was asked for a domain, whether or not it answered. */
  noteAsked(domain: string, run: Run, at: number): void;
  /** Judges a row; rows must come in order of arrival, once the history holds every earlier event. */
  judge(row: ChaosRow): Judgement;
}

/** The fact behind a row: when it may have been looked up, and by which clock. */
interface Fact extends Stretch {
  offsets: readonly number[];
  slot?: number;
}

interface Acknowledged {
  at: number;
  run: Run;
  state: RowState;
  /** The first moment in which it can have been true. */
  first: number;
  offsets: readonly number[];
  text: string;
}

const ALLOWED: Judgement = { kind: "allowed" };
const FREE: readonly Truth[] = ["free", "premium"];
const TAKEN: readonly Truth[] = ["delegated", "dark"];
const KEPT_BACK: readonly Truth[] = ["reserved", "withheld"];

/** The state that a row reports; undefined if its fields contradict each other. */
export function rowStateOf(row: ChaosRow): RowState | undefined {
  const status = row.status.join(",");
  if (status === "unknown") {
    const isUnknown = !row.available && !row.premium && row.error !== undefined &&
      !row.source.endsWith("+cache");
    return isUnknown ? "unknown" : undefined;
  }
  if (row.error !== undefined) return undefined;
  if (row.available) {
    const expected = row.premium ? "undelegated,inactive,premium" : "undelegated,inactive";
    return status === expected && row.source.startsWith("rdap") ? "available" : undefined;
  }
  if (row.premium) return undefined;
  if (status === "active" && row.source.startsWith("dns")) return "taken";
  if (!row.source.startsWith("rdap")) return undefined;
  if (status === "undelegated,active") return "taken";
  return status === "undelegated" ? "reserved" : undefined;
}

/** Creates the oracle over a history that may still grow. */
export function createOracle(history: History): Oracle {
  const asked = new Map<string, Map<Run, number[]>>();
  const acknowledged = new Map<string, Acknowledged[]>();

  function judge(row: ChaosRow): Judgement {
    const state = rowStateOf(row);
    if (state === undefined) return violation("shape", "its fields contradict each other");
    if (state === "unknown") return ALLOWED;
    const isKept = row.source.endsWith("+cache");
    const facts = isKept ? keptFacts(history, row, state) : [freshFact(history, row)];
    const judgement = mildest(facts.map((fact) => judgeFact(row, state, fact)));
    const worst = [
      isKept ? judgeAge(history, row, state, facts) : ALLOWED,
      judgeOrder(row, state, facts, isKept),
      judgement,
    ];
    acknowledge(row, state, facts);
    return worst.find(({ kind }) => kind === "violation") ??
      worst.find(({ kind }) => kind === "window") ?? ALLOWED;
  }

  function judgeFact(row: ChaosRow, state: RowState, fact: Fact): Judgement {
    const during = truthsOf(history, row.domain)
      .filter(({ from, to }) => from <= fact.to && to >= fact.from)
      .map(({ truth }) => truth);
    const isAny = (truths: readonly Truth[]) => during.some((truth) => truths.includes(truth));
    const what = `it was ${[...new Set(during)].join(", then ")}`;
    if (state === "taken") {
      const isTrue = row.source.startsWith("dns") ? during.includes("delegated") : isAny(TAKEN);
      return isTrue ? ALLOWED : violation("wrongly taken", what);
    }
    const said = questionsOf(history, row.domain, fact).map(({ answer }) => answer);
    const isRefused = said.includes("refused");
    if (state === "reserved") {
      return isAny(KEPT_BACK) || isRefused ? ALLOWED : violation("wrongly reserved", what);
    }
    if (isRefused && !said.includes("denied") && !said.includes("lied")) {
      return violation("wrongly available", `its registry refused it; ${what}`);
    }
    const words = judgeAvailable(history, row, fact, { isTrue: isAny(FREE), what });
    if (words.kind !== "allowed" || !isAny(FREE)) return words;
    const isPremiumTrue = during.includes(row.premium ? "premium" : "free");
    // A registry that lies shows no prices either.
    const isLie = liedOf(history, row.domain, fact).length > 0;
    return isPremiumTrue || isLie ? ALLOWED : violation("wrong premium", what);
  }

  /**
   * A fact that stopped being true before an acknowledged one can have become true is the older one. A fact whose look-up
   * began after that answer is not, even where a registry's lie made it wrong: `judgeFact()` decides on it.
   */
  function judgeOrder(
    row: ChaosRow,
    state: RowState,
    facts: readonly Fact[],
    isKept: boolean,
  ): Judgement {
    const before = acknowledged.get(row.domain);
    if (before === undefined) return ALLOWED;
    const earliest = Math.min(...facts.map(({ from }) => from));
    const last = Math.max(...facts.map((fact) => momentsOf(history, row.domain, state, fact).last));
    const newer = before.find((one) =>
      one.at < row.from && one.at > earliest && one.state !== state && last <= one.first
    );
    if (newer === undefined) return ALLOWED;
    const why = `${newer.text} was answered ${
      seconds(row.from - newer.at)
    } before it was asked for`;
    const offsets = [...facts.flatMap(({ offsets }) => offsets), ...newer.offsets];
    if (Math.max(...offsets) - Math.min(...offsets) > SKEW_MS) return inside("clocks differ", why);
    if (!isKept) return inside("a look-up under way", why);
    const isOlder = history.rollbacks.some(({ from, to }) =>
      from <= row.to && to >= newer.at - STORING_MS
    );
    if (isOlder) return inside("KV came back older", why);
    const apartMs = newer.at - Math.max(...facts.map(({ from }) => from));
    const isUnordered = apartMs <= 2 * SKEW_MS + LONGEST_LOOKUP_MS;
    if (state !== "available" && newer.state === "available" && isUnordered) {
      return inside("asked within the difference of clocks", why);
    }
    const { slot } = row.run;
    const own = (history.questions.get(row.domain) ?? []).filter((one) => one.slot === slot);
    const isStoring = own.some(({ at, endsAt }) =>
      at <= row.to && endsAt >= row.from - STORING_MS && at < newer.at
    );
    if (isStoring) return inside("a look-up under way", why);
    // The newer fact is answered before it is in KV, from where this process may have read.
    const isUnstored = row.from - newer.at < STORING_MS || newer.run.to < newer.at + STORING_MS;
    if (isUnstored) return inside("a look-up under way", why);
    const couldNotStore = history.kvFailures.some((one) =>
      one.slot === newer.run.slot && one.from <= newer.at + STORING_MS &&
      one.to >= newer.at - KV_PAUSE_MS
    );
    if (couldNotStore) return inside("KV fails", why);
    const mayRemember = newer.run !== row.run &&
      (asked.get(row.domain)?.get(row.run) ?? [])
        // The request came a little before the question to DNS.
        .some((at) => at >= earliest - LONGEST_LOOKUP_MS && at <= newer.at);
    if (mayRemember) return inside("another process's memory", why);
    return violation("older fact after a newer one", why);
  }

  function acknowledge(row: ChaosRow, state: RowState, facts: readonly Fact[]): void {
    // If the truth never changes, its facts have no order.
    if (!isChanging(row.domain)) return;
    const first = Math.min(
      ...facts.map((fact) => momentsOf(history, row.domain, state, fact).first),
    );
    if (!Number.isFinite(first)) return;
    const list = acknowledged.get(row.domain) ?? [];
    acknowledged.set(row.domain, list);
    // The same fact again adds nothing.
    if (list.some((one) => one.state === state && one.first >= first)) return;
    const offsets = facts.flatMap(({ offsets }) => offsets);
    const text = `"${state}" by process ${row.run.slot}.${row.run.run} (${row.source})`;
    list.push({ at: row.to, run: row.run, state, first, offsets, text });
  }

  return {
    noteAsked(domain, run, at) {
      if (!isChanging(domain)) return;
      const runs = asked.get(domain) ?? new Map<Run, number[]>();
      asked.set(domain, runs);
      runs.set(run, [...runs.get(run) ?? [], at]);
    },
    judge,
  };
}

function isChanging(domain: string): boolean {
  const kind = classOf(domain);
  return kind === "birth" || kind === "hot";
}

/** Looked up for this request, or for an earlier one that shared its look-up. */
function freshFact(history: History, row: ChaosRow): Fact {
  const earliest = Math.max(row.run.from, row.from - LONGEST_LOOKUP_MS);
  const own = (history.questions.get(row.domain) ?? [])
    .filter((one) => one.slot === row.run.slot && one.at >= earliest && one.at <= row.to);
  const from = Math.min(row.from, ...own.map(({ at }) => at));
  return {
    from,
    to: row.to,
    slot: row.run.slot,
    offsets: offsetsIn(row.run, { from, to: row.to }),
  };
}

/** `checkedAt` is the wall clock of some process: every look-up that can have written it is a candidate. */
function keptFacts(history: History, row: ChaosRow, state: RowState): Fact[] {
  const written = Date.parse(row.checkedAt) - history.origin;
  const questions = history.questions.get(row.domain) ?? [];
  const facts: Fact[] = [];
  for (const run of history.runs) {
    for (const offsetMs of new Set(run.offsets.map((one) => one.offsetMs))) {
      const at = written - offsetMs;
      // A clock may have been corrected between the question and the answer.
      const near = { from: at - LONGEST_LOOKUP_MS, to: at + LONGEST_LOOKUP_MS };
      if (!offsetsIn(run, { from: at - 500, to: at + 500 }).includes(offsetMs)) continue;
      if (at < run.from - 500 || at > run.to + 500 || at > row.to + 500) continue;
      const own = questions.filter((one) => one.slot === run.slot);
      const begun = own.filter((one) =>
        one.host === "dns" && one.at >= near.from && one.at <= at + LONGEST_TURN_MS
      );
      if (begun.length === 0) continue;
      const from = Math.min(...begun.map((one) => one.at));
      const ends = own.filter((one) => one.at >= from && one.at <= near.to).map((one) =>
        one.endsAt
      );
      const to = Math.min(row.to, Math.max(...ends));
      // Stored entries are compared by the clock at the end of the look-up.
      const later = offsetsIn(run, { from: at, to: to + STORING_MS });
      facts.push({ from, to, slot: run.slot, offsets: [offsetMs, ...later] });
    }
  }
  if (facts.length > 0) return facts;
  // Its look-up is not found: it may be as old as its lifetime allows.
  const all = history.runs.flatMap((run) => run.offsets.map(({ offsetMs }) => offsetMs));
  return [{ from: row.from - KEPT_MS[state as keyof typeof KEPT_MS], to: row.to, offsets: all }];
}

/** By the answering process's clock, a fact must not be older than its lifetime, nor dated in the future. */
function judgeAge(
  history: History,
  row: ChaosRow,
  state: RowState,
  facts: readonly Fact[],
): Judgement {
  if (state === "unknown") return ALLOWED;
  const written = Date.parse(row.checkedAt) - history.origin;
  const offsets = offsetsIn(row.run, { from: row.from - 3_000, to: row.to });
  const ages = offsets.flatMap((
    offset,
  ) => [row.from + offset - written, row.to + offset - written]);
  const longest = KEPT_MS[state] + LONGEST_LOOKUP_MS + 5_000;
  const isCurrent = ages.some((age) => age <= longest && age >= -SKEW_MS - 1_000);
  if (isCurrent) return ALLOWED;
  const why = `it is ${seconds(ages[0] ?? NaN)} old by the clock of its process`;
  // It is dated by the clock before the change, and expires by the clock after it.
  const hasJumped = facts.some((fact) => {
    const run = fact.slot === undefined ? undefined : runAt(history, fact.slot, fact.to);
    const offsets = run === undefined
      ? []
      : offsetsIn(run, { from: fact.from - 1_000, to: fact.to + STORING_MS });
    return Math.max(...offsets) - Math.min(...offsets) > SKEW_MS;
  });
  return hasJumped ? inside("clocks differ", why) : violation("older than its lifetime", why);
}

/** Whether "available" is allowed for a fact that was looked up within a stretch. */
function judgeAvailable(
  history: History,
  row: ChaosRow,
  fact: Fact,
  { isTrue, what }: { isTrue: boolean; what: string },
): Judgement {
  const lied = liedOf(history, row.domain, fact);
  const wasDenied = questionsOf(history, row.domain, fact).some(({ answer }) =>
    answer === "denied"
  );
  const blind = judgeBlindDns(history, row, fact);
  if (blind.kind !== "allowed" || (isTrue && (lied.length === 0 || wasDenied))) return blind;
  if (lied.length === 0) return violation("wrongly available", what);
  const isKept = row.source.endsWith("+cache");
  const judged = lied.map((question): Judgement => {
    const lie = lieAt(history, question.host, row.tld, question.at);
    if (lie === undefined) return violation("wrongly available", what);
    const rule = isTrue ? "available from a known liar" : "wrongly available";
    if (lie.always) return violation(rule, `${what}; ${question.host} has never passed a test`);
    const at = isKept ? row.from : question.at;
    const shown = knownBy(history, lie, { host: question.host, tld: row.tld, at });
    if (shown === undefined) {
      if (at - lie.from > PROBING_INTERVAL_MS + LONGEST_LOOKUP_MS) return violation(rule, what);
      const why = `${what}; no test was shown that ${question.host} lies`;
      return isTrue ? ALLOWED : inside("a registry lies unnoticed until its next test", why);
    }
    const why = `${what}; process ${shown.slot} was shown ${seconds(at - shown.at)} before ` +
      `that ${question.host} lies`;
    if (isKvFailing(history, { from: shown.at - KV_PAUSE_MS, to: row.to })) {
      return inside("KV fails", why);
    }
    const isForgotten = history.rollbacks.some(({ from, to, isStopped }) =>
      from >= shown.at && from <= row.to && (isStopped || row.from <= to + OTHER_PROCESS_LEARNS_MS)
    );
    if (isForgotten) return inside("KV came back older", why);
    if (isKept && doTestersClocksDiffer(history, row, fact, question)) {
      return inside("clocks differ", why);
    }
    return violation(rule, why);
  });
  return mildest(judged);
}

/** Once a process has seen DNS deny every name it tests with, no "available" may rest on DNS. */
function judgeBlindDns(history: History, row: ChaosRow, fact: Fact): Judgement {
  if (row.source.endsWith("+cache")) return ALLOWED;
  const questions = questionsOf(history, row.domain, fact).filter(({ host }) => host === "dns");
  const [first] = questions;
  if (first === undefined) return ALLOWED;
  const denial = denialAt(history, first.at);
  if (denial === undefined || denial.to < row.to) return ALLOWED;
  for (const run of history.runs) {
    const { slot } = run;
    const at = allSeedsDeniedAt(history, { slot, tld: row.tld, denial });
    if (at === undefined || runAt(history, slot, at) !== run) continue;
    const learnt = testEnd(history, { slot, tld: row.tld, at }) + OTHER_PROCESS_LEARNS_MS;
    if (learnt > first.at || run.endingAt < learnt) continue;
    // As with a registry's lie, a test that saw DNS healthy may end after the one that did not.
    const isOverruled = history.canaries.some((event) =>
      event.tld === row.tld && event.kind === "passed" && event.at > at &&
      event.at <= denial.from + TEST_ENDS_MS
    );
    if (isOverruled) continue;
    const why = `DNS has denied every name since ${seconds(first.at - denial.from)} before, and ` +
      `process ${run.slot} saw that ${seconds(first.at - at)} before`;
    if (isKvFailing(history, { from: at, to: at + TEST_ENDS_MS })) return inside("KV fails", why);
    return violation("available while DNS denies everything", why);
  }
  return ALLOWED;
}

/** The process that saw a lie early enough for all processes to know of it at a moment. */
function knownBy(
  history: History,
  lie: Lie,
  { host, tld, at }: { host: string; tld: string; at: number },
): Shown | undefined {
  const ofThis = history.canaries.filter((one) => one.tld === tld && one.host === host);
  return history.shown.find((one) => {
    if (one.tld !== tld || one.host !== host) return false;
    if (one.at < lie.from || one.at > lie.to) return false;
    const learnt = testEnd(history, one) + OTHER_PROCESS_LEARNS_MS;
    const endingAt = runAt(history, one.slot, one.at)?.endingAt ?? -Infinity;
    if (learnt > at || endingAt < learnt) return false;
    // A test that had asked before the lie began may end after the one that found it.
    const isOverruled = ofThis.some((event) =>
      event.kind === "passed" && event.at > one.at && event.at <= lie.from + TEST_ENDS_MS
    );
    return !isOverruled;
  });
}

/** When the test that saw a lie at `at` has its result; a pass comes from another test. */
function testEnd(
  history: History,
  { slot, tld, at }: Pick<Shown, "slot" | "tld" | "at">,
): number {
  const result = history.canaries.find((event) =>
    event.slot === slot && event.tld === tld && event.kind !== "passed" && event.at >= at &&
    event.at <= at + TEST_ENDS_MS
  );
  return result?.at ?? at + TEST_ENDS_MS;
}

/** Facts from a lie are dropped by comparing times that different processes wrote. */
function doTestersClocksDiffer(
  history: History,
  row: ChaosRow,
  fact: Fact,
  question: Question,
): boolean {
  const tests = history.canaries.filter((one) =>
    one.tld === row.tld && one.at >= question.at && one.at <= row.to
  );
  const offsets = [
    ...fact.offsets,
    ...tests.flatMap((test) => {
      const run = runAt(history, test.slot, test.at);
      return run === undefined ? [] : offsetsIn(run, { from: test.at - 1_000, to: test.at });
    }),
  ];
  return Math.max(...offsets) - Math.min(...offsets) > SKEW_MS;
}

function isKvFailing({ kvFailures }: History, { from, to }: Stretch): boolean {
  return kvFailures.some((one) => one.from <= to && one.to >= from);
}

function questionsOf(history: History, domain: string, fact: Fact): Question[] {
  return (history.questions.get(domain) ?? []).filter((one) =>
    one.at <= fact.to && one.endsAt >= fact.from &&
    (fact.slot === undefined || one.slot === fact.slot)
  );
}

function liedOf(history: History, domain: string, fact: Fact): Question[] {
  return questionsOf(history, domain, fact).filter(({ host, answer }) =>
    host !== "dns" && answer === "lied"
  );
}

/** The first and the last moment of a stretch in which a row's state was true. */
function momentsOf(
  history: History,
  domain: string,
  state: RowState,
  stretch: Stretch,
): { first: number; last: number } {
  const truths = state === "available" ? FREE : state === "taken" ? TAKEN : KEPT_BACK;
  const parts = truthsOf(history, domain)
    .filter(({ truth, from, to }) =>
      truths.includes(truth) && from <= stretch.to && to >= stretch.from
    );
  return {
    first: Math.max(stretch.from, Math.min(...parts.map(({ from }) => from))),
    last: Math.min(stretch.to, Math.max(...parts.map(({ to }) => to))),
  };
}

/** The mildest of several judgements of a row. */
function mildest(judgements: readonly Judgement[]): Judgement {
  return judgements.find(({ kind }) => kind === "allowed") ??
    judgements.find(({ kind }) => kind === "window") ?? judgements[0] ?? ALLOWED;
}

/** In which state of the clock a plain name was asked for while nothing was wrong with its registry, its DNS or its process. */
export function calmGroup(history: History, row: ChaosRow): string | undefined {
  const kind = classOf(row.domain);
  if (!CALM_TLDS.includes(row.tld)) return undefined;
  if (kind !== "free" && kind !== "taken" && kind !== "dark") return undefined;
  const { run } = row;
  if (row.from < run.readyAt + 1_000 || row.to > run.endingAt - 1_000) return undefined;
  if (history.denials.some(({ from, to }) => from <= row.to && to >= row.from - 60_000)) {
    return undefined;
  }
  if (history.busy.some(({ from, to }) => from <= row.to && to >= row.from)) return undefined;
  const offsets = run.offsets.filter(({ at }) => at <= row.to).map(({ offsetMs }) => offsetMs);
  const wasSetBack = offsets.some((offset, place) => offset < (offsets[place - 1] ?? offset));
  if (wasSetBack) return "clock set back";
  return (offsets.at(-1) ?? 0) > 0 ? "clock ahead" : "clock right";
}

function violation(rule: Rule, why: string): Judgement {
  return { kind: "violation", rule, why };
}

function inside(window: Window, why: string): Judgement {
  return { kind: "window", window, why };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
