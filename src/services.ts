/** The one joint: stores, upstreams and look-ups are put together here, and nowhere else. */
import type { Config } from "./config.ts";
import { createDomains } from "./domains.ts";
import { createBackground } from "./flow/background.ts";
import { lazy } from "./flow/lazy.ts";
import { createTimestamps } from "./flow/timestamps.ts";
import type { CheckDomain } from "./lookup/check.ts";
import type { EnsLookups } from "./lookup/ens.ts";
import { createPopular, type Popular } from "./lookup/popular.ts";
import type { TableState, TldTable } from "./lookup/tld_table.ts";
import type { RunEnd } from "./rules/lease.ts";
import type { Prices, Registrar } from "./rules/registrars.ts";
import { guardKv } from "./store/guarded_kv.ts";
import { createKeyFinder, type KeyFinder } from "./store/key_finder.ts";
import { createWindows, type Windows } from "./store/windows.ts";
import type { Upkeep } from "./upkeep.ts";
import type { World } from "./upstreams.ts";

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
    /** How runs of jobs ended, as far as this process knows. */
    jobs(): Record<string, RunEnd>;
  };
  limits: Limits;
  /** Whether KV answers and the service is not on its way out. */
  isReady(): Promise<boolean>;
  /** Refreshes the TLD table; nobody has to wait for it. */
  refreshTlds(): Promise<void>;
  /** Tests every registry whose last test is too long ago; likewise. */
  renewCanaries(): Promise<void>;
  /** What the jobs work with; it is read when it is first asked for. */
  openUpkeep(): Promise<Upkeep>;
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
  readonly windows: Pick<Windows, "admit" | "peek">;
  readonly keys: KeyFinder;
}

/** Puts the service together. Nothing is asked of anybody before the first look-up or refresh. */
export function createServices(config: Config, world: World): Services {
  const { log, now, version } = world;
  const startedAt = now();
  const background = createBackground((error) =>
    log.error("background.failed", { error: `${error}` })
  );
  const kv = guardKv(world.kv, { report: log.warn, now });
  const stopping = new AbortController();
  const { signal: stopped } = stopping;
  const domains = createDomains(config, world, { kv, background, stop: stopped });
  const { inquiry, tlds, checkDomain, renewDomain, renewCanaries } = domains;
  const windows = createWindows({ kv: world.kv, now, report: log.warn });
  const ethereum = lazy(async () => {
    const { createEthereum } = await import("./ethereum.ts");
    return createEthereum(config, world, { kv, stop: stopped });
  });
  const popular = createPopular({
    openStore: async () => (await import("./store/popular.ts")).createPopularStore(kv, { now }),
    reportFault: log.error,
  });
  const prices = lazy(async () => {
    const { createPrices } = await import("./prices.ts");
    return createPrices(config, world, { kv, stop: stopped });
  });
  const ending = new AbortController();
  const ends = new Map<string, RunEnd>();
  const upkeep = lazy(async () => {
    const { createUpkeep } = await import("./upkeep.ts");
    const { domainNames, ethNames } = await import("./lookup/askables.ts");
    // A line makes another kind of name be kept warm.
    const askables = [
      domainNames(tlds, renewDomain),
      ethNames(async (label, until) => (await ethereum.get()).renew(label, until)),
    ];
    const { canary } = await inquiry.get();
    const work = { tlds, canary, popular, prices: await prices.get(), askables, now };
    const onEnd = (job: string, end: RunEnd) => void ends.set(job, end);
    return createUpkeep(work, { kv, background, log, ending: ending.signal, onEnd });
  });

  function inBackground(task: Promise<void>): Promise<void> {
    background.run(task);
    return task;
  }

  async function stop(): Promise<void> {
    ending.abort();
    stopping.abort();
    await background.settled();
    await popular.stop();
    await windows.settled();
    await kv.settled();
  }

  return {
    version,
    now,
    timestamp: createTimestamps(now),
    checkDomain,
    ens: {
      check: async (label) => (await ethereum.get()).check(label),
      profile: async (label) => (await ethereum.get()).profile(label),
    },
    tlds,
    prices: async () => (await prices.get()).current(),
    popular,
    async pauseOf(tld) {
      const row = (await tlds.fresh()).find((row) => row.tld === tld);
      const host = row === undefined ? tld : new URL(row.rdapBase).host;
      return { host, ms: await (await inquiry.get()).registries.pauseMs(host) };
    },
    affiliateLinks: {
      porkbun: config.AFFILIATE_PORKBUN,
      namecheap: config.AFFILIATE_NAMECHEAP,
      godaddy: config.AFFILIATE_GODADDY,
    },
    health: {
      uptimeSeconds: () => Math.floor((now() - startedAt) / 1_000),
      checks: () => ({
        kv: health(windows.isAlone() || kv.isFailing()),
        dns: health(inquiry.made()?.isDnsFailing()),
        rdap: health(domains.isRdapFailing()),
        rpc: health(ethereum.made()?.isFailing()),
      }),
      tlds: tlds.state,
      jobs: () => Object.fromEntries(ends),
    },
    limits: {
      perAddress: config.RATE_LIMIT,
      perKey: config.RATE_LIMIT_KEY,
      trustedProxies: config.TRUSTED_PROXIES,
      windows,
      keys: createKeyFinder(kv, { now }),
    },
    isReady: async () =>
      !ending.signal.aborted && await kv.attempt((kv) => kv.get(["tlds"]), false) !== false,
    refreshTlds: () => inBackground(tlds.refresh().then(() => {})),
    renewCanaries: () => inBackground(renewCanaries()),
    openUpkeep: upkeep.get,
    ending: ending.signal,
    drain: () => ending.abort(),
    giveUp: () => stopping.abort(),
    stop,
  };
}

function health(failing: boolean | undefined): Health {
  return failing === undefined ? "unused" : failing ? "failing" : "ok";
}
