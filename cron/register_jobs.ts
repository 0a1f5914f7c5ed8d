import type { Upkeep } from "../src/upkeep.ts";
import type { Job } from "./job.ts";

/** A failed run, for Deno to try again and for Deno Deploy to show. Where it was thrown says nothing to anybody. */
class JobFailed extends Error {
  override name = "JobFailed";
  override stack = "";
}

/**
 * Registers the jobs with Deno. This must happen while `main.ts` is read: Deno Deploy finds jobs by that, and only that
 * in production is to do their work.
 */
export function registerJobs(
  jobs: readonly Job[],
  { openUpkeep, isQuiet, ending }: {
    openUpkeep: () => Promise<Upkeep>;
    /** Whether this is a deployment whose jobs do nothing, such as a preview. */
    isQuiet: boolean;
    /** Ends the schedule. */
    ending: AbortSignal;
  },
): void {
  for (const { name, schedule, retryAfterMs, run } of jobs) {
    const options = { backoffSchedule: [...retryAfterMs], signal: ending };
    void Deno.cron(name, schedule, options, async () => {
      if (isQuiet) return;
      const upkeep = await openUpkeep();
      const ran = await upkeep.runDue(name, (stop) => run(upkeep, { stop, progress() {} }));
      if (ran.kind === "unreachable") throw new JobFailed(`${name}: KV does not answer`);
      if (ran.kind === "ran" && ran.end.outcome.kind === "failed") {
        throw new JobFailed(`${name}: ${ran.end.outcome.why}`);
      }
    });
  }
}
