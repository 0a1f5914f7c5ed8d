/** What a job is, and how Deno runs the jobs on their schedules. */
import { pause } from "../src/flow/deadline.ts";
import type { Report } from "../src/flow/process.ts";
import type { JobRunner } from "../src/jobs/job_runner.ts";
import type { Suffixes } from "../src/lookup/suffixes.ts";
import type { TldTable } from "../src/lookup/tld_table.ts";
import type { Warmer } from "../src/lookup/warmers.ts";
import type { Canary } from "../src/rules/answer.ts";
import type { Outcome } from "../src/rules/job_outcome.ts";
import type { TldRow } from "../src/rules/tables/tlds.ts";

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
  tlds: Pick<TldTable, "fresh" | "refresh" | "state">;
  prices: { refresh(): Promise<Outcome>; isOld(): Promise<boolean> };
  suffixes: Pick<Suffixes, "refreshZone" | "isZoneOld">;
  canary: { probe(row: TldRow): Promise<Canary> };
  popular: { flush(): Promise<void> };
  /** One for each kind of name that is kept warm. */
  warmers: readonly Warmer[];
  now(): number;
}

/** What the jobs run in. */
interface Runtime {
  runner: Pick<JobRunner, "runDue">;
  dependencies: JobDependencies;
  /** Aborted when the service stops: ends the schedule. */
  ending: AbortSignal;
}

/** A failed run: Deno retries the job, and Deno Deploy shows the message. The stack is empty: it holds no more. */
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
  { runner, dependencies, ending, isQuiet, report }: Runtime & {
    /** Whether jobs do nothing in this deployment, as in a preview. */
    isQuiet: boolean;
    report: Report;
  },
): void {
  async function register({ name, schedule, retryAfterMs, run }: Job): Promise<void> {
    const options = { backoffSchedule: [...retryAfterMs], signal: ending };
    try {
      // Settles when the schedule ends. A platform that refuses the job rejects it; unhandled, that ends the process.
      await Deno.cron(name, schedule, options, async () => {
        if (isQuiet) return;
        const ran = await runner.runDue(name, (stop) => run(dependencies, stop));
        if (ran.kind === "unreachable") throw new JobFailed(`${name}: KV is unreachable`);
        if (ran.kind === "ran" && ran.end.outcome.kind === "failed") {
          throw new JobFailed(`${name}: ${ran.end.outcome.reason}`);
        }
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
  { runner, dependencies, ending }: Runtime,
): Promise<void> {
  await Promise.all(jobs.map(async ({ name, retryAfterMs, isOverdue, run }) => {
    const isDue = async () => !ending.aborted && await isOverdue?.(dependencies);
    for (const pauseMs of [0, ...retryAfterMs]) {
      if (!await isDue()) return;
      await pause(pauseMs, ending);
      // Another process may have run it meanwhile.
      if (await isDue()) {
        await runner.runDue(name, (stop) => run(dependencies, stop));
      }
    }
  }));
}
