/** The composition root: creates stores, look-ups, limiter and jobs, and connects them. */
import type { Config } from "../config.ts";
import { createBackground } from "../flow/background.ts";
import { lazy } from "../flow/lazy.ts";
import { createTimestamps } from "../flow/timestamps.ts";
import type { JobDependencies } from "../../cron/job.ts";
import { createJobRunner, type JobRunner } from "../jobs/job_runner.ts";
import { domainWarmer, ensWarmer } from "../lookup/warmers.ts";
import { formatMetrics } from "../metrics/prometheus.ts";
import { serviceFamilies } from "../metrics/service_state.ts";
import { createLeases } from "../store/leases.ts";
import { createPopularStore } from "../store/popular.ts";
import type { CanaryRecords } from "../lookup/canary_records.ts";
import type { CheckDomain } from "../lookup/check.ts";
import type { EnsLookups } from "../lookup/ens.ts";
import type { HostTrouble } from "../lookup/host_states.ts";
import { createPopular, type Popular } from "../lookup/popular.ts";
import type { TableState, TldTable } from "../lookup/tld_table.ts";
import { measureFallbackTime } from "../metrics/fallback_time.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import { observedAdmit, observedEns, observedJobRunner, observedKv } from "../metrics/observed.ts";
import { createRateLimiter, type RateLimiter } from "../rate_limit/limiter.ts";
import type { RunEnd } from "../rules/lease.ts";
import type { Prices, Registrar } from "../rules/registrars.ts";
import { guardKv } from "../store/guarded_kv.ts";
import { createKeyFinder, type KeyFinder } from "../store/key_finder.ts";
import { createDomains } from "./domains.ts";
import type { Platform } from "./platform.ts";
import { createPrices } from "./prices.ts";

/** How an outside system fared when it was last asked. */
export type Health = "ok" | "failing" | "unused";

/** What the operations run on, and how the service comes and goes. */
export interface Services {
  version: string;
  now: () => number;
  /** The time in ISO 8601. */
  timestamp: () => string;
  checkDomain: CheckDomain;
  ens: EnsLookups;
  tlds: Pick<TldTable, "enabled" | "fresh">;
  /** How long the registry of a TLD is left alone from now on. */
  pauseOf(tld: string): Promise<RegistryPause>;
  affiliateLinks: Readonly<Record<Registrar["slug"], string | undefined>>;
  /** Estimates of what a domain costs at the priced registrar. */
  prices(): Promise<Prices>;
  popular: Pick<Popular, "count">;
  health: {
    uptimeSeconds(): number;
    checks(): Record<"kv" | "dns" | "rdap" | "rpc", Health>;
    tlds(): TableState;
    /** By TLD, how many 404s said something that could not be read. */
    unreadNotices(): Readonly<Record<string, number>>;
    /** How runs of jobs ended, as far as this process knows. */
    jobs(): Record<string, RunEnd>;
    /** The registries' hosts that cool down, or whose last answer was of no use. */
    registries(): HostTrouble[];
    /** By TLD, what its registry's last canary test came to. */
    canaries: CanaryRecords["states"];
    /** Whether the rate limiter shares its windows through KV, or decides without it. */
    limiter(): "shared" | "alone";
  };
  metrics: Pick<Metrics, "requests" | "requestTime">;
  /** Names the span of the request that is being answered; absent where there are no spans. */
  nameSpan: Platform["nameSpan"];
  /** All metrics in Prometheus' text format. */
  printMetrics(): string;
  limits: Limits;
  /** Whether KV answers and the service is not on its way out. */
  isReady(): Promise<boolean>;
  /** Refreshes the TLD table; nobody has to wait for it. */
  refreshTlds(): Promise<void>;
  /** Tests every registry whose last test is too long ago; likewise. */
  renewCanaries(): Promise<void>;
  /** What runs the jobs, and what they work with. */
  jobs: { runner: JobRunner; dependencies: JobDependencies };
  /** Aborted when the service goes. */
  ending: AbortSignal;
  /** From now on not ready, and no job goes on. */
  drain(): void;
  /** Gives up what is asked of upstreams: whoever waits for it is told "unknown". */
  giveUp(): void;
  /** Gives up what is under way and settles once KV may be closed. */
  stop(): Promise<void>;
}

/** For how long, in ms, a registry's host is left alone; 0 where it may be asked. */
export interface RegistryPause {
  host: string;
  ms: number;
}

/** Who is counted as whom, and how much everybody may ask. */
export interface Limits {
  /** Requests in 60 s for an address, and for an API key that has no limit of its own. */
  readonly perAddress: number;
  readonly perKey: number;
  readonly trustedProxies: number;
  readonly limiter: Pick<RateLimiter, "admit" | "peek">;
  readonly keys: KeyFinder;
}

/** Puts the service together. Nothing is asked of anybody before the first look-up or refresh. */
export function createServices(config: Config, platform: Platform): Services {
  const { log, now, version } = platform;
  const startedAt = now();
  const background = createBackground((error) =>
    log.error("background.failed", { error: `${error}` })
  );
  const { monotonic } = platform;
  const metrics = createMetrics();
  const kv = observedKv(guardKv(platform.kv, { report: log.warn, monotonic }), metrics, monotonic);
  const stopping = new AbortController();
  const { signal: stopped } = stopping;
  const domains = createDomains(config, platform, { kv, background, metrics, stop: stopped });
  const { upstreams, tlds, checkDomain, renewDomain, renewCanaries } = domains;
  const alone = measureFallbackTime(log.warn, monotonic);
  const limiter = createRateLimiter({ kv: platform.kv, now, monotonic, report: alone.report });
  const ethereum = lazy(async () => {
    const { createEthereum } = await import("./ens.ts");
    return createEthereum(config, platform, { kv, metrics, stop: stopped });
  });
  const popular = createPopular({
    store: createPopularStore(kv, { now }),
    reportFault: log.error,
  });
  const prices = createPrices(config, platform, { kv, metrics, stop: stopped });
  const ending = new AbortController();
  const ends = new Map<string, RunEnd>();
  const runner = createJobRunner({
    leases: createLeases(kv, { now, monotonic }),
    background,
    log,
    ending: ending.signal,
    onEnd: (job, end) => void ends.set(job, end),
    now,
  });
  const warmers = [
    domainWarmer(tlds, renewDomain),
    ensWarmer(async (label, until) => (await ethereum.get()).renew(label, until)),
  ];

  function inBackground(task: Promise<void>): Promise<void> {
    background.run(task);
    return task;
  }

  async function stop(): Promise<void> {
    ending.abort();
    stopping.abort();
    await background.settled();
    await popular.stop();
    await limiter.settled();
    await domains.settled();
    await kv.settled();
  }

  const services: Services = {
    version,
    now,
    timestamp: createTimestamps(now),
    checkDomain,
    ens: observedEns({
      check: async (label) => (await ethereum.get()).check(label),
      profile: async (label) => (await ethereum.get()).profile(label),
    }, metrics),
    tlds,
    prices: prices.current,
    popular,
    async pauseOf(tld) {
      const row = (await tlds.fresh()).find((row) => row.tld === tld);
      const host = row === undefined ? tld : new URL(row.rdapBase).host;
      return { host, ms: await upstreams.registries.pauseMs(host) };
    },
    affiliateLinks: {
      porkbun: config.AFFILIATE_PORKBUN,
      namecheap: config.AFFILIATE_NAMECHEAP,
      godaddy: config.AFFILIATE_GODADDY,
    },
    health: {
      uptimeSeconds: () => Math.floor((now() - startedAt) / 1_000),
      checks: () => ({
        kv: health(limiter.isOnFallback() || kv.isFailing()),
        dns: health(domains.isDnsFailing()),
        rdap: health(domains.isRdapFailing()),
        rpc: health(ethereum.made()?.isFailing()),
      }),
      tlds: tlds.state,
      unreadNotices: domains.unreadNotices,
      jobs: () => Object.fromEntries(ends),
      registries: domains.troubledHosts,
      canaries: domains.canaryStates,
      limiter: () => limiter.isOnFallback() ? "alone" : "shared",
    },
    metrics,
    nameSpan: platform.nameSpan,
    printMetrics() {
      const standing = serviceFamilies({
        metrics,
        version,
        startedAt,
        limiterFallbackMs: alone.totalMs(),
        health: services.health,
      });
      return formatMetrics([...Object.values(metrics), ...standing]);
    },
    limits: {
      perAddress: config.RATE_LIMIT,
      perKey: config.RATE_LIMIT_KEY,
      trustedProxies: config.TRUSTED_PROXIES,
      limiter: { admit: observedAdmit(limiter.admit, metrics, monotonic), peek: limiter.peek },
      keys: createKeyFinder(kv, { now }),
    },
    isReady: async () =>
      !ending.signal.aborted && await kv.attempt((kv) => kv.get(["tlds"]), false) !== false,
    refreshTlds: () => inBackground(tlds.refresh().then(() => {})),
    renewCanaries: () => inBackground(renewCanaries()),
    jobs: {
      runner: observedJobRunner(runner, metrics, monotonic),
      dependencies: { tlds, canary: upstreams.canary, popular, prices, warmers, now },
    },
    ending: ending.signal,
    drain: () => ending.abort(),
    giveUp: () => stopping.abort(),
    stop,
  };
  return services;
}

function health(failing: boolean | undefined): Health {
  return failing === undefined ? "unused" : failing ? "failing" : "ok";
}
