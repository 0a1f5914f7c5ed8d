import { assert, assertEquals } from "@std/assert";
import {
  createRateLimiter,
  type Decision,
  type RateLimiter,
} from "../../src/rate_limit/limiter.ts";
import { createRandom } from "../support/random.ts";
import { createVirtualTime, type VirtualTime } from "./virtual_time.ts";

/*
 * Processes on one KV in virtual time, in random interleavings: delays, lost and doubled commits, locks, outages of KV for
 * one process or all, kills, restarts, processes that stand still for a while, clocks up to a second apart that are set
 * back, and forgotten keys. What must hold:
 * 1. Of what was admitted with KV, at most the limit counts in any 60 s, whatever happens.
 * 2. Each process admits at most the limit in any 60 s, with and without KV.
 * 3. What was admitted without KV counts for all processes once it has been written.
 * 4. KV holds at least what was admitted and still counts, and after an orderly end no reservation.
 * 5. Every claim is decided, in seconds, and without KV only if KV fails.
 * 6. A claim of a lone process is refused only if it does not fit; `remaining` and `resetAt` are right.
 */

const START = 1_700_000_000_000;
const WINDOW_MS = 60_000;
const SKEW_MS = 1_000;
const RESERVATION_MS = 20_000;
/** So late after KV is back, a process has written what it admitted without it. */
const FLUSH_MS = 6_000;
/** A claim waits for a commit that is under way, and for its own; each KV call may take the deadline twice. */
const LONGEST_WAIT_MS = 5_000;
/** From this on, two trips and their variation may take the deadline. */
const LONG_TRIP_MS = 200;
const MANY_KEYS = 50_000;

/** Random schedules; more on demand: `MODEL_RUNS=20000 deno test …`. */
const RUNS = Number(Deno.env.get("MODEL_RUNS") ?? 100);
const FIRST_SEED = Number(Deno.env.get("MODEL_FIRST_SEED") ?? 1);

/** What becomes of a KV call, and how long its parts take. */
interface Fate {
  /** Before each time that it is applied. */
  readonly appliedAfter: readonly number[];
  /** After that; none: never. */
  readonly answeredAfter?: number;
  readonly error?: string;
}

type Options = Parameters<typeof createRateLimiter>[0];
type Schedule = ReturnType<typeof scheduleOf>;

function scheduleOf(seed: number, random: () => number) {
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const runMs = pick(90_000, 150_000, 220_000);
  const limit = pick(1, 2, 3, 5, 8, 12, 20, 40, 60);
  // When KV is out of reach, for all processes or one, in ms since the start.
  const outages = Array.from({ length: pick(0, 0, 0, 1, 1, 2) }, () => {
    const from = random() * runMs * 0.7;
    const until = from + 500 + random() * pick(1_000, 10_000, 40_000);
    const how = pick(...["hangs", "errs", "lost"] as const);
    return { from, until, place: pick(undefined, undefined, 0, 1), how };
  });
  return {
    seed,
    processes: pick(1, 2, 3, 3, 3, 3),
    limit,
    keys: pick(1, 1, 2, 4),
    maxCost: pick(1, 1, 3, 8),
    /** Claims or bursts a second, of all. */
    rate: Math.max(0.2, pick(0.4, 0.8, 1.5, 5) * limit / 60),
    tripMs: pick(0, 1, 3, 40, 94, 150, 400),
    /** Of the calls, besides outages. */
    faults: pick(0, 0, 0.01, 0.15),
    outages,
    kills: pick(0, 0, 1, 4),
    restarts: pick(0, 0, 1, 2),
    freezes: pick(0, 0, 0, 2),
    /** How far all clocks are set back at one time, or each by itself within the allowed difference. */
    setBackMs: pick(0, 0, 0, 0, 700, 5_000, 45_000, 75_000, 3_600_000),
    maxKeys: pick(MANY_KEYS, MANY_KEYS, MANY_KEYS, 4),
    runMs,
    isSticky: pick(true, false, false),
  };
}

/** A process, from its start to its end. */
interface Process {
  readonly place: number;
  readonly limiter: RateLimiter;
  /** How far its clock is ahead of the true one. */
  aheadMs: number;
  /** By how much its monotonic clock has stood still. */
  stoodStillMs: number;
  frozenUntil: number;
  isKilled: boolean;
  isEnding: boolean;
  /** Each change between KV and deciding alone. */
  readonly changes: { readonly at: number; readonly isAlone: boolean }[];
  faultAt: number;
}

/** A decision, by the true clock in ms since the start. */
interface Made {
  readonly process: Process;
  readonly key: string;
  readonly cost: number;
  readonly asked: number;
  readonly decided: number;
  /** When an admitted claim counts from. */
  readonly at: number;
  readonly decision: Decision;
  readonly isAlone: boolean;
}

/** How a process reaches KV. What one that is killed has asked for may still be applied. */
interface Way {
  fate(call: "read" | "commit"): Fate;
  /** Settles once the process takes an answer, if ever. */
  taken(): Promise<void>;
}

/** An empty KV. */
function createKv(time: VirtualTime) {
  const data = new Map<string, { value: unknown; version: string }>();
  let versions = 0;

  async function call<T>(
    { appliedAfter, answeredAfter, error }: Fate,
    taken: Way["taken"],
    apply: () => T,
  ): Promise<T> {
    let result: T | undefined;
    for (const ms of appliedAfter) {
      await time.pass(ms);
      result = apply();
    }
    if (answeredAfter === undefined) return await new Promise<never>(() => {});
    await time.pass(answeredAfter);
    await taken();
    if (error !== undefined) throw new TypeError(error);
    return result as T;
  }

  function commit(checks: readonly Deno.AtomicCheck[], sets: readonly [Deno.KvKey, unknown][]) {
    const holds = checks.every(({ key, versionstamp }) =>
      (data.get(String(key[1]))?.version ?? null) === versionstamp
    );
    if (!holds) return { ok: false };
    const version = `${++versions}`;
    for (const [key, value] of sets) data.set(String(key[1]), { value, version });
    return { ok: true, versionstamp: version };
  }

  return {
    data,
    reach({ fate, taken }: Way): Options["kv"] {
      return {
        getMany: (keys: readonly Deno.KvKey[]) =>
          call(fate("read"), taken, () =>
            keys.map((key) => {
              const { value = null, version = null } = data.get(String(key[1])) ?? {};
              return { key, value, versionstamp: version };
            })),
        atomic() {
          const checks: Deno.AtomicCheck[] = [];
          const sets: [Deno.KvKey, unknown][] = [];
          const operation = {
            check: (check: Deno.AtomicCheck) => (checks.push(check), operation),
            set: (key: Deno.KvKey, value: unknown) => (sets.push([key, value]), operation),
            commit: () => call(fate("commit"), taken, () => commit(checks, sets)),
          };
          return operation;
        },
      } as unknown as Options["kv"];
    },
  };
}

/** Runs a schedule; gives what was decided, and what is in KV at the end. */
async function run(schedule: Schedule, random: () => number) {
  const { limit, runMs, tripMs } = schedule;
  const time = createVirtualTime();
  const kv = createKv(time);
  const made: Made[] = [];
  const pick = (most: number) => Math.floor(random() * most);
  const failures: unknown[] = [];
  let waiting = 0;
  let setBackMs = 0;

  function fateOf(process: Process): Fate {
    const half = () => tripMs / 2 * (0.6 + random() * 0.8) * (random() < 0.03 ? 4 : 1);
    const outage = schedule.outages.find(({ from, until, place = process.place }) =>
      time.now >= from && time.now < until && place === process.place
    );
    const works = { appliedAfter: [half()], answeredAfter: half() };
    if (outage === undefined && random() >= schedule.faults) return works;
    process.faultAt = time.now;
    const fates = {
      "hangs": (): Fate => ({ appliedAfter: [] }),
      "errs": () => ({ appliedAfter: [], answeredAfter: half(), error: "disk I/O error" }),
      "lost": () => ({ appliedAfter: [half()] }),
      "resent": () => ({ appliedAfter: [half(), half()], answeredAfter: half() }),
      "late": () => ({ appliedAfter: [random() * 8_000], answeredAfter: half() }),
      "locked": () => ({ appliedAfter: [], answeredAfter: half(), error: "database is locked" }),
      "errs applied": () => ({ ...works, error: "connection reset" }),
    };
    const kinds = Object.values(fates);
    const fate = outage === undefined ? kinds[pick(kinds.length)]! : fates[outage.how];
    return fate();
  }

  function startOne(place: number): Process {
    /** Does it once the process is not killed and does not stand still. */
    const whenRunning = (act: () => void): void => {
      if (process.isKilled) return;
      if (process.frozenUntil <= time.now) return act();
      time.startAlarm(() => whenRunning(act), process.frozenUntil - time.now);
    };
    const process: Process = {
      place,
      aheadMs: pick(SKEW_MS + 1),
      stoodStillMs: 0,
      frozenUntil: -Infinity,
      isKilled: false,
      isEnding: false,
      changes: [],
      faultAt: -Infinity,
      limiter: createRateLimiter({
        kv: kv.reach({
          fate: () => fateOf(process),
          taken: () => new Promise((resolve) => whenRunning(resolve)),
        }),
        now: () => clockOf(process),
        monotonic: () => time.now - process.stoodStillMs,
        startAlarm: (ring, ms) => time.startAlarm(() => whenRunning(ring), ms),
        random,
        maxKeys: schedule.maxKeys,
        report: (event) =>
          void process.changes.push({ at: time.now, isAlone: event === "limits.alone" }),
      }),
    };
    return process;
  }

  const clockOf = ({ aheadMs }: Process) => START + Math.floor(time.now) + aheadMs - setBackMs;

  async function ask(process: Process, key: string, cost: number): Promise<void> {
    const asked = time.now;
    const askedClock = clockOf(process);
    waiting++;
    const answer = process.limiter.admit(key, limit, cost);
    const decision = answer instanceof Promise ? await answer : answer;
    waiting--;
    const decided = time.now;
    const isSlow = schedule.freezes === 0 && decided - asked > LONGEST_WAIT_MS;
    assert(!isSlow, `waited ${decided - asked} ms`);
    const isAlone = process.limiter.isOnFallback();
    made.push({ process, key, cost, asked, decided, at: admittedAt(), decision, isAlone });

    /** By the clock before or after it was set back, where that was meanwhile. */
    function admittedAt(): number {
      if (decision.kind === "refused") return decided;
      const isBefore = decision.at > clockOf(process);
      const at = decision.at + Math.floor(isBefore ? asked : decided) -
        (isBefore ? askedClock : clockOf(process));
      assert(at >= Math.floor(asked) && at <= decided, `from ${at}, not ${asked} to ${decided}`);
      return at;
    }
  }

  const current = Array.from({ length: schedule.processes }, (_, n) => startOne(n));
  const ended: Process[] = [];

  function askNext(): void {
    if (time.now > runMs) return;
    const key = pick(schedule.keys);
    const isSticky = schedule.isSticky || random() < 0.5;
    const sticky = schedule.isSticky ? key % current.length : pick(current.length);
    for (let left = random() < 0.2 ? 1 + pick(Math.min(12, 2 * limit)) : 1; left > 0; left--) {
      const place = isSticky ? sticky : pick(current.length);
      const cost = random() < 0.7 ? 1 : 1 + pick(schedule.maxCost);
      const process = current[place]!;
      if (process.frozenUntil > time.now) continue;
      ask(process, `k${key}`, cost).catch((error) => failures.push(error));
    }
    const pauseMs = random() < 0.01 ? random() * 40_000 : 0;
    time.startAlarm(askNext, pauseMs - Math.log(1 - random()) * 1_000 / schedule.rate);
  }

  function replaceOne(end: (old: Process) => void): void {
    const place = pick(current.length);
    const old = current[place]!;
    end(old);
    ended.push(old);
    current[place] = startOne(place);
  }

  const kill = () => replaceOne((old) => old.isKilled = true);

  const restart = () =>
    replaceOne((old) => {
      old.isEnding = true;
      void old.limiter.settled();
    });

  function freeze(): void {
    const process = current[pick(current.length)]!;
    const forMs = Math.min(random() * 40_000, runMs - time.now);
    process.frozenUntil = time.now + forMs;
    // As a machine that is suspended.
    if (random() < 0.5) process.stoodStillMs += forMs;
  }

  function setBack(): void {
    if (schedule.setBackMs > SKEW_MS) setBackMs = schedule.setBackMs;
    else for (const one of current) one.aheadMs = Math.max(0, one.aheadMs - schedule.setBackMs);
    if (schedule.kills > 0) time.startAlarm(kill, random() * RESERVATION_MS);
  }

  const sometimes = (count: number, act: () => void) => {
    for (let n = 0; n < count; n++) time.startAlarm(act, random() * runMs);
  };
  askNext();
  sometimes(schedule.kills, kill);
  sometimes(schedule.restarts, restart);
  sometimes(schedule.freezes, freeze);
  sometimes(schedule.setBackMs > 0 ? 1 : 0, setBack);
  await time.runUntil(runMs + FLUSH_MS);
  for (const { limiter } of current) void limiter.settled();
  await time.runUntil(runMs + 2 * FLUSH_MS);
  if (failures.length > 0) throw failures[0];
  const admitted = made.filter(({ decision: { kind } }) => kind === "admitted")
    .toSorted((a, b) => a.at - b.at);
  return { made, admitted, kv, waiting, processes: [...ended, ...current], end: time.now };
}

/** Runs so many schedules, each as it is drawn by its seed and then changed. */
async function* runs(count: number, change: (drawn: Schedule) => Partial<Schedule> = () => ({})) {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
    const random = createRandom(seed).next;
    const drawn = scheduleOf(seed, random);
    const schedule = { ...drawn, ...change(drawn) };
    const what = JSON.stringify(schedule);
    const outcome = await run(schedule, random).catch((error) => {
      throw new Error(`${error}: ${what}`, { cause: error });
    });
    yield { schedule, what, ...outcome };
  }
}

const costOf = (claims: readonly Made[]) => claims.reduce((sum, { cost }) => sum + cost, 0);

/** Of the rules above, 1 to 3. */
function violations({ limit, maxKeys }: Schedule, admitted: readonly Made[]): string[] {
  const found: string[] = [];
  admitted.forEach((last, n) => {
    const window = admitted.slice(0, n + 1)
      .filter(({ key, at }) => key === last.key && at > last.at - WINDOW_MS);
    const check = (what: string, counts: (one: Made) => boolean) => {
      const sum = costOf(window.filter(counts));
      if (sum > limit) found.push(`${sum} ${what} until ${last.at} of ${last.key}`);
    };
    if (!last.isAlone) check("with KV", ({ isAlone }) => !isAlone);
    // A process may forget what it admitted without KV where it has more keys than it remembers.
    if (maxKeys < MANY_KEYS) return;
    check("by one process", ({ process }) => process === last.process);
    if (last.isAlone) return;
    // What is admitted at once is so by a reservation: one from before KV was back may still run.
    const marginMs = FLUSH_MS + (last.decided > last.asked ? 0 : RESERVATION_MS);
    const isCounted = (one: Made) => !one.isAlone || isWritten(one, last.asked - marginMs);
    check("after an outage", (one) => one.process === last.process || isCounted(one));
  });
  return found;
}

/** Whether what was admitted without KV has been written, as KV was back before that time and undisturbed since. */
function isWritten({ process, decided }: Made, before: number): boolean {
  const back = process.changes.find(({ at, isAlone }) => at >= decided && !isAlone)?.at;
  return back !== undefined && back <= before && process.changes.at(-1)?.at === back &&
    process.faultAt < back && process.frozenUntil < back && !process.isKilled && !process.isEnding;
}

function windowOf(value: unknown): { at: number; count: number }[] {
  const numbers = value instanceof Float64Array ? value : new Float64Array();
  return Array.from({ length: numbers.length / 2 }, (_, n) => (
    { at: numbers[2 * n]!, count: numbers[2 * n + 1]! }
  ));
}

Deno.test("limiters keep the limit in any 60 s in random interleavings of delays, faults, outages, kills and clocks", async () => {
  const counts = { admitted: 0, refused: 0, alone: 0 };
  for await (const { schedule, what, made, admitted, kv, processes, waiting, end } of runs(RUNS)) {
    const { faults, outages, tripMs, freezes, setBackMs, maxKeys } = schedule;
    assertEquals(violations(schedule, admitted), [], what);
    const isKilled = processes.some(({ isKilled }) => isKilled);
    if (!isKilled) assertEquals(waiting, 0, `claims wait for ever: ${what}`);
    const isFaultless = faults === 0 && outages.length === 0 && tripMs < LONG_TRIP_MS &&
      freezes === 0;
    assert(!isFaultless || made.every(({ isAlone }) => !isAlone), `decided without KV: ${what}`);
    for (const [key, { value }] of kv.data) {
      const window = windowOf(value);
      const held = window.filter(({ at }) => at + WINDOW_MS > START + end)
        .reduce((sum, { count }) => sum + count, 0);
      const counting = costOf(
        admitted.filter((one) =>
          one.key === key && one.at + WINDOW_MS > end + SKEW_MS &&
          (!one.isAlone || maxKeys === MANY_KEYS && isWritten(one, end - FLUSH_MS))
        ),
      );
      if (setBackMs < SKEW_MS) assert(held >= counting, `KV holds ${held} of ${counting}: ${what}`);
      const isOrderly = isFaultless && !isKilled && setBackMs === 0 && maxKeys === MANY_KEYS;
      const isGivenBack = window.every(({ at }) => Number.isInteger(at));
      assert(!isOrderly || isGivenBack, `a reservation of ${key} was not given back: ${what}`);
    }
    for (const { decision: { kind }, isAlone } of made) {
      counts[kind]++;
      if (isAlone) counts.alone++;
    }
  }
  const { admitted, refused, alone } = counts;
  assert(admitted > 10 * RUNS && refused > 10 * RUNS && alone > RUNS, JSON.stringify(counts));
});

/** Nothing that a limiter has to bear but delays. */
const UNDISTURBED = {
  faults: 0,
  outages: [],
  kills: 0,
  restarts: 0,
  freezes: 0,
  setBackMs: 0,
  maxKeys: MANY_KEYS,
};

Deno.test("a lone limiter refuses only what does not fit, and reports how many slots are left and when the next one expires", async () => {
  const changed = ({ seed }: Schedule) => (
    { processes: 1, tripMs: [0, 1, 40, 150][seed % 4]!, ...UNDISTURBED }
  );
  for await (const { schedule: { limit }, what, made, admitted } of runs(RUNS / 4, changed)) {
    for (const { process, key, cost, at, asked, decided, decision } of made) {
      const taken = admitted.filter((one) => one.key === key);
      const countOf = (from: number, to: number) =>
        costOf(taken.filter((one) => one.at + WINDOW_MS > from && one.at <= to));
      if (decision.kind === "refused") {
        assert(countOf(asked, decided) + cost > limit, `refused early at ${asked}: ${what}`);
        continue;
      }
      // Between what was taken before and what had been taken once it was decided.
      const most = limit - countOf(at, at - 1) - cost;
      const least = limit - countOf(at, decided);
      const { remaining, resetAt } = decision;
      assert(remaining >= least && remaining <= most, `${remaining} remain at ${at}: ${what}`);
      const oldest = Math.min(...taken.map((one) => one.at).filter((one) => one + WINDOW_MS > at));
      assertEquals(resetAt, START + oldest + process.aheadMs + WINDOW_MS, `at ${at}: ${what}`);
    }
  }
});

Deno.test("limiters refuse a client early by at most what the others have in reserve: an eighth of a limit, and none of the last three slots", async () => {
  const changed = ({ seed, tripMs }: Schedule) => ({
    processes: 2 + seed % 2,
    limit: [1, 2, 3, 8, 20, 60][seed % 6]!,
    maxCost: 1,
    tripMs: Math.min(tripMs, 94),
    ...UNDISTURBED,
    isSticky: false,
  });
  for await (const { schedule, what, made, admitted } of runs(RUNS, changed)) {
    const { limit, processes } = schedule;
    const reserve = limit > 3 ? (processes - 1) * Math.ceil(limit / 8) : 0;
    for (const { key, cost, asked, decided, decision } of made) {
      // Contention that outlasts the deadline is refused, too.
      if (decision.kind === "admitted" || decided - asked >= 1_000) continue;
      // Others' slots count for as long as clocks may differ, and are looked at once a second.
      const since = asked - WINDOW_MS - 2 * SKEW_MS - 2_000;
      const counts = (one: Made) => one.key === key && one.at > since && one.at <= decided;
      const taken = costOf(admitted.filter(counts));
      assert(taken + cost > limit - reserve, `refused beside ${taken} at ${asked}: ${what}`);
    }
  }
});

const WORKS: Fate = { appliedAfter: [1], answeredAfter: 1 };
const HANGS: Fate = { appliedAfter: [] };
const ERRS: Fate = { appliedAfter: [], answeredAfter: 60, error: "connection reset" };
const LOCKED: Fate = { appliedAfter: [], answeredAfter: 1, error: "database is locked" };
/** Later than the deadline. */
const LATE: Fate = { appliedAfter: [1_500], answeredAfter: 1_500 };

/** Limiters on one KV; what becomes of the calls of the first is said one by one, and else they work. */
function startTwo(options: Partial<Options> = {}) {
  const time = createVirtualTime();
  const kv = createKv(time);
  const fates: Fate[] = [];
  const events: string[] = [];
  const decided: string[] = [];
  /** Of the first. */
  const calls = { read: 0, commit: 0 };
  let setBackMs = 0;
  const start = (fate: Way["fate"]) =>
    createRateLimiter({
      kv: kv.reach({ fate, taken: () => Promise.resolve() }),
      now: () => START + Math.floor(time.now) - setBackMs,
      monotonic: () => time.now,
      startAlarm: time.startAlarm,
      report: (event, { reason } = {}) => void events.push(`${event}, ${typeof reason}`),
      ...options,
    });
  const one = start((call) => (calls[call]++, fates.shift() ?? WORKS));
  const other = start(() => WORKS);
  return {
    data: kv.data,
    /** Each with the type of its reason. */
    events,
    calls,
    one,
    other,
    /** Of the next calls of the first. */
    fates,
    setBack: (ms: number) => setBackMs = ms,
    until: time.runUntil,
    /** Ends both, and lets time go on to that moment, when nothing may be left to do. */
    async end(at: number): Promise<void> {
      for (const limiter of [one, other]) void limiter.settled();
      await time.runUntil(at);
    },
    /** Claims a slot; its key and the decision come to `decided`. */
    async ask(limiter: RateLimiter, key = "a"): Promise<void> {
      const { kind } = await limiter.admit(key, 40);
      decided.push(`${key} ${kind}`);
    },
    decided,
    /** Claims one after the other, and returns how many slots were admitted within a second. */
    async take(limiter: RateLimiter, count: number, cost = 1): Promise<number> {
      let admitted = 0;
      const claimAll = async () => {
        for (let n = 0; n < count; n++) {
          if ((await limiter.admit("a", 40, cost)).kind === "admitted") admitted += cost;
        }
      };
      void claimAll();
      await time.runUntil(time.now + 1_000);
      return admitted;
    },
    /** Claims a slot of each key at once, and returns how many were admitted. */
    async takeAll(limiter: RateLimiter, keys: readonly string[], limit = 40): Promise<number> {
      const made = Promise.all(keys.map((key) => limiter.admit(key, limit)));
      await time.runUntil(time.now + 4_000);
      return (await made).filter(({ kind }) => kind === "admitted").length;
    },
  };
}

const times = (count: number, key = "a") => Array<string>(count).fill(key);

Deno.test("limiter.admit() decides all waiting claims of all keys in shared commits", async () => {
  const { one, calls, takeAll } = startTwo();
  const keys = Array.from({ length: 30 }, (_, n) => times(5, `10.0.0.${n}`)).flat();
  assertEquals([await takeAll(one, keys, 4), calls], [120, { read: 0, commit: 3 }]);
});

Deno.test("limiter.admit() gathers the claims of a burst while a commit is under way, of a KV that is near", async () => {
  const { one, calls, until } = startTwo();
  for (let n = 0; n < 60; n++) {
    void one.admit(`10.0.0.${n}`, 4);
    await until(n);
  }
  await until(1_000);
  assert(calls.commit <= 31, `${calls.commit} commits`);
});

Deno.test("limiter.admit() does not let a key that other processes change all the time delay the others of its commit", async () => {
  const { one, data, ask, decided, until } = startTwo();
  for (const key of ["a", "b"]) void ask(one, key);
  for (let ms = 0; ms <= 1_100; ms++) {
    data.set("a", { value: undefined, version: `${ms} of another` });
    await until(ms);
    if (ms === 100) assertEquals(decided, ["b admitted"]);
  }
  assertEquals(decided, ["b admitted", "a refused"]);
});

Deno.test("limiters of two processes share one window on Deno's KV", async () => {
  using kv = await Deno.openKv(":memory:");
  const start = () => createRateLimiter({ kv, now: Date.now, report() {} });
  const both = [start(), start()];
  const claims = Array.from({ length: 100 }, (_, n) => both[n % 2]!.admit("a", 60));
  const { admitted = [] } = Object.groupBy(await Promise.all(claims), ({ kind }) => kind);
  // What the other has in reserve may be refused.
  assert(admitted.length <= 60 && admitted.length >= 52, `${admitted.length} admitted`);
  for (const limiter of both) await limiter.settled();
});

Deno.test("limiter.admit() commits less often than it is called, reads nothing while no other process writes, and refuses without KV once the window is full", async () => {
  const { one, calls, take, takeAll } = startTwo();
  assertEquals(await take(one, 20), 20);
  assert(calls.commit <= 10, `${calls.commit} commits`);
  assertEquals(await takeAll(one, times(20)), 20);
  const { commit } = calls;
  assertEquals([await takeAll(one, times(1_000)), calls], [0, { read: 0, commit }]);
});

Deno.test("limiter.peek() returns the state of a key and takes nothing, and admit() takes a value of another form for none", async () => {
  const { one, calls, data, take, takeAll } = startTwo();
  await take(one, 1);
  assertEquals(one.peek("a", 40), { remaining: 39, resetAt: START + 60_000 });
  assertEquals(one.peek("b", 40), { remaining: 40, resetAt: START + 1_000 });
  assertEquals(calls.commit, 1);
  await take(one, 1);
  assertEquals(one.peek("a", 1), { remaining: 0, resetAt: START + 61_000 }, "a lowered limit");
  data.set("c", { value: "another form", version: "0" });
  assertEquals([await takeAll(one, ["c"]), one.peek("c", 40).remaining], [1, 39]);
});

for (const random of [() => 0, () => 1 - 2 ** -53]) {
  Deno.test(`limiter stamps reserved slots between two ms when random() is ${random()}`, async () => {
    const { one, data, take } = startTwo({ random });
    await take(one, 2, 9);
    const stamps = windowOf(data.get("a")?.value).map(({ at }) => Number.isInteger(at));
    assertEquals(stamps.at(-1), false);
  });
}

Deno.test("limiter.admit() retries at once while another process locks KV", async () => {
  const { one, fates, events, takeAll } = startTwo();
  fates.push(...Array(9).fill(LOCKED));
  assertEquals([await takeAll(one, times(70)), fates, events], [40, [], []]);
});

for (const [how, fate] of Object.entries({ hangs: HANGS, errs: ERRS, locks: LOCKED, late: LATE })) {
  Deno.test(`limiter.admit() stays exact within its process, and admits again after a window, while KV is at fault: ${how}`, async () => {
    const { one, other, data, fates, events, takeAll, until, end } = startTwo();
    assertEquals(await takeAll(one, times(10)), 10);
    await until(30_000);
    fates.push(...Array(100_000).fill(fate));
    assertEquals([await takeAll(one, times(20)), one.isOnFallback()], [20, true]);
    assertEquals(await takeAll(one, times(50)), 10);
    assertEquals(await takeAll(one, times(50, "b")), 40);
    await until(95_000);
    assertEquals([await takeAll(one, times(50)), events], [40, ["limits.alone, string"]]);
    fates.splice(0);
    await until(110_000);
    assertEquals([events.slice(1), one.isOnFallback()], [["limits.shared, undefined"], false]);
    assertEquals([await takeAll(one, times(5)), await takeAll(other, times(60))], [0, 0]);
    await end(130_000);
    assertEquals([...data.keys()], ["a", "b"]);
  });
}

Deno.test("limiter.admit() does not use KV after a failure until the pause is over, and settled() commits what is pending when KV works", async () => {
  const { one, calls, fates, data, takeAll, end } = startTwo({ pauseMs: 60_000 });
  fates.push(ERRS);
  assertEquals([await takeAll(one, times(3)), await takeAll(one, times(9))], [3, 9]);
  assertEquals([calls, data.size], [{ read: 0, commit: 1 }, 0]);
  await end(12_000);
  assertEquals([...data.keys()], ["a"]);
});

Deno.test("limiter forgets keys beyond a bounded number, and reads them again", async () => {
  const { one, calls, takeAll } = startTwo({ maxKeys: 50 });
  const keys = Array.from({ length: 500 }, (_, n) => `s${n}`);
  assertEquals([await takeAll(one, keys, 2), calls.read], [500, 0]);
  assertEquals(await takeAll(one, [...keys, ...keys], 2), 500);
  assert(calls.read > 0);
});

Deno.test("limiter.admit() reads KV once a second for a key that is refused beside other processes' slots", async () => {
  const { one, other, calls, takeAll, until } = startTwo();
  assertEquals(await takeAll(other, times(2), 2), 2);
  for (let ms = 0; ms <= 3_000; ms += 250) {
    void one.admit("a", 2);
    await until(4_000 + ms + 10);
  }
  assertEquals([calls.read, one.peek("a", 2).remaining], [3, 0]);
});

Deno.test("a limiter uses its reservation no more when the outcome of a commit is unknown: KV may hold another", async () => {
  const { one, other, fates, take, until, end } = startTwo();
  // Five are reserved for it.
  assertEquals(await take(one, 10) + await take(other, 22), 32);
  fates.push(WORKS, WORKS, { appliedAfter: [1] });
  // Refused, in a commit that reserves fewer of the eight that are left.
  assertEquals(await take(one, 1, 9), 0);
  await until(6_000);
  assertEquals([one.isOnFallback(), fates.length], [false, 0]);
  const all = 32 + await take(other, 40) + await take(one, 5);
  assert(all <= 40, `${all} of 40`);
  await end(30_000);
});

Deno.test("a limiter uses its reservation no more when commits conflict for the whole deadline: each may have been sent twice", async () => {
  const { one, other, fates, take, until, end } = startTwo();
  // Five are reserved for it, and no more are left.
  let admitted = await take(one, 8) + await take(other, 27);
  const resent: Fate = { appliedAfter: [1, 1], answeredAfter: 1 };
  fates.push(WORKS, ...Array<Fate[]>(600).fill([WORKS, resent]).flat());
  admitted += await take(one, 1, 9);
  await until(4_000);
  fates.splice(0);
  // The first is refused by what it knew, and has it read KV.
  assertEquals(await take(other, 1), 0);
  admitted += await take(other, 20) + await take(one, 5);
  assert(admitted <= 40, `${admitted} of 40`);
  await end(60_000);
});

Deno.test("a limiter ends its reservation when its clock is set back: another process may read its time anew", async () => {
  const { one, other, setBack, take, until, end } = startTwo();
  await take(one, 10);
  setBack(75_000);
  await take(other, 1);
  await until(15_000);
  let admitted = await take(one, 3);
  assertEquals(admitted, 3);
  // It is killed; by then all that was admitted before the clock was set back has expired.
  await until(65_000);
  admitted += await take(other, 60);
  assert(admitted <= 40, `${admitted} of 40`);
  await end(90_000);
});

Deno.test("a limiter decides each claim when commits that it has given up succeed after all", async () => {
  const { one, fates, ask, decided, until, end } = startTwo();
  // Three commits are under way when the first fails.
  for (const [n, key] of ["a", "b", "c"].entries()) {
    await until(15 * n);
    fates.push(n === 0 ? ERRS : { appliedAfter: [200], answeredAfter: 200 });
    void ask(one, key);
  }
  // The second has succeeded by then, and the third is about to.
  await until(422);
  fates.push({ appliedAfter: [10], answeredAfter: 10 });
  void ask(one, "c");
  await until(5_000);
  assertEquals(decided, ["a", "b", "c", "c"].map((key) => `${key} admitted`));
  await end(30_000);
});

Deno.test("a limiter ignores a commit that it has given up, and that ends once KV works again", async () => {
  const { one, fates, events, ask, decided, until, end } = startTwo();
  fates.push(ERRS, HANGS);
  void ask(one, "a");
  await until(59);
  void ask(one, "b");
  // KV works again at 1,061 ms, and the second commit has no answer at 1,069.
  await until(1_065);
  fates.push({ appliedAfter: [1], answeredAfter: 4.5 });
  void ask(one, "b");
  await until(5_000);
  assertEquals(decided, ["a admitted", "b admitted", "b admitted"]);
  assertEquals(events.length, 2, `${events}`);
  await end(30_000);
});

Deno.test("a limiter reserves an eighth of a limit at most", async () => {
  const { one, other, take, end } = startTwo();
  assertEquals(await take(one, 20) + await take(other, 1), 21);
  assertEquals(other.peek("a", 40).remaining, 40 - 21 - 5);
  await end(60_000);
});

Deno.test("a limiter keeps in reserve what it may take while its renewal is under way", async () => {
  const { one, other, fates, ask, decided, take, until, end } = startTwo();
  // Five are reserved for it, and half of their time is over.
  const taken = await take(one, 8) + await take(other, 22);
  await until(14_000);
  // Its renewal meets the other's entry, and the next one reads that little is left.
  void ask(one);
  await until(15_000);
  fates.push(WORKS, { appliedAfter: [200], answeredAfter: 700 });
  void ask(one);
  await until(15_050);
  for (let n = 0; n < 3; n++) void ask(one);
  await until(15_300);
  for (let n = 0; n < 20; n++) void ask(other);
  await until(18_000);
  assertEquals(fates, []);
  const admitted = taken + decided.filter((one) => one === "a admitted").length;
  assert(admitted <= 40, `${admitted} of 40`);
  await end(60_000);
});

Deno.test("a limiter admits nothing by its reservation while a claim waits for a commit that replaces it", async () => {
  const { one, other, fates, ask, decided, take, until, end } = startTwo();
  // Five are reserved for it.
  let admitted = await take(one, 10) + await take(other, 15);
  // Its commit meets the other's entry, and the next one takes long.
  fates.push(WORKS, WORKS, { appliedAfter: [200], answeredAfter: 200 });
  const large = take(one, 1, 9);
  await until(2_050);
  for (let n = 0; n < 5; n++) void ask(one);
  await until(2_300);
  admitted += await take(other, 40) + await large;
  admitted += decided.filter((one) => one === "a admitted").length;
  assert(admitted <= 40, `${admitted} of 40`);
  await end(60_000);
});
