import { JOBS } from "../../cron/jobs.ts";
import type { Outcome } from "../../src/rules/job_outcome.ts";
import type { RunningService } from "./service.ts";

/** Runs a job of the service, no matter when it ran last, and returns its outcome. */
export async function runJob({ services }: RunningService, name: string): Promise<Outcome> {
  const job = JOBS.find((job) => job.name === name);
  if (job === undefined) throw new Error(`Cannot run ${name}: there is no such job`);
  const { runner, dependencies } = services.jobs;
  const run = await runner.runNow(name, (stop) => job.run(dependencies, stop));
  if (run.kind !== "ran") throw new Error(`Cannot run ${name}: ${run.kind}`);
  return run.end.outcome;
}
