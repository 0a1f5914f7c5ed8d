/** The one joint: adapters and look-ups are put together here, and nowhere else. */
import type { Config } from "./config.ts";
import { type Background, createBackground } from "./flow/background.ts";
import { createGate } from "./flow/gate.ts";
import { remembered } from "./flow/remembered.ts";
import type { Log } from "./log.ts";
import { type CanaryWatch, createCanaryWatch } from "./lookup/canary.ts";
import { type CheckDomain, createCheckDomain, type Finding } from "./lookup/check.ts";
import { createRegistries, type Registries } from "./lookup/registry.ts";
import { createTldTable, type TldTable } from "./lookup/tld_table.ts";
import type { DnsAnswer } from "./rules/answer.ts";
import { hostManners } from "./rules/hosts.ts";
import type { Registrar } from "./rules/registrars.ts";
import { isUpstreamUrl } from "./rules/upstream_url.ts";
import { createBootstrapFetch } from "./sources/bootstrap.ts";
import { createDelegationCheck, type ResolveNs } from "./sources/dns.ts";
import { createGuardedGet } from "./sources/http.ts";
import { createRdapQuestion } from "./sources/rdap.ts";
import { createAnswers } from "./store/answers.ts";
import { createCanaries } from "./store/canaries.ts";
import { type GuardedKv, guardKv } from "./store/guarded_kv.ts";
import { createCooldowns } from "./store/hosts.ts";
import { createTldStore } from "./store/tld_rows.ts";

/** What the service takes from the outside world. */
export interface World {
  kv: Deno.Kv;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  resolveNs: ResolveNs;
  log: Log;
  now: () => number;
  version: string;
}

/** How an outside system fared when it was last asked. */
export type Health = "ok" | "failing" | "unused";

/** What the operations run on, and how the service comes and goes. */
export interface Services {
  version: string;
  now: () => number;
  checkDomain: CheckDomain;
  tlds: Pick<TldTable, "enabled" | "fresh">;
  affiliateLinks: Readonly<Record<Registrar["slug"], string | undefined>>;
  health: { uptimeSeconds(): number; checks(): Record<"kv" | "dns" | "rdap" | "rpc", Health> };
  /** Whether KV answers and the service is not on its way out. */
  isReady(): Promise<boolean>;
  /** Refreshes the TLD table, without anybody waiting for it. */
  refreshTlds(): void;
  /** Tests every registry whose last test is too long ago, likewise. */
  renewCanaries(): void;
  /** From now on not ready. */
  drain(): void;
  /** Gives up what is asked of upstreams: whoever waits for it is told "unknown". */
  giveUp(): void;
  /** Gives up what is under way and settles once KV may be closed. */
  stop(): Promise<void>;
}

/** A turn that comes later than this is no answer to somebody who waits. */
const MAX_QUEUE_MS = 15_000;
const DNS_AT_ONCE = 64;
/** About 10 MB: 300 bytes a finding, and as much again for the map. */
const REMEMBERED_FINDINGS = 20_000;

/** Puts the service together. Nothing is asked of anybody before `start` or the first check. */
export function createServices(config: Config, world: World): Services {
  const { log, now, version } = world;
  const startedAt = now();
  const background = createBackground((error) =>
    log.error("background.failed", { error: `${error}` })
  );
  const kv = guardKv(world.kv, { report: log.warn, now });
  const upstreams = createUpstreams(config, world, kv);
  const { canary, tlds, checkDomain } = createLookups(config, world, kv, upstreams, background);
  let draining = false;

  async function stop(): Promise<void> {
    upstreams.close();
    await background.settled();
    await kv.settled();
  }

  return {
    version,
    now,
    checkDomain,
    tlds,
    affiliateLinks: {
      porkbun: config.AFFILIATE_PORKBUN,
      namecheap: config.AFFILIATE_NAMECHEAP,
      godaddy: config.AFFILIATE_GODADDY,
    },
    health: {
      uptimeSeconds: () => Math.floor((now() - startedAt) / 1_000),
      checks: () => ({
        kv: health(kv.isFailing()),
        dns: health(upstreams.isDnsFailing()),
        rdap: health(isRdapFailing(upstreams.registries, canary)),
        rpc: "unused",
      }),
    },
    isReady: async () => !draining && await kv.attempt((kv) => kv.get(["tlds"]), false) !== false,
    refreshTlds: () => background.run(tlds.refresh()),
    renewCanaries: () => background.run(tlds.fresh().then(canary.renew)),
    drain: () => void (draining = true),
    giveUp: upstreams.close,
    stop,
  };
}

/** The outside systems of a domain check, each behind its gate. */
function createUpstreams(config: Config, { fetch, resolveNs, log, now }: World, kv: GuardedKv) {
  const stopping = new AbortController();
  const allowInsecure = config.ALLOW_INSECURE_UPSTREAMS;
  const get = createGuardedGet({ fetch, allowInsecure, stop: stopping.signal });
  const dnsPace = { concurrency: DNS_AT_ONCE, burst: DNS_AT_ONCE, everyMs: 0 };
  const dnsGate = createGate({ paceOf: () => dnsPace, maxWaitMs: MAX_QUEUE_MS, now });
  const rdapGate = createGate({ paceOf: hostManners, maxWaitMs: MAX_QUEUE_MS, now });
  const resolve = createDelegationCheck({
    resolveNs,
    gate: dnsGate,
    stop: stopping.signal,
    ...(config.DNS_SERVER && { nameServer: config.DNS_SERVER }),
  });
  let dnsFailing: boolean | undefined;

  async function isDelegated(domain: string): Promise<DnsAnswer> {
    const answer = await resolve(domain);
    dnsFailing = answer.kind === "failed";
    return answer;
  }

  const registries = createRegistries({
    question: createRdapQuestion({ get, now }),
    gate: rdapGate,
    cooldowns: createCooldowns(kv, { now }),
    report: log.warn,
    now,
  });
  return {
    isDelegated,
    isDnsFailing: () => dnsFailing,
    registries,
    fetchBootstrap: createBootstrapFetch(get, config.RDAP_BOOTSTRAP_URL),
    close() {
      stopping.abort();
      dnsGate.close();
      rdapGate.close();
    },
  };
}

/** The look-ups over those systems and what KV keeps. */
function createLookups(
  config: Config,
  { log, now }: World,
  kv: GuardedKv,
  { isDelegated, registries, fetchBootstrap }: ReturnType<typeof createUpstreams>,
  background: Background,
) {
  const { ask } = registries;
  const canary = createCanaryWatch({
    ask,
    isDelegated,
    store: createCanaries(kv, { now }),
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
  const answers = createAnswers<Finding>(kv, { prefix: "domain", now });
  const checkDomain = createCheckDomain({
    isDelegated,
    ask,
    canary,
    rowOf: async (tld) => (await tlds.fresh()).find((row) => row.tld === tld),
    keep: remembered(answers, { max: REMEMBERED_FINDINGS, now }),
    background,
    report: log.debug,
    now,
  });
  return { canary, tlds, checkDomain };
}

function isRdapFailing(registries: Registries, canary: CanaryWatch): boolean | undefined {
  if (registries.coolingHosts().length > 0 || canary.failing().length > 0) return true;
  return registries.wereAsked() ? false : undefined;
}

function health(failing: boolean | undefined): Health {
  return failing === undefined ? "unused" : failing ? "failing" : "ok";
}
