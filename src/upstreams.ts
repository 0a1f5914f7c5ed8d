/** The outside systems: put together with their gates, behind what the look-ups ask for. */
import type { Config } from "./config.ts";
import { createGate, type Pace, type Turn } from "./flow/gate.ts";
import { createOwnSchedule, type Schedule } from "./flow/schedule.ts";
import { createSharedSchedule } from "./flow/shared_schedule.ts";
import type { Log } from "./log.ts";
import { createHostStates, type HostStates } from "./lookup/host_states.ts";
import { createRegistries, type Registries } from "./lookup/registry.ts";
import {
  observedGate,
  observedRegistry,
  observedRequests,
  observedResolver,
} from "./metrics/observed.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { DnsAnswer } from "./rules/answer.ts";
import { hostManners } from "./rules/hosts.ts";
import { createBootstrapFetch, type FetchBootstrap } from "./sources/bootstrap.ts";
import { type CheckDelegation, createDelegationCheck, type ResolveNs } from "./sources/dns.ts";
import { createGuardedGet } from "./sources/http.ts";
import { createRdapQuestion } from "./sources/rdap.ts";
import type { GuardedKv } from "./store/guarded_kv.ts";
import { createCooldowns } from "./store/hosts.ts";
import type { Kv } from "./store/open_kv.ts";
import { createPaces } from "./store/paces.ts";

/** What the service takes from the outside world. */
export interface World {
  kv: Kv;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  resolveNs: ResolveNs;
  log: Log;
  /** The wall clock, for facts: ms since 1970. */
  now: () => number;
  /** A clock in ms that is never set back, for waiting. */
  monotonic: () => number;
  version: string;
  /** Names the span of the request that is being answered by its route; absent without OpenTelemetry. */
  nameSpan?: ((method: string, route: string) => void) | undefined;
  /** How fast each RDAP host is asked; the table of `src/rules/hosts.ts` if absent. */
  paceOf?: (host: string) => Pace;
}

/** The outside systems as the look-ups see them. */
export interface Upstreams {
  isDelegated: CheckDelegation;
  /** Whether DNS failed when it was last asked; undefined before. */
  isDnsFailing(): boolean | undefined;
  registries: Registries;
  hostStates: Pick<HostStates, "troubled">;
  fetchBootstrap: FetchBootstrap;
}

/** A turn that comes later than this is no answer to somebody who waits. */
const MAX_QUEUE_MS = 15_000;
const DNS_AT_ONCE = 64;

/** The outside systems of a domain check, each behind its gate; `stop` gives up what is asked and refuses what would be. */
export function createUpstreams(
  config: Config,
  { fetch, resolveNs, log, now, monotonic, paceOf = hostManners }: World,
  { kv, metrics, stop }: { kv: GuardedKv; metrics: Metrics; stop: AbortSignal },
): Upstreams {
  const allowInsecure = config.ALLOW_INSECURE_UPSTREAMS;
  const bareGet = createGuardedGet({ fetch, allowInsecure, stop, monotonic });
  const get = observedRequests(bareGet, metrics, monotonic);
  const dnsPace = { concurrency: DNS_AT_ONCE, burst: DNS_AT_ONCE, everyMs: 0 };
  const dnsGate = observedGate(
    createGate({ paceOf: () => dnsPace, maxWaitMs: MAX_QUEUE_MS, monotonic }),
    metrics,
    monotonic,
  );
  const rdapGate = observedGate(
    createGate({
      paceOf,
      maxWaitMs: MAX_QUEUE_MS,
      monotonic,
      scheduleOf: createHostSchedules(kv, { now, monotonic }),
    }),
    metrics,
    monotonic,
  );
  const resolve = createDelegationCheck({
    resolveNs: observedResolver(resolveNs, metrics, monotonic),
    gate: dnsGate,
    stop,
    now,
    ...(config.DNS_SERVER && { nameServer: config.DNS_SERVER }),
  });
  for (const gate of [dnsGate, rdapGate]) {
    if (stop.aborted) gate.close();
    else stop.addEventListener("abort", gate.close, { once: true });
  }
  let dnsFailing: boolean | undefined;

  async function isDelegated(domain: string, turn?: Turn): Promise<DnsAnswer> {
    const answer = await resolve(domain, turn);
    if (answer.kind !== "failed") dnsFailing = false;
    // What it was not asked says nothing of DNS.
    else if (answer.fault === "down") dnsFailing = true;
    return answer;
  }

  const question = createRdapQuestion({ get, now });
  const cooldowns = createCooldowns(kv, { now });
  const hostStates = createHostStates({ monotonic });
  const registries = createRegistries({
    async question(base, domain) {
      const answer = await question(base, domain);
      hostStates.noteAnswer(new URL(base).host, answer);
      return answer;
    },
    gate: rdapGate,
    cooldowns: {
      async leftMs(host) {
        const leftMs = await cooldowns.leftMs(host);
        if (leftMs > 0) hostStates.notePause(host, leftMs);
        return leftMs;
      },
      set(host, pauseMs) {
        hostStates.notePause(host, pauseMs);
        return cooldowns.set(host, pauseMs);
      },
    },
    report: log.warn,
    monotonic,
    now,
  });
  return {
    isDelegated,
    isDnsFailing: () => dnsFailing,
    registries: { ...registries, ask: observedRegistry(registries.ask, metrics) },
    hostStates,
    fetchBootstrap: createBootstrapFetch(get, config.RDAP_BOOTSTRAP_URL),
  };
}

/** The schedules of hosts: one that all processes on the KV share, where a host has a pace. */
export function createHostSchedules(
  kv: GuardedKv,
  { now, monotonic }: Pick<World, "now" | "monotonic">,
): (host: string, pace: Pace, wake: () => void) => Schedule {
  const paces = createPaces(kv);
  const taker = crypto.randomUUID();
  return (host, pace, wake) => {
    if (pace.everyMs === 0) return createOwnSchedule(pace, { monotonic });
    return createSharedSchedule(pace, {
      change: (next) => paces.change(host, next),
      taker,
      horizonMs: MAX_QUEUE_MS,
      now,
      monotonic,
      wake,
    });
  };
}
