/** The composition root of the service: adds jobs, limits, health and metrics to the look-ups. */
import { createJobRunner } from "../../cron/job.ts";
import type { Config } from "../config.ts";
import { createSingleFlight } from "../flow/cache/flight.ts";
import { createPopularCounter } from "../lookup/popular_counter.ts";
import { createPriceTable } from "../lookup/price_table.ts";
import { domainWarmer, ensWarmer } from "../lookup/warmers.ts";
import { createWatch } from "../lookup/watch.ts";
import { formatMetrics, serviceFamilies } from "../metrics/metrics.ts";
import { createRateLimiter } from "../rate_limit/limiter.ts";
import { createPrefixLimits } from "../rate_limit/prefix_limits.ts";
import { createFileFetch, throughHosts } from "../sources/http.ts";
import { createKeyFinder } from "../store/keys.ts";
import { createPopularStore, createPriceStore, createWatchLogs } from "../store/records.ts";
import { createLookUps, type LookUps } from "./look_ups.ts";
import { type Platform, VERSION } from "./platform.ts";

/** The whole service, as the app, its operations and MCP use it. */
export type Services = ReturnType<typeof createServices>;

/** Composes the service. It sends no request before the first look-up or refresh. */
export function createServices(config: Config, platform: Platform) {
  const { log, now, monotonic, timeouts } = platform;
  const startedAt = now();
  const lookUps = createLookUps(config, platform);
  const { base: { kv, hosts, metrics }, tlds } = lookUps;
  const jobs = createJobs(lookUps);
  const { popular, prices } = jobs.dependencies;
  const limiter = createRateLimiter({
    kv: platform.kv,
    now,
    monotonic,
    report: log.warn,
    ...timeouts?.kv,
  });
  const readiness = createSingleFlight<boolean>();
  const readKv = async () => await kv.attempt((kv) => kv.get(["tlds"])) !== undefined;
  /** As `/health` and the metrics report it. */
  const health = {
    uptimeSeconds: () => Math.floor((now() - startedAt) / 1_000),
    checks() {
      // An idle service uses KV for nothing else, and would report a fault that has passed.
      if (kv.isFailing()) void readKv();
      return {
        kv: stateOf(limiter.isOnFallback() || kv.isFailing()),
        dns: stateOf(lookUps.isDnsFailing()),
        rdap: stateOf(lookUps.isRdapFailing()),
        rpc: stateOf(lookUps.isEnsFailing()),
      };
    },
    tlds: tlds.state,
    /** By TLD, the number of 404s with a text that no rule reads. */
    unreadNotices: () => {
      const samples = metrics.unreadNotices.samples();
      return Object.fromEntries(samples.map(({ labels, value }) => [labels.tld, value]));
    },
    /** The last ends of jobs that this process knows. */
    jobs: jobs.runner.ends,
    /** The hosts that are in a cooldown or whose last answer was not usable. */
    registries: hosts.problems,
    canaries: lookUps.canaryStates,
    /** The TLDs whose WHOIS server is needed for "available". */
    neededWhois: lookUps.neededWhois,
    /** Whether the rate limiter shares its windows through KV, or decides without it. */
    limiter: (): "alone" | "shared" => limiter.isOnFallback() ? "alone" : "shared",
  };
  return {
    ...lookUps,
    tlds: { enabled: tlds.enabled, fresh: tlds.fresh },
    version: VERSION,
    now,
    /** The time in ISO 8601. */
    timestamp: () => new Date(now()).toISOString(),
    readWatched: jobs.readWatched,
    /** Estimated prices of domains at the priced registrar. */
    prices: prices.current,
    popular,
    /** By registrar; undefined where the operator has set none. */
    affiliateLinks: {
      porkbun: config.AFFILIATE_PORKBUN,
      namecheap: config.AFFILIATE_NAMECHEAP,
      godaddy: config.AFFILIATE_GODADDY,
    },
    /** Who runs the service, as far as its operator says so. */
    operator: {
      name: config.OPERATOR_NAME,
      /** An e-mail address, a URL, or any other words. */
      contact: config.OPERATOR_CONTACT,
      privacyUrl: config.PRIVACY_URL,
      /** Whether the platform traces requests, which Deno Deploy always does. */
      isTraced: config.DENO_DEPLOY !== undefined,
    },
    health,
    metrics,
    /** Names the span of the current request; absent without OpenTelemetry. */
    nameSpan: platform.nameSpan,
    /** All metrics in Prometheus' text format. */
    printMetrics() {
      const state = serviceFamilies({ version: VERSION, startedAt, health });
      return formatMetrics([...Object.values(metrics), ...state]);
    },
    /** The rate limits, and how clients are identified. */
    limits: {
      /** Requests in 60 s for an address, and for an API key without its own limit. */
      perAddress: config.RATE_LIMIT,
      perKey: config.RATE_LIMIT_KEY,
      trustedProxies: config.TRUSTED_PROXIES,
      limiter,
      keys: createKeyFinder(kv, { now }),
      /** The bounds of IPv6 networks that hold many clients. */
      prefixes: createPrefixLimits({ now }),
    },
    /** Whether KV answers and the service is not shutting down. One read at a time: requests for it are not counted. */
    isReady: async () => !lookUps.ending.aborted && await readiness.run("kv", readKv),
    jobs,
    /** Cancels what is running; settles when KV may be closed. */
    async stop() {
      lookUps.drain();
      lookUps.giveUp();
      await limiter.settled();
      // While the look-ups of a job may still count names.
      await popular.stop();
      await lookUps.stop();
    },
  };
}

/** The state of an upstream at its last use. */
function stateOf(failing: boolean | undefined): "ok" | "failing" | "unused" {
  return failing === undefined ? "unused" : failing ? "failing" : "ok";
}

/** Composes the jobs: their runner, and what they need besides the look-ups. */
function createJobs(lookUps: LookUps) {
  const { base, tlds, suffixes, observe, renewDomain, ens, ending } = lookUps;
  const { config, platform: { log, now, monotonic }, kv, hosts, background, metrics } = base;
  const popular = createPopularCounter({ store: createPopularStore(kv, { now }), now });
  const watch = createWatch({
    observe,
    logs: createWatchLogs(kv, { now }),
    renewDomain,
    renewEth: ens.renew,
    suffixes,
    now,
  });
  const dependencies = {
    tlds,
    canary: lookUps,
    popular,
    prices: createPriceTable({
      fetchList: createFileFetch(
        throughHosts(base.get, hosts.ofKind("prices")),
        config.PRICES_URL,
      ),
      // By TLD: USD for the first and for later years, and their date.
      store: createPriceStore(kv),
      enabled: tlds.enabled,
      now,
    }),
    warmers: [
      domainWarmer(tlds, lookUps, popular),
      ensWarmer(ens.renew, popular),
      watch.warmer,
    ],
    now,
  };
  const runner = createJobRunner({
    kv,
    dependencies,
    background,
    log,
    ending,
    onRun: (job, outcome) => metrics.jobs.add(1, { job, outcome }),
    now,
    monotonic,
  });
  return {
    runner,
    dependencies,
    ending,
    /** Reads a watched name for a feed; those that are read stay warm. */
    readWatched: watch.read,
  };
}
