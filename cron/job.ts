/**
 * What a job is, and how jobs are run: of all processes on one KV, the one that writes a tick's key runs the tick. If it dies, the
 * job waits for its next tick, as it does on Deno Deploy, which runs each tick once. A failed run throws, so that Deno retries it
 * after the pauses of its row: the tick is still this process's.
 */
import { createSingleFlight } from "../src/flow/cache/flight.ts";
import { pause } from "../src/flow/deadline.ts";
import type { Background, Clock, Report } from "../src/flow/process.ts";
import type { Log } from "../src/log.ts";
import type { Suffixes } from "../src/lookup/suffixes.ts";
import type { TldTable } from "../src/lookup/tld_table.ts";
import type { Warmer } from "../src/lookup/warmers.ts";
import type { Canary } from "../src/rules/answer.ts";
import type { Outcome, RunEnd } from "../src/rules/job_outcome.ts";
import type { TldRow } from "../src/rules/tables/tlds.ts";
import type { GuardedKv } from "../src/store/guarded_kv.ts";

/** A task that the service runs on a schedule. */
export interface Job {
  /** At most 64 letters, digits, hyphens and underscores: Deno's rule. */
  readonly name: string;
  /** In UTC, as cron writes it; ticks are ten minutes apart or more. */
  readonly schedule: string;
  readonly about: string;
  /** Pauses before a failed run is repeated, in ms; at most five of at most an hour (Deno Deploy's rule). */
  readonly retryAfterMs: readonly number[];
  /** Runs the task; it must end at once when `stop` is aborted. */
  run(dependencies: JobDependencies, stop: AbortSignal): Promise<Outcome>;
  /** Whether a starting service should run it without waiting for the next tick; never, if absent. */
  isOverdue?(dependencies: JobDependencies): Promise<boolean>;
}

/** The dependencies of all jobs; each job takes those that it needs. */
export interface JobDependencies {
  tlds: Pick<TldTable, "fresh" | "refresh" | "renew">;
  prices: { refresh(): Promise<Outcome>; isOld(): Promise<boolean> };
  suffixes: Pick<Suffixes, "refreshZone" | "isZoneOld">;
  canary: { probe(row: TldRow): Promise<Canary> };
  popular: { flush(): Promise<void> };
  /** One for each kind of name that is kept warm. */
  warmers: readonly Warmer[];
  now(): number;
}

/** How a run went; `stopped`: the service stopped before it was done; `elsewhere`: another process has taken the tick. */
export type Run = Outcome | { readonly kind: "stopped" | "elsewhere" };

/** The part of a row that is run. */
type Task = Pick<Job, "name" | "run">;

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

/** Runs jobs. */
type JobRunner = ReturnType<typeof createJobRunner>;

/** Creates the runner. */
export function createJobRunner(
  { kv, dependencies, background, log, ending, onRun, now, monotonic }: Clock & {
    kv: GuardedKv;
    dependencies: JobDependencies;
    /** A shutdown waits for it. */
    background: Background;
    log: Log;
    /** Aborted when the service stops. */
    ending: AbortSignal;
    /** Called with the outcome of each run. */
    onRun: (job: string, kind: Outcome["kind"]) => void;
  },
) {
  const holder = crypto.randomUUID();
  const ticks = createSingleFlight<Run>();
  const ends = new Map<string, RunEnd>();

  async function runTask({ name: job, run }: Task): Promise<Run> {
    const startedAt = monotonic();
    log.info("job.started", { job });
    const outcome = await Promise.try(run, dependencies, ending).catch((error): Outcome => {
      log.error("job.crashed", { job, error: String(error?.stack ?? error) });
      return { kind: "failed", reason: "internal error (logged)" };
    });
    const ms = Math.round(monotonic() - startedAt);
    onRun(job, outcome.kind);
    if (ending.aborted) return { kind: "stopped" };
    if (outcome.kind === "done") log.info("job.done", { job, ms, message: outcome.message });
    else log.warn("job.failed", { job, ms, reason: outcome.reason });
    ends.set(job, { at: now(), outcome });
    return outcome;
  }

  /** Takes a tick; returns the record of the process that has it then. Undefined if KV fails. */
  const take = (key: Deno.KvKey) =>
    kv.attempt(async (kv) => {
      const record: TickRecord = { holder };
      const taking = kv.atomic().check({ key, versionstamp: null }).set(key, record, EXPIRY);
      if ((await taking.commit()).ok) return record;
      return (await kv.get<TickRecord>(key)).value ?? undefined;
    }, undefined);

  async function runTick(task: Task): Promise<Run> {
    const { name: job } = task;
    const key = ["job", job, Math.floor((now() + EARLY_MS) / TICK_MS)];
    const record = await take(key);
    if (record === undefined) return { kind: "failed", reason: "KV is unreachable" };
    // Its own tick is taken again if it failed, or if the answer to an earlier try was lost.
    if (record.holder !== holder || record.end?.outcome.kind === "done") {
      if (record.end !== undefined) ends.set(job, record.end);
      log.debug("job.elsewhere", { job });
      return { kind: "elsewhere" };
    }
    const ran = await runTask(task);
    if (ran.kind !== "stopped") {
      const record = { holder, end: ends.get(job) };
      await kv.attempt((kv) => kv.set(key, record, EXPIRY), undefined);
    }
    return ran;
  }

  function inBackground(running: Promise<Run>): Promise<Run> {
    background.run(running);
    return running;
  }

  return {
    /** Runs a job for the current tick, unless another process has taken it; a run that is under way is joined. */
    runDue: (task: Task) => inBackground(ticks.run(task.name, () => runTick(task))),
    /** Runs a job now, also while another process runs it. */
    runNow: (task: Task) => inBackground(runTask(task)),
    /** The last end of each job that this process knows: of a run of its own or of another process. */
    ends: () => Object.fromEntries(ends),
  };
}

/** A failed run: Deno retries the job, and Deno Deploy shows the message. The stack is empty: it would say no more. */
class JobFailed extends Error {
  override name = "JobFailed";
  override stack = "";
}

/**
 * Registers the jobs with Deno. Call it while `main.ts` is evaluated and before `Deno.serve`: Deno Deploy reads the list
 * of jobs when the server starts and refuses later ones. A job that cannot be registered is reported as
 * `job.not_registered`; the service runs without it.
 */
export function registerJobs(
  jobs: readonly Job[],
  { runner, ending, isQuiet, report }: {
    runner: Pick<JobRunner, "runDue">;
    /** Aborted when the service stops: ends the schedule. */
    ending: AbortSignal;
    /** Whether jobs do nothing in this deployment, as in a preview. */
    isQuiet: boolean;
    report: Report;
  },
): void {
  async function register(job: Job): Promise<void> {
    const { name, schedule, retryAfterMs } = job;
    const options = { backoffSchedule: [...retryAfterMs], signal: ending };
    try {
      // Settles when the schedule ends. A platform that refuses the job rejects it; unhandled, that ends the process.
      await Deno.cron(name, schedule, options, async () => {
        if (isQuiet) return;
        const ran = await runner.runDue(job);
        if (ran.kind === "failed") throw new JobFailed(`${name}: ${ran.reason}`);
      });
    } catch (error) {
      report("job.not_registered", { job: name, reason: String(error) });
    }
  }

  for (const job of jobs) void register(job);
}

/**
 * Runs the jobs that are overdue when the service starts, so that a new service need not wait for their next tick. Of
 * several processes that start at once, one runs each job. A job that is still overdue is tried again after each pause of
 * its row: its run failed, KV was unreachable, or the process that took the tick was stopped, which the next tick makes up for.
 */
export async function runOverdueJobs(
  jobs: readonly Job[],
  { runner, dependencies, ending }: {
    runner: Pick<JobRunner, "runDue">;
    dependencies: JobDependencies;
    ending: AbortSignal;
  },
): Promise<void> {
  await Promise.all(jobs.map(async (job) => {
    for (const pauseMs of [0, ...job.retryAfterMs]) {
      await pause(pauseMs, ending);
      // Another process may have run it meanwhile.
      if (ending.aborted || !await job.isOverdue?.(dependencies)) return;
      await runner.runDue(job);
    }
  }));
}
