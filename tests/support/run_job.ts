import { JOBS } from "../../cron/jobs.ts";
import type { Outcome } from "../../src/rules/lease.ts";
import type { RunningService } from "./service.ts";

/** Runs a job of the service, whenever it ran last, and tells what it came to. */
export async function runJob({ services }: RunningService, name: string): Promise<Outcome> {
  const job = JOBS.find((job) => job.name === name);
  if (job === undefined) throw new Error(`there is no job ${name}`);
  const { runner, dependencies } = services.jobs;
  const run = await runner.runNow(
    name,
    (stop) => job.run(dependencies, { stop, progress() {} }),
  );
  if (run.kind !== "ran") throw new Error(`${name}: ${run.kind}`);
  return run.end.outcome;
}
