/** Composes the jobs: their runner, and what they need besides the look-ups. */
import type { JobDependencies } from "../../cron/job.ts";
import { createJobRunner, type JobRunner } from "../jobs/job_runner.ts";
import { createPopularCounter, type PopularCounter } from "../lookup/popular_counter.ts";
import type { PriceTable } from "../lookup/price_table.ts";
import { domainWarmer, ensWarmer } from "../lookup/warmers.ts";
import { createWatch, type ReadWatched } from "../lookup/watch.ts";
import { observedJobRunner } from "../metrics/observed.ts";
import { createLeases } from "../store/leases.ts";
import { createPopularStore } from "../store/popular.ts";
import { createWatchLogs } from "../store/watch_logs.ts";
import type { LookUps } from "./look_ups.ts";
import { createPrices } from "./prices.ts";

/** The jobs. */
export interface Jobs {
  runner: JobRunner;
  dependencies: JobDependencies & { popular: PopularCounter; prices: PriceTable };
  /** Reads a watched name for a feed; those that are read stay warm. */
  readWatched: ReadWatched;
  /** Aborted when the process starts to shut down. */
  ending: AbortSignal;
  /** Stops running jobs, which release their leases. */
  drain(): void;
  /** Stops jobs and look-ups; settles when KV may be closed. */
  stop(): Promise<void>;
}

/** Composes them. */
export function createJobs({ base, domains, observe, renewEns, stop }: LookUps): Jobs {
  const { platform: { log, now, monotonic }, kv, background, metrics } = base;
  const { tlds } = domains;
  const ending = new AbortController();
  const popular = createPopularCounter({
    store: createPopularStore(kv, { now }),
    reportFault: log.error,
    now,
  });
  const leases = createLeases(kv, base.platform);
  const runner = createJobRunner({ leases, background, log, ending: ending.signal, now });
  const watch = createWatch({
    observe,
    logs: createWatchLogs(kv, { now }),
    renewDomain: domains.renewDomain,
    renewEth: renewEns,
    suffixes: domains.suffixes,
    now,
  });
  return {
    runner: observedJobRunner(runner, metrics, monotonic),
    dependencies: {
      tlds,
      suffixes: domains.suffixes,
      canary: domains.upstreams.canary,
      popular,
      prices: createPrices(base, tlds),
      warmers: [
        domainWarmer(tlds, domains, popular),
        ensWarmer(renewEns, popular),
        watch.warmer,
      ],
      now,
    },
    readWatched: watch.read,
    ending: ending.signal,
    drain: () => ending.abort(),
    async stop() {
      ending.abort();
      // Before KV is closed, and while the look-ups of a job may still count names.
      await popular.stop();
      await stop();
    },
  };
}
