import type { JobRunner } from "../src/jobs/job_runner.ts";
import type { Job, JobDependencies } from "./job.ts";

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
