/** Composes the jobs: their runner, and what they need besides the look-ups. */
import { createJobRunner } from "../jobs/job_runner.ts";
import { createPopularCounter } from "../lookup/popular_counter.ts";
import { createPriceTable } from "../lookup/price_table.ts";
import { domainWarmer, ensWarmer } from "../lookup/warmers.ts";
import { createWatch } from "../lookup/watch.ts";
import type { Prices } from "../rules/prices.ts";
import { notingReplies } from "../sources/http.ts";
import { createPriceFetch } from "../sources/published_files.ts";
import { createJobTicks } from "../store/job_ticks.ts";
import { createPopularStore } from "../store/popular.ts";
import { createStoredValue } from "../store/stored_value.ts";
import { createWatchLogs } from "../store/watch_logs.ts";
import type { LookUps } from "./look_ups.ts";

/** The jobs. */
export type Jobs = ReturnType<typeof createJobs>;

/** Composes them. */
export function createJobs({ base, domains, observe, renewEns, stop }: LookUps) {
  const { config, platform: { log, now, monotonic }, kv, hosts, background, metrics } = base;
  const { tlds } = domains;
  const ending = new AbortController();
  const popular = createPopularCounter({
    store: createPopularStore(kv, { now }),
    reportFault: log.error,
    now,
  });
  const runner = createJobRunner({
    ticks: createJobTicks(kv),
    background,
    log,
    ending: ending.signal,
    onRun: (job, kind) => metrics.jobs.add(1, job, kind),
    now,
    monotonic,
  });
  const watch = createWatch({
    observe,
    logs: createWatchLogs(kv, { now }),
    renewDomain: domains.renewDomain,
    renewEth: renewEns,
    suffixes: domains.suffixes,
    now,
  });
  return {
    runner,
    dependencies: {
      tlds,
      suffixes: domains.suffixes,
      canary: domains.canary,
      popular,
      prices: createPriceTable({
        fetchPrices: createPriceFetch(
          notingReplies(base.get, hosts.ofKind("prices")),
          config.PRICES_URL,
        ),
        // By TLD: USD for the first and for later years, and their date.
        store: createStoredValue<Prices>(kv, ["prices"]),
        enabled: tlds.enabled,
        report: log.info,
        now,
      }),
      warmers: [
        domainWarmer(tlds, domains, popular),
        ensWarmer(renewEns, popular),
        watch.warmer,
      ],
      now,
    },
    /** Reads a watched name for a feed; those that are read stay warm. */
    readWatched: watch.read,
    /** Aborted when the process starts to shut down. */
    ending: ending.signal,
    /** Stops running jobs. */
    drain: () => ending.abort(),
    /** Stops jobs and look-ups; settles when KV may be closed. */
    async stop() {
      ending.abort();
      // Before KV is closed, and while the look-ups of a job may still count names.
      await popular.stop();
      await stop();
    },
  };
}
