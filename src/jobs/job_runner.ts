/**
 * Runs jobs: of all processes on one KV, the one that writes a tick's key runs the tick. If it dies, the job waits for its next
 * tick, as it does on Deno Deploy, which runs each tick once. A failed run throws, so that Deno retries it after the pauses of
 * its row: the tick is still this process's.
 */
import type { Background, Clock } from "../flow/process.ts";
import type { Log } from "../log.ts";
import type { Outcome, RunEnd } from "../rules/job_outcome.ts";
import type { GuardedKv } from "../store/guarded_kv.ts";

/** Runs jobs. */
export type JobRunner = ReturnType<typeof createJobRunner>;

/** The work of a job; it must end soon after its signal is aborted. */
export type Task = (stop: AbortSignal) => Promise<Outcome>;

/** How a run went; `stopped`: the service stopped before it was done. */
export type Run = { kind: "ran"; end: RunEnd } | { kind: "stopped" };

/** The same of a tick, which another process may have taken, or which KV did not give. */
type DueRun = Run | { kind: "elsewhere" } | { kind: "unreachable" };

/**
 * `["job", name, tick]` → the process that runs it, by its id, and how its run ended: absent while it runs, or if its process
 * has died.
 */
interface TickRecord {
  readonly holder: string;
  readonly end?: RunEnd;
}

/** `/health` of a process that has not run the tick shows its end until the next one; ticks are a day apart at most. */
const EXPIRY = { expireIn: 25 * 3_600_000 };
/** The least time between two ticks of a job. A busy process starts late, and Deno may start it a little early. */
const TICK_MS = 10 * 60_000;
const EARLY_MS = 1_000;

/** Creates the runner. */
export function createJobRunner(
  { kv, background, log, ending, onRun, now, monotonic }: Clock & {
    kv: GuardedKv;
    background: Background;
    log: Log;
    /** Aborted when the service stops. */
    ending: AbortSignal;
    /** Called with the outcome of each run. */
    onRun: (job: string, kind: Outcome["kind"]) => void;
  },
) {
  const holder = crypto.randomUUID();
  const running = new Set<string>();
  const ends = new Map<string, RunEnd>();

  async function run(job: string, task: Task): Promise<Run> {
    const startedAt = monotonic();
    log.info("job.started", { job });
    const outcome = await task(ending).catch((error): Outcome => {
      log.error("job.crashed", { job, error: String(error?.stack ?? error) });
      return { kind: "failed", reason: "internal error (logged)" };
    });
    const ms = Math.round(monotonic() - startedAt);
    onRun(job, outcome.kind);
    if (ending.aborted) return { kind: "stopped" };
    if (outcome.kind === "done") log.info("job.done", { job, ms, message: outcome.message });
    else log.warn("job.failed", { job, ms, reason: outcome.reason });
    const end = { at: now(), outcome };
    ends.set(job, end);
    return { kind: "ran", end };
  }

  /** Takes a tick; returns the record of the process that has it then. Undefined if KV fails. */
  const take = (key: Deno.KvKey) =>
    kv.attempt(async (kv) => {
      const record: TickRecord = { holder };
      const taking = kv.atomic().check({ key, versionstamp: null }).set(key, record, EXPIRY);
      if ((await taking.commit()).ok) return record;
      return (await kv.get<TickRecord>(key)).value ?? undefined;
    }, undefined);

  async function runTick(job: string, task: Task): Promise<DueRun> {
    if (running.has(job)) return { kind: "elsewhere" };
    running.add(job);
    try {
      const tick = Math.floor((now() + EARLY_MS) / TICK_MS);
      const key = ["job", job, tick];
      const record = await take(key);
      if (record === undefined) return { kind: "unreachable" };
      const { end } = record;
      // Its own tick is taken again if it failed, or if the answer to an earlier try was lost.
      const isOwn = record.holder === holder && end?.outcome.kind !== "done";
      if (!isOwn) {
        if (end !== undefined) ends.set(job, end);
        return { kind: "elsewhere" };
      }
      const ran = await run(job, task);
      if (ran.kind === "ran") {
        const record: TickRecord = { holder, end: ran.end };
        await kv.attempt((kv) => kv.set(key, record, EXPIRY), undefined);
      }
      return ran;
    } finally {
      running.delete(job);
    }
  }

  /** Registers the run as background work, so that a shutdown waits for it. */
  async function watched<R extends DueRun>(job: string, running: Promise<R>): Promise<R> {
    background.run(running);
    const ran = await running;
    log.debug(`job.${ran.kind}`, { job });
    return ran;
  }

  return {
    /** Runs a job for the current tick, unless another process has taken it. */
    runDue: (job: string, task: Task) => watched(job, runTick(job, task)),
    /** Runs a job now, also while another process runs it. */
    runNow: (job: string, task: Task) => watched(job, run(job, task)),
    /** The last end of each job that this process knows: of a run of its own or of another process. */
    ends: () => Object.fromEntries(ends),
  };
}
