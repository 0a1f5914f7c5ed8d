import { JOBS } from "../../cron/jobs.ts";
import type { Run } from "../../cron/job.ts";
import type { RunningService } from "./service.ts";

/** Runs a job of the service, no matter when it ran last, and returns its outcome. */
export async function runJob({ services }: RunningService, name: string): Promise<Run> {
  const job = JOBS.find((job) => job.name === name);
  if (job === undefined) throw new Error(`Cannot run ${name}: there is no such job`);
  return await services.jobs.runner.runNow(job);
}
