/**
 * What a job is, and how jobs are run: of all processes on one KV, the one that writes a tick's key runs the tick. If it dies or
 * the run fails, the job waits for its next tick, as it does on Deno Deploy, which runs each tick once.
 */
import type { Background, Clock, Outcome, Report, RunEnd } from "../src/flow/process.ts";
import type { Log } from "../src/log.ts";
import type { TldTable } from "../src/lookup/tld_table.ts";
import type { Warmer } from "../src/lookup/warmers.ts";
import type { Canary } from "../src/rules/answer.ts";
import type { TldRow } from "../src/rules/tables/tlds.ts";
import type { GuardedKv } from "../src/store/guarded_kv.ts";

/** A task that the service runs on a schedule. */
export interface Job {
  /** At most 64 letters, digits, hyphens and underscores: Deno's rule. */
  readonly name: string;
  /** In UTC, as cron writes it; ticks are ten minutes apart or more. */
  readonly schedule: string;
  readonly about: string;
  /** Runs the task; it must end at once when `stop` is aborted. */
  run(dependencies: JobDependencies, stop: AbortSignal): Promise<Outcome>;
  /** Whether there is something to do: asked at each tick and when the service starts. Absent: each tick is run, and no start. */
  isDue?(dependencies: JobDependencies): Promise<boolean>;
}

/** The dependencies of all jobs; each job takes those that it needs. */
export interface JobDependencies {
  tlds: Pick<TldTable, "fresh" | "refresh" | "isOld">;
  prices: { refresh(): Promise<Outcome>; isOld(): Promise<boolean> };
  canary: { probe(row: TldRow): Promise<Canary> };
  popular: { flush(): Promise<void> };
  /** One for each kind of name that is kept warm. */
  warmers: readonly Warmer[];
  now(): number;
}

/** How a run went; undefined: none was due, the tick was taken before, or the service stopped before it was done. */
export type Run = Outcome | undefined;

/** The part of a row that is run. */
type Task = Pick<Job, "name" | "run" | "isDue">;

/** A tick's key only has to outlast it. */
const EXPIRY = { expireIn: 3_600_000 };
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
    if (ending.aborted) return undefined;
    if (outcome.kind === "done") log.info("job.done", { job, ms, message: outcome.message });
    else log.warn("job.failed", { job, ms, reason: outcome.reason });
    ends.set(job, { at: now(), outcome });
    return outcome;
  }

  async function runTick(task: Task): Promise<Run> {
    const { name: job, isDue } = task;
    // Another process may still take the tick of one that ends.
    if (await isDue?.(dependencies) === false || ending.aborted) return undefined;
    const key = ["job", job, Math.floor((now() + EARLY_MS) / TICK_MS)];
    const taken = await kv.attempt((kv) =>
      kv.atomic().check({ key, versionstamp: null }).set(key, true, EXPIRY).commit()
    );
    if (taken?.ok === false) log.debug("job.elsewhere", { job });
    return taken?.ok ? await runTask(task) : undefined;
  }

  function inBackground(running: Promise<Run>): Promise<Run> {
    background.run(running);
    return running;
  }

  return {
    /** Runs a job for the current tick if it is due, unless the tick is taken. */
    runDue: (task: Task) => inBackground(runTick(task)),
    /** Runs a job now, also while another process runs it. */
    runNow: (task: Task) => inBackground(runTask(task)),
    /** The end of the last run of each job in this process. */
    ends: () => Object.fromEntries(ends),
  };
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
  for (const job of jobs) {
    const { name, schedule } = job;
    const runTick = async () => {
      if (!isQuiet) await runner.runDue(job);
    };
    // Settles when the schedule ends. A platform that refuses the job rejects it; unhandled, that ends the process.
    Promise.try(Deno.cron, name, schedule, { signal: ending }, runTick)
      .catch((error) => report("job.not_registered", { job: name, reason: String(error) }));
  }
}
