/** A chaos run: processes on one KV, the lab behind them, a schedule, clients, and the oracle. */
import { type DirectedLab, startDirectedLab } from "../lab/directed_lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { UNLIMITED } from "../support/unlimited.ts";
import type { Fault } from "./faults.ts";
import { createHistory, type History, type Run } from "./history.ts";
import { createLoad, HANG_MS, type Target } from "./load.ts";
import { type ChaosRow, createOracle } from "./oracle.ts";
import { CHAOS_TLDS } from "./population.ts";
import { createRandom } from "./random.ts";
import { countCalm, countRow, createTally, judgeCalm, type Tally } from "./report.ts";
import { planRun, type Scheduled } from "./schedule.ts";
import { patientKv } from "./patient_kv.ts";
import { type ChaosProcess, type LogLine, startChaosProcess } from "./service_process.ts";
import { createSimulation, hostOf, type Simulation } from "./simulation.ts";

/** Options of a run. */
export interface ChaosOptions {
  seed: number;
  ms: number;
  faults: readonly Fault[];
  processes?: number;
  callers?: number;
  /** What happens when; derived from the seed if absent. */
  plan?: readonly Scheduled[];
  /** The share of plain names that may be unknown while nothing is wrong. */
  largestUnknownShare?: number;
  /** How long the end waits for requests in flight; with less than `HANG_MS` it finds no hang. */
  graceMs?: number;
  onProgress?: (tally: Tally) => void;
}

/** Rows are judged so long after their arrival, because log lines of processes arrive later. */
const JUDGE_AFTER_MS = 3_000;
const HEALTH_EVERY_MS = 200;
/** A timer of this process that is so late shows that the machine is busy. */
const BUSY_MS = 250;
const TIMER_MS = 100;

/** Runs and returns the tally; rejects only if the run itself fails. */
export async function runChaos(
  {
    seed,
    ms,
    faults,
    processes = 3,
    callers = 16,
    plan = planRun({ random: createRandom(seed), ms, slots: processes, faults }),
    largestUnknownShare = 0.1,
    graceMs = HANG_MS + 5_000,
    onProgress,
  }: ChaosOptions,
): Promise<Tally> {
  const now = () => performance.now();
  const history = createHistory();
  const tally = createTally();
  const oracle = createOracle(history);
  const simulation = createSimulation({ history, random: createRandom(seed + 1), faults, now });
  await using lab = await startDirectedLab(simulation, {
    nameServers: processes,
    table: simulation.table(),
  });
  const folder = await makeFolder();
  const slots = Array.from(
    { length: processes },
    (_, slot) => createSlot({ slot, lab, history, kvPath: `${folder}/kv`, now }),
  );
  const rows: ChaosRow[] = [];
  const late: ChaosRow[] = [];
  let judged = 0;

  function judgeUntil(time: number): void {
    for (let row = rows[judged]; row !== undefined && row.to <= time; row = rows[++judged]) {
      countRow(tally, history, row, oracle.judge(row));
    }
    if (judged > 10_000) rows.splice(0, judged), judged = 0;
  }

  function fail(rule: string, subject: string, why: string): void {
    const at = now();
    const story = history.notes.filter((note) => note.at > at - 60_000)
      .map((note) => `${((note.at - at) / 1_000).toFixed(3)} s ${note.text}`);
    tally.violations.push({ rule, subject, why, story });
  }

  const load = createLoad({
    random: createRandom(seed + 2),
    faults,
    targets: () => slots.flatMap(({ target }) => target() ?? []),
    now,
    watch: {
      asked: oracle.noteAsked,
      row: (row) => void rows.push(row),
      lost({ run }, path, at, why) {
        if (at < run.endingAt - 500) fail("answer lost", path, `process ${run.slot}: ${why}`);
        else tally.requestsLost++;
      },
      wrong: ({ run }, path, why) => fail("wrong answer", path, `process ${run.slot}: ${why}`),
      hung: ({ run }, path) =>
        fail("hang", path, `process ${run.slot} did not answer within ${HANG_MS} ms`),
      cut: () => void tally.requestsCut++,
      unanswered: (row) => void late.push(row),
    },
  });

  let kv: Deno.Kv | undefined;
  const stop = new AbortController();
  const background: Promise<void>[] = [];
  try {
    // One after the other: each opens the same KV file.
    for (const slot of slots) await slot.start();
    kv = patientKv(await Deno.openKv(`${folder}/kv`));
    await canariesPassed(history);
    const startedAt = now();
    const leave = new AbortController();
    const calling = load.run(callers, {
      slots: processes,
      stop: stop.signal,
      leave: leave.signal,
    });
    const healths = slots.map((slot) => watchHealth(slot, { stop: stop.signal, tally, fail, now }));
    const judging = setInterval(() => judgeUntil(now() - JUDGE_AFTER_MS), 500);
    const clearing = setInterval(lab.clear, 5_000);
    const telling = setInterval(() => onProgress?.(tally), 10_000);
    const timing = noteBusy(history, now);
    try {
      for (const deed of plan) {
        if (deed.at >= ms) break;
        await pause(startedAt + deed.at - now());
        background.push(perform(deed, { slots, simulation, lab, tally, kv, history, now }));
      }
      await pause(startedAt + ms - now());
    } finally {
      stop.abort();
      const leaving = setTimeout(() => leave.abort(), graceMs);
      await calling;
      clearTimeout(leaving);
      await Promise.all(healths);
      for (const timer of [judging, clearing, telling, timing]) clearInterval(timer);
    }
    tally.busyMs = history.busy.reduce((ms, { from, to }) => ms + to - from, 0);
    await Promise.all(background);
    // The last log lines are still arriving.
    await pause(300);
    judgeUntil(Infinity);
    for (const row of late) countCalm(tally, history, row);
    judgeCalm(tally, largestUnknownShare);
  } finally {
    stop.abort();
    simulation.close();
    await Promise.all(slots.map((slot) => slot.end("SIGKILL")));
    kv?.close();
    await Deno.remove(folder, { recursive: true });
  }
  return tally;
}

/** In memory if possible: on a disk, each process's commits would delay the others. */
async function makeFolder(): Promise<string> {
  const options = { prefix: "chaos-" };
  return await Deno.makeTempDir({ ...options, dir: "/dev/shm" })
    .catch(() => Deno.makeTempDir(options));
}

const LONGEST_WAIT_MS = 10_000;

/** Settles once the first tests of the registries have ended, so that a later lie revokes a pass. */
async function canariesPassed({ canaries }: History): Promise<void> {
  const isPassed = (tld: string) =>
    canaries.some((one) => one.tld === tld && one.kind === "passed");
  const until = performance.now() + LONGEST_WAIT_MS;
  while (!CHAOS_TLDS.every(isPassed) && performance.now() < until) await pause(50);
}

interface Slot {
  /** The process that takes requests; undefined while it is down. */
  target(): Target | undefined;
  start(): Promise<void>;
  setClock(offsetMs: number): void;
  command(line: string): void;
  /** Ends the process and waits for its end. */
  end(signal: Deno.Signal): Promise<void>;
}

/** A slot for successive processes, with its own name server and clock. */
function createSlot(
  { slot, lab, history, kvPath, now }: {
    slot: number;
    lab: DirectedLab;
    history: History;
    kvPath: string;
    now: () => number;
  },
): Slot {
  let process: ChaosProcess | undefined;
  let target: Target | undefined;
  let run: Run | undefined;
  let nth = 0;
  let offsetMs = 0;

  function onLog(line: LogLine): void {
    const { arrivedAt: at, event, tld, base, kind } = line;
    if (event === "canary") {
      history.canaries.push({
        at,
        slot,
        tld: `${tld}`,
        host: new URL(`${base}`).host,
        kind: `${kind}`,
      });
    } else if (event === "kv.failing") history.kvFailures.push({ from: at, to: Infinity, slot });
    else if (event === "kv.working") endKvFailure(at);
    else if (event === "chaos.clock") run?.offsets.push({ at, offsetMs: Number(line.offsetMs) });
    const { level } = line;
    const isWorthTelling = level === "warn" || level === "error" || event === "text" ||
      `${event}`.startsWith("tlds.");
    if (isWorthTelling) {
      const { arrivedAt: _, time: __, ...rest } = line;
      history.notes.push({ at, text: `process ${slot} logs ${JSON.stringify(rest)}` });
    }
  }

  function endKvFailure(at: number): void {
    for (const failure of history.kvFailures) {
      if (failure.slot === slot && failure.to === Infinity) failure.to = at;
    }
  }

  async function start(): Promise<void> {
    for (let tries = 1;; tries++) {
      const from = now();
      const dnsServer = lab.dnsServers[slot] ?? "";
      const one = startChaosProcess({
        ...labEnv({ ...lab, dnsServer }),
        ...proxyEnv(lab),
        ...UNLIMITED,
        // Each client, and what watches a process, has an address of its own.
        TRUSTED_PROXIES: "1",
        KV_PATH: kvPath,
        TLDS: CHAOS_TLDS.join(","),
        // The oracle needs every test of a registry, and only one with a new result is logged above this.
        LOG_LEVEL: "debug",
        CHAOS_SLOT: `${slot}`,
        CHAOS_OFFSET_MS: `${offsetMs}`,
      }, onLog);
      process = one;
      const started: Run = {
        slot,
        run: ++nth,
        from,
        to: Infinity,
        readyAt: Infinity,
        endingAt: Infinity,
        offsets: [{ at: from, offsetMs }],
      };
      run = started;
      try {
        const url = await one.url;
        started.readyAt = now();
        history.runs.push(started);
        target = { run: started, url, command: one.command };
        return;
      } catch (error) {
        // Another process may hold the KV file at the moment in which this one opens it.
        await one.status;
        if (tries >= 3) throw error;
      }
    }
  }

  return {
    target: () => target,
    start,
    setClock(ms) {
      offsetMs = ms;
      process?.command(`clock ${ms}`);
    },
    command: (line) => process?.command(line),
    async end(signal) {
      target = undefined;
      if (run !== undefined) run.endingAt = Math.min(run.endingAt, now());
      process?.kill(signal);
      await process?.status;
      if (run !== undefined) run.to = now();
      endKvFailure(now());
    },
  };
}

async function perform(
  deed: Scheduled,
  { slots, simulation, lab, tally, kv, history, now }: {
    slots: readonly Slot[];
    simulation: Simulation;
    lab: DirectedLab;
    tally: Tally;
    kv: Deno.Kv;
    history: History;
    now: () => number;
  },
): Promise<void> {
  switch (deed.kind) {
    case "kill": {
      const slot = slots[deed.slot];
      // It is down already.
      if (slot?.target() === undefined) return;
      tally.kills++;
      await slot.end(deed.signal);
      await pause(deed.downMs);
      return await slot.start();
    }
    case "clock":
      return slots[deed.slot]?.setClock(deed.offsetMs);
    case "backup":
      return void copies.set(kv, await entriesOf(kv));
    case "restore": {
      const { isEmpty, isStopped } = deed;
      const up = isStopped ? slots.filter((slot) => slot.target() !== undefined) : [];
      const rollback = { from: now(), to: Infinity, isStopped };
      history.rollbacks.push(rollback);
      history.notes.push({ at: now(), text: `KV comes back ${isEmpty ? "empty" : "older"}` });
      await Promise.all(up.map((slot) => slot.end("SIGTERM")));
      await putBack(kv, isEmpty ? [] : copies.get(kv) ?? []);
      rollback.to = now();
      for (const slot of up) await slot.start();
      tally.rollbacks++;
      return;
    }
    case "job": {
      const up = slots.filter((slot) => slot.target() !== undefined);
      const slot = slots[deed.slot]?.target() === undefined ? up[0] : slots[deed.slot];
      return slot?.command(`job ${deed.job}`);
    }
    case "lie":
      return simulation.lie(hostOf(deed.tld), deed.wholeHost ? undefined : deed.tld, deed.forMs);
    case "refuse":
      return simulation.refuse(hostOf(deed.tld), deed.wording, deed.forMs);
    case "fail":
      return simulation.fail(hostOf(deed.tld), deed.fault, deed.share, deed.forMs);
    case "denyDns":
      return simulation.denyDns(deed.behaviour, deed.forMs);
    case "reword":
      return simulation.reword(hostOf(deed.tld), deed.wording);
    case "table":
      return lab.setTable(JSON.stringify(simulation.moveTlds(deed.home)));
    case "turn":
      return simulation.wait(deed.domain, deed.truth);
  }
}

type Entry = readonly [key: Deno.KvKey, value: unknown];

/** The last copy of each KV. */
const copies = new WeakMap<Deno.Kv, readonly Entry[]>();

async function entriesOf(kv: Deno.Kv): Promise<Entry[]> {
  return await Array.fromAsync(kv.list({ prefix: [] }), ({ key, value }) => [key, value] as const);
}

/** Entries of one commit; it may have 800 KiB. */
const COMMITTED = 50;

/** Makes KV equal to a copy of it. */
async function putBack(kv: Deno.Kv, copy: readonly Entry[]): Promise<void> {
  const kept = new Set(copy.map(([key]) => JSON.stringify(key)));
  const gone = (await entriesOf(kv)).filter(([key]) => !kept.has(JSON.stringify(key)));
  const changes = [
    ...gone.map(([key]) => (commit: Deno.AtomicOperation) => commit.delete(key)),
    ...copy.map(([key, value]) => (commit: Deno.AtomicOperation) => commit.set(key, value)),
  ];
  for (let at = 0; at < changes.length; at += COMMITTED) {
    const commit = kv.atomic();
    for (const change of changes.slice(at, at + COMMITTED)) change(commit);
    await commit.commit();
  }
}

/** Notes while the machine is busy with other things, which makes plain names late or unknown. */
function noteBusy(history: History, now: () => number): ReturnType<typeof setInterval> {
  let last = now();
  return setInterval(() => {
    const at = now();
    if (at - last > TIMER_MS + BUSY_MS) history.busy.push({ from: last, to: at + BUSY_MS });
    last = at;
  }, TIMER_MS);
}

/** Polls /health, which has to answer under any load. */
async function watchHealth(
  slot: Slot,
  { stop, tally, fail, now }: {
    stop: AbortSignal;
    tally: Tally;
    fail: (rule: string, subject: string, why: string) => void;
    now: () => number;
  },
): Promise<void> {
  while (!stop.aborted) {
    await pause(HEALTH_EVERY_MS);
    const target = slot.target();
    if (target === undefined) continue;
    const from = now();
    try {
      const response = await fetch(`${target.url}/health`, {
        signal: AbortSignal.timeout(HANG_MS),
        headers: { "x-forwarded-for": `192.0.2.${target.run.slot}` },
      });
      await response.text();
      tally.health.polls++;
      tally.health.longestMs = Math.max(tally.health.longestMs, now() - from);
      if (response.status !== 200) fail("health", "/health", `answered ${response.status}`);
    } catch (error) {
      if (target.run.endingAt === Infinity) fail("health", "/health", `${error}`);
    }
  }
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
