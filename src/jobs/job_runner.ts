/**
 * Runs jobs under leases: of all processes on one KV, one runs each tick.
 *
 * The holder of a lease extends it every ten seconds, a waiting process takes over when it lapses, and a later process finds
 * the tick done. A failed run throws, so that Deno retries it after the pauses of its row and Deno Deploy shows it.
 */
import type { Background } from "../flow/background.ts";
import {
  type LeaseClaim,
  type LeaseRun,
  type OnceRun,
  runOnce,
  runWithLease,
} from "../flow/run_with_lease.ts";
import type { Log } from "../log.ts";
import type { Outcome, RunEnd } from "../rules/lease.ts";
import type { Leases } from "../store/leases.ts";

/** Runs jobs, each at most once at a time over all processes. */
export interface JobRunner {
  /** Runs a job for the current tick, unless another process does. */
  runDue(job: string, task: Task): Promise<OnceRun<RunEnd>>;
  /** Runs a job now, unless it is running; when it last ran does not matter. */
  runNow(job: string, task: Task): Promise<LeaseRun<RunEnd> | Exclude<LeaseClaim<RunEnd>, Taken>>;
  /** The last end of each job that this process knows: of a run of its own or of another process. */
  ends(): Record<string, RunEnd>;
}

/** The work of a job; it must end soon after its signal is aborted. */
export type Task = (stop: AbortSignal) => Promise<Outcome>;

type Taken = { kind: "taken" };

/** Creates the runner. */
export function createJobRunner(
  { leases, background, log, ending, now }: {
    leases: Leases;
    background: Background;
    log: Log;
    /** Aborted when the service stops: a running job releases its lease. */
    ending: AbortSignal;
    now: () => number;
  },
): JobRunner {
  const { beatMs } = leases;
  const ends = new Map<string, RunEnd>();

  /** Logs the start and the end of the task; an exception becomes a failed outcome. */
  function logged(job: string, task: Task) {
    return async (stop: AbortSignal): Promise<RunEnd> => {
      const startedAt = now();
      log.info("job.started", { job });
      const outcome = await task(stop).catch((error): Outcome => {
        log.error("job.crashed", { job, error: String(error?.stack ?? error) });
        return { kind: "failed", reason: "internal error (logged)" };
      });
      const at = now();
      const ms = at - startedAt;
      if (outcome.kind === "done") log.info("job.done", { job, ms, message: outcome.message });
      else log.warn("job.failed", { job, ms, reason: outcome.reason });
      return { at, outcome };
    };
  }

  /** Registers the run as background work, so that a shutdown waits for it. */
  async function watched<R extends OnceRun<RunEnd>>(
    job: string,
    running: Promise<R>,
  ): Promise<R> {
    background.run(running);
    const run = await running;
    if ("end" in run) ends.set(job, run.end);
    log.debug(`job.${run.kind}`, { job });
    return run;
  }

  return {
    runDue(job, task) {
      const tickAt = now();
      const claim = () => leases.claim(job, tickAt);
      return watched(
        job,
        runOnce(logged(job, task), {
          claim,
          beatMs,
          stop: ending,
          random: Math.random,
        }),
      );
    },
    async runNow(job, task) {
      const claimed = await leases.claim(job, Infinity);
      if (claimed.kind !== "taken") return claimed;
      const { lease } = claimed;
      return await watched(job, runWithLease(logged(job, task), { lease, beatMs, stop: ending }));
    },
    ends: () => Object.fromEntries(ends),
  };
}
