/** The composition root: creates stores, look-ups, limiter and jobs, and connects them. */
import type { JobDependencies } from "../../cron/job.ts";
import { affiliateLinksOf, type Config, type Operator, operatorOf } from "../config.ts";
import { createBackground } from "../flow/background.ts";
import { lazy } from "../flow/cache/lazy.ts";
import { createSingleFlight } from "../flow/cache/single_flight.ts";
import { createTimestamps } from "./timestamps.ts";
import { createTurns } from "../flow/queue/turns.ts";
import { createUpstreamHosts, type HostProblem } from "../flow/upstream_host.ts";
import { createJobRunner, type JobRunner } from "../jobs/job_runner.ts";
import type { AccuracyLog } from "../lookup/accuracy_log.ts";
import type { CanaryRecords } from "../lookup/canary_records.ts";
import type { CheckDomain } from "../lookup/check_domain.ts";
import { createFindDetails, type FindDetails } from "../lookup/domain_details.ts";
import type { EnsLookups } from "../lookup/ens_lookups.ts";
import type { Suffixes } from "../lookup/suffixes.ts";
import { createStartLookUps, type StartLookUps } from "../lookup/start_look_ups.ts";
import { createPopularCounter, type PopularCounter } from "../lookup/popular_counter.ts";
import type { TableState, TldTable } from "../lookup/tld_table.ts";
import { domainWarmer, ensWarmer } from "../lookup/warmers.ts";
import type { WhoisWitness } from "../lookup/whois_witness.ts";
import { measureFallbackTime } from "../metrics/fallback_time.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import { observedAdmit, observedEns, observedJobRunner, observedKv } from "../metrics/observed.ts";
import { formatMetrics } from "../metrics/prometheus.ts";
import { serviceFamilies } from "../metrics/service_state.ts";
import { createPrefixLimits, type PrefixLimits } from "../rate_limit/prefix_limits.ts";
import { createRateLimiter, type RateLimiter } from "../rate_limit/limiter.ts";
import type { RunEnd } from "../rules/lease.ts";
import type { Prices } from "../rules/prices.ts";
import type { Registrar } from "../rules/tables/registrars.ts";
import { guardKv } from "../store/guarded_kv.ts";
import { createKeyFinder, type KeyFinder } from "../store/key_finder.ts";
import { createLeases } from "../store/leases.ts";
import { createPopularStore } from "../store/popular.ts";
import { createProcessCount } from "../store/process_count.ts";
import { createDomains } from "./domains.ts";
import { DNS_AT_ONCE, MAX_QUEUE_MS } from "./upstreams.ts";
import type { Platform } from "./platform.ts";
import { createPrices } from "./prices.ts";

/** The state of an upstream at its last use. */
export type UpstreamState = "ok" | "failing" | "unused";

/** The health of the service, as `/health` and the metrics report it. */
export interface ServiceHealth {
  uptimeSeconds(): number;
  checks(): Record<"kv" | "dns" | "rdap" | "rpc", UpstreamState>;
  tlds(): TableState;
  /** By TLD, the number of 404s with a text that no rule reads. */
  unreadNotices(): Readonly<Record<string, number>>;
  /** The last ends of jobs that this process knows. */
  jobs(): Record<string, RunEnd>;
  /** The hosts that are in a cooldown or whose last answer was not usable. */
  registries(): HostProblem[];
  /** The result of the last canary test, by TLD. */
  canaries: CanaryRecords["states"];
  /** The TLDs whose WHOIS server is needed for "available". */
  neededWhois: WhoisWitness["needed"];
  /** Whether the rate limiter shares its windows through KV, or decides without it. */
  limiter(): "shared" | "alone";
  /** How many processes share KV, as far as this one knows. */
  processes(): number;
}

/** What the operations and tools use. */
export interface OperationServices {
  version: string;
  now: () => number;
  /** The time in ISO 8601. */
  timestamp: () => string;
  checkDomain: CheckDomain;
  /** Checks by the cache and DNS alone. */
  checkInDns: CheckDomain;
  startLookUps: StartLookUps;
  findDetails: FindDetails;
  ens: EnsLookups;
  tlds: Pick<TldTable, "enabled" | "fresh">;
  suffixes: Pick<Suffixes, "find" | "rowOf" | "list">;
  affiliateLinks: Readonly<Record<Registrar["slug"], string | undefined>>;
  operator: Operator;
  /** What look-ups of the last 24 hours show about the registries. */
  lastDay: AccuracyLog["lastDay"];
  /** Estimated prices of domains at the priced registrar. */
  prices(): Promise<Prices>;
  popular: Pick<PopularCounter, "count">;
  health: ServiceHealth;
  /** Whether KV answers and the service is not shutting down. */
  isReady(): Promise<boolean>;
}

/** Starts and stops the service's background work. */
export interface Lifecycle {
  /** Has the other processes on the KV count this one, until it stops. */
  announceProcess(): void;
  /** Refreshes the TLD table in the background, unless it is less than a day old. */
  renewTlds(): Promise<void>;
  /** Tests every registry without a test result in force, in the background. */
  renewCanaries(): Promise<void>;
  /** The job runner and the dependencies of the jobs. */
  jobs: { runner: JobRunner; dependencies: JobDependencies };
  /** Aborted when the service starts to shut down. */
  ending: AbortSignal;
  /** Makes the service not ready, and stops the jobs. */
  drain(): void;
  /** Cancels all upstream requests: their callers get `unknown`. */
  giveUp(): void;
  /** Cancels what is running; settles when KV may be closed. */
  stop(): Promise<void>;
}

/** The whole service, as the app, the command line and the jobs use it. */
export interface Services extends OperationServices, Lifecycle {
  /** The current cooldown of a TLD's registry. */
  pauseOf(tld: string): Promise<RegistryPause>;
  metrics: Pick<Metrics, "requests" | "requestTime">;
  /** Names the span of the current request; absent without OpenTelemetry. */
  nameSpan: Platform["nameSpan"];
  /** All metrics in Prometheus' text format. */
  printMetrics(): string;
  limits: Limits;
}

/** The remaining cooldown of a registry's host in ms; 0 if it may be asked. */
export interface RegistryPause {
  host: string;
  ms: number;
}

/** The rate limits, and how clients are identified. */
export interface Limits {
  /** Requests in 60 s for an address, and for an API key without its own limit. */
  readonly perAddress: number;
  readonly perKey: number;
  readonly trustedProxies: number;
  readonly limiter: Pick<RateLimiter, "admit" | "peek">;
  readonly keys: KeyFinder;
  /** The bounds of IPv6 networks that hold many clients. */
  readonly prefixes: PrefixLimits;
}

/** Composes the service. It sends no request before the first look-up or refresh. */
export function createServices(
  config: Config,
  platform: Platform,
  options: {
    /** How many findings are kept in memory, in front of KV; as many as suit a server if absent. */
    memoryFindings?: number;
    /**
     * For how many ms before its start it believes the passes and available names that KV has; 0, as suits a server whose
     * KV may be an older copy, if absent.
     */
    believedMs?: number;
  } = {},
): Services {
  const { log, now, monotonic, version, timeouts } = platform;
  const startedAt = now();
  const background = createBackground((error) =>
    log.error("background.failed", { error: `${error}` })
  );
  const metrics = createMetrics();
  const guarded = guardKv(platform.kv, { report: log.warn, monotonic, ...timeouts?.kv });
  const kv = observedKv(guarded, metrics, monotonic);
  const stopping = new AbortController();
  const { signal: stopped } = stopping;
  const processes = createProcessCount(kv, {
    beforeBeat: () => domains.readCanaries(),
    now,
    monotonic,
  });
  const hosts = createUpstreamHosts({ report: log.warn, now, monotonic });
  const domains = createDomains(config, platform, {
    kv,
    hosts,
    processes,
    background,
    metrics,
    stop: stopped,
    ...options,
  });
  const { upstreams, tlds, checkDomain, checkInDns, renewCanaries } = domains;
  const alone = measureFallbackTime(log.warn, monotonic);
  const limiter = createRateLimiter({
    kv: platform.kv,
    now,
    monotonic,
    report: alone.report,
    processes: processes.current,
    ...timeouts?.kv,
  });
  const ens = lazy(async () => {
    const { createEns } = await import("./ens.ts");
    return createEns(config, platform, { kv, hosts, metrics, stop: stopped });
  });
  const askEns = observedEns({
    check: async (label) => (await ens.get()).check(label),
    details: async (label) => (await ens.get()).details(label),
    profile: async (label) => (await ens.get()).profile(label),
  }, metrics);
  const popular = createPopularCounter({
    store: createPopularStore(kv, { now }),
    reportFault: log.error,
    now,
  });
  const prices = createPrices(config, platform, { kv, hosts, tlds, metrics, stop: stopped });
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
    domainWarmer(tlds, domains),
    ensWarmer(async (label, until) => (await ens.get()).renew(label, until)),
  ];

  function inBackground(task: Promise<void>): Promise<void> {
    background.run(task);
    return task;
  }

  const readiness = createSingleFlight<boolean>();
  const readKv = async () => await kv.attempt((kv) => kv.get(["tlds"]), false) !== false;

  async function stop(): Promise<void> {
    ending.abort();
    stopping.abort();
    await background.settled();
    await popular.stop();
    await limiter.settled();
    await processes.stop();
    await domains.settled();
    await kv.settled();
  }

  const services: Services = {
    version,
    now,
    timestamp: createTimestamps(now),
    checkDomain,
    checkInDns,
    startLookUps: createStartLookUps({
      expect: domains.expectCheck,
      turns: createTurns({ atOnce: DNS_AT_ONCE, monotonic }),
      maxWaitMs: MAX_QUEUE_MS,
    }),
    findDetails: createFindDetails({
      checkDomain,
      ens: askEns,
      records: domains.registryRecords,
      suffixes: domains.suffixes,
      now,
    }),
    ens: askEns,
    tlds,
    suffixes: domains.suffixes,
    lastDay: domains.accuracy.lastDay,
    prices: prices.current,
    popular,
    async pauseOf(tld) {
      const row = await domains.suffixes.rowOf(tld);
      const host = row === undefined ? tld : new URL(row.rdapBase).host;
      return { host, ms: await upstreams.registries.pauseMs(host) };
    },
    affiliateLinks: affiliateLinksOf(config),
    operator: operatorOf(config),
    health: {
      uptimeSeconds: () => Math.floor((now() - startedAt) / 1_000),
      checks: () => ({
        kv: stateOf(limiter.isOnFallback() || kv.isFailing()),
        dns: stateOf(domains.isDnsFailing()),
        rdap: stateOf(domains.isRdapFailing()),
        rpc: stateOf(ens.peek()?.isFailing()),
      }),
      tlds: tlds.state,
      unreadNotices: domains.unreadNotices,
      jobs: () => Object.fromEntries(ends),
      registries: hosts.problems,
      canaries: domains.canaryStates,
      neededWhois: domains.upstreams.whois.needed,
      limiter: () => limiter.isOnFallback() ? "alone" : "shared",
      processes: processes.current,
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
      prefixes: createPrefixLimits({ now }),
    },
    // One read at a time: requests for it are not counted.
    isReady: async () => !ending.signal.aborted && await readiness.run("kv", readKv),
    announceProcess: processes.start,
    renewTlds: () => inBackground(tlds.renew().then(() => {})),
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

function stateOf(failing: boolean | undefined): UpstreamState {
  return failing === undefined ? "unused" : failing ? "failing" : "ok";
}
