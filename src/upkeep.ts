/** What keeps the service well without anybody asking: the jobs' work, and the leases under which it is done. */
import type { Background } from "./flow/background.ts";
import { type Held, held } from "./flow/held.ts";
import { type Claim, type Leased, leased } from "./flow/leased.ts";
import type { Log } from "./log.ts";
import type { Askable } from "./lookup/askables.ts";
import type { ProbeOptions } from "./lookup/canary.ts";
import type { TableState } from "./lookup/tld_table.ts";
import type { Outcome, RunEnd } from "./rules/lease.ts";
import type { NameKind } from "./rules/popularity.ts";
import type { TldRow } from "./rules/tlds.ts";
import type { GuardedKv } from "./store/guarded_kv.ts";
import { createLeases } from "./store/leases.ts";

/** The work of the jobs. */
export interface Work {
  tlds: { fresh(): Promise<readonly TldRow[]>; refresh(): Promise<TableState> };
  prices: { refresh(): Promise<Outcome> };
  canary: { probe(rows: readonly TldRow[], options: ProbeOptions): Promise<void> };
  popular: { flush(): Promise<void>; top(kind: NameKind, max: number): Promise<string[]> };
  /** What people ask for, each kind with the way in which it is renewed. */
  askables: readonly Askable[];
  now(): number;
}

/** The work, and who does it when. */
export interface Upkeep extends Work {
  /** Runs a job for the tick of this moment, unless another process does. */
  runDue(job: string, task: Task): Promise<Leased<RunEnd>>;
  /** Runs a job whenever it ran last, unless it is running. */
  runNow(job: string, task: Task): Promise<Held<RunEnd> | Exclude<Claim<RunEnd>, Taken>>;
}

/** What a job does; it should end soon after its signal is aborted. */
export type Task = (stop: AbortSignal) => Promise<Outcome>;

type Taken = { kind: "taken" };

/** Puts the upkeep together. */
export function createUpkeep(
  work: Work,
  { kv, background, log, ending, onEnd, monotonic, leaseMs }: {
    kv: GuardedKv;
    background: Background;
    log: Log;
    /** Aborted when the service goes: what runs gives its lease back. */
    ending: AbortSignal;
    /** Told how runs ended, here or elsewhere. */
    onEnd: (job: string, end: RunEnd) => void;
    /** A clock in ms that is never set back. */
    monotonic: () => number;
    leaseMs?: number;
  },
): Upkeep {
  const { now } = work;
  const leases = createLeases(kv, {
    now,
    monotonic,
    ...(leaseMs !== undefined && { leaseMs }),
  });
  const { beatMs } = leases;

  /** The task with its beginning and its end logged, and a bug of it as its outcome. */
  function logged(job: string, task: Task) {
    return async (stop: AbortSignal): Promise<RunEnd> => {
      const startedAt = now();
      log.info("job.started", { job });
      const outcome = await task(stop).catch((error): Outcome => {
        log.error("job.crashed", { job, error: String(error?.stack ?? error) });
        return { kind: "failed", why: "The service failed; the fault is logged" };
      });
      const at = now();
      const ms = at - startedAt;
      if (outcome.kind === "done") log.info("job.done", { job, ms, told: outcome.told });
      else log.warn("job.failed", { job, ms, why: outcome.why });
      return { at, outcome };
    };
  }

  /** Keeps the run in sight, so that a shutdown waits for it. */
  async function watched<R extends Leased<RunEnd>>(
    job: string,
    running: Promise<R>,
  ): Promise<R> {
    background.run(running);
    const run = await running;
    if ("end" in run) onEnd(job, run.end);
    log.debug(`job.${run.kind}`, { job });
    return run;
  }

  return {
    ...work,
    runDue(job, task) {
      const tickAt = now();
      const claim = () => leases.claim(job, tickAt);
      return watched(job, leased(logged(job, task), { claim, beatMs, stop: ending }));
    },
    async runNow(job, task) {
      const claimed = await leases.claim(job, Infinity);
      if (claimed.kind !== "taken") return claimed;
      const { lease } = claimed;
      return await watched(job, held(logged(job, task), { lease, beatMs, stop: ending }));
    },
  };
}
