/** The one joint: stores, upstreams and look-ups are put together here, and nowhere else. */
import type { Config } from "./config.ts";
import { type Background, createBackground } from "./flow/background.ts";
import { lazy } from "./flow/lazy.ts";
import { remembered } from "./flow/remembered.ts";
import { createTimestamps } from "./flow/timestamps.ts";
import { type CanaryWatch, createCanaryWatch } from "./lookup/canary.ts";
import { type CheckDomain, createCheckDomain, type Finding } from "./lookup/check.ts";
import type { EnsLookups } from "./lookup/ens.ts";
import type { Registries } from "./lookup/registry.ts";
import { createTldTable, type TldTable } from "./lookup/tld_table.ts";
import type { Registrar } from "./rules/registrars.ts";
import { isUpstreamUrl } from "./rules/upstream_url.ts";
import { createAnswers } from "./store/answers.ts";
import { createCanaries } from "./store/canaries.ts";
import { type GuardedKv, guardKv } from "./store/guarded_kv.ts";
import { createKeyFinder, type KeyFinder } from "./store/key_finder.ts";
import { createTldStore } from "./store/tld_rows.ts";
import { createWindows, type Windows } from "./store/windows.ts";
import { createUpstreams, type Upstreams, type World } from "./upstreams.ts";

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
  health: { uptimeSeconds(): number; checks(): Record<"kv" | "dns" | "rdap" | "rpc", Health> };
  limits: Limits;
  /** Whether KV answers and the service is not on its way out. */
  isReady(): Promise<boolean>;
  /** Refreshes the TLD table; nobody has to wait for it. */
  refreshTlds(): Promise<void>;
  /** Tests every registry whose last test is too long ago; likewise. */
  renewCanaries(): Promise<void>;
  /** From now on not ready. */
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

/** About 10 MB: 300 bytes a finding, and as much again for the map. */
const REMEMBERED_FINDINGS = 20_000;

/** Puts the service together. Nothing is asked of anybody before the first look-up or refresh. */
export function createServices(config: Config, world: World): Services {
  const { log, now, version } = world;
  const startedAt = now();
  const background = createBackground((error) =>
    log.error("background.failed", { error: `${error}` })
  );
  const kv = guardKv(world.kv, { report: log.warn, now });
  const upstreams = createUpstreams(config, world, kv);
  const { canary, tlds, checkDomain } = createLookups(config, world, kv, upstreams, background);
  const windows = createWindows({ kv: world.kv, now, report: log.warn });
  const ethereum = lazy(async () => {
    const { createEthereum } = await import("./ethereum.ts");
    return createEthereum(config, world, { kv, stop: upstreams.stop });
  });
  let draining = false;

  function inBackground(task: Promise<void>): Promise<void> {
    background.run(task);
    return task;
  }

  async function stop(): Promise<void> {
    upstreams.close();
    await background.settled();
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
        kv: health(windows.isAlone() || kv.isFailing()),
        dns: health(upstreams.isDnsFailing()),
        rdap: health(isRdapFailing(upstreams.registries, canary)),
        rpc: health(ethereum.made()?.isFailing()),
      }),
    },
    limits: {
      perAddress: config.RATE_LIMIT,
      perKey: config.RATE_LIMIT_KEY,
      trustedProxies: config.TRUSTED_PROXIES,
      windows,
      keys: createKeyFinder(kv, { now }),
    },
    isReady: async () => !draining && await kv.attempt((kv) => kv.get(["tlds"]), false) !== false,
    refreshTlds: () => inBackground(tlds.refresh()),
    renewCanaries: () => inBackground(tlds.fresh().then(canary.renew)),
    drain: () => void (draining = true),
    giveUp: upstreams.close,
    stop,
  };
}

/** The look-ups over those systems and what KV keeps. */
function createLookups(
  config: Config,
  { log, now }: World,
  kv: GuardedKv,
  { isDelegated, registries, fetchBootstrap, stop }: Upstreams,
  background: Background,
) {
  const { ask } = registries;
  const canary = createCanaryWatch({
    ask,
    isDelegated,
    store: createCanaries(kv, { now }),
    stop,
    report: log.info,
    now,
  });
  const tlds = createTldTable({
    wanted: config.TLDS,
    fetchFile: fetchBootstrap,
    store: createTldStore(kv),
    isAllowed: (base) => isUpstreamUrl(base, config.ALLOW_INSECURE_UPSTREAMS),
    report: log.info,
  });
  const answers = createAnswers<Finding>(kv, { keyOf: domainKey, now });
  const checkDomain = createCheckDomain({
    isDelegated,
    ask,
    canary,
    rowOf: async (tld) => (await tlds.fresh()).find((row) => row.tld === tld),
    keep: remembered(answers, { max: REMEMBERED_FINDINGS, now }),
    background,
    report: log.debug,
    reportFault: log.error,
    now,
  });
  return { canary, tlds, checkDomain };
}

function domainKey(domain: string): Deno.KvKey {
  const [label = "", tld = ""] = domain.split(".");
  return ["domain", tld, label];
}

function isRdapFailing(registries: Registries, canary: CanaryWatch): boolean | undefined {
  if (registries.coolingHosts().length > 0 || canary.failing().length > 0) return true;
  return registries.wereAsked() ? false : undefined;
}

function health(failing: boolean | undefined): Health {
  return failing === undefined ? "unused" : failing ? "failing" : "ok";
}
