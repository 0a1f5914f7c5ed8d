import type { Report } from "../src/flow/report.ts";
import type { JobRunner } from "../src/jobs/job_runner.ts";
import type { Job, JobDependencies } from "./job.ts";

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
  { runner, dependencies, isQuiet, ending, report }: {
    runner: Pick<JobRunner, "runDue">;
    dependencies: JobDependencies;
    /** Whether jobs do nothing in this deployment, as in a preview. */
    isQuiet: boolean;
    /** Aborted when the service stops: ends the schedule. */
    ending: AbortSignal;
    report: Report;
  },
): void {
  async function register({ name, schedule, retryAfterMs, run }: Job): Promise<void> {
    const options = { backoffSchedule: [...retryAfterMs], signal: ending };
    try {
      // Settles when the schedule ends. A platform that refuses the job rejects it; unhandled, that ends the process.
      await Deno.cron(name, schedule, options, async () => {
        if (isQuiet) return;
        const ran = await runner.runDue(name, (stop) => run(dependencies, { stop, progress() {} }));
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
 * several processes that start at once, one runs each job.
 */
export async function runOverdueJobs(
  jobs: readonly Job[],
  { runner, dependencies, isQuiet }: {
    runner: Pick<JobRunner, "runDue">;
    dependencies: JobDependencies;
    /** Whether jobs do nothing in this deployment, as in a preview. */
    isQuiet: boolean;
  },
): Promise<void> {
  if (isQuiet) return;
  await Promise.all(jobs.map(async ({ name, isOverdue, run }) => {
    if (!await isOverdue?.(dependencies)) return;
    await runner.runDue(name, (stop) => run(dependencies, { stop, progress() {} }));
  }));
}
