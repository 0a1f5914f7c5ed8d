/** The outside systems: put together with their gates, behind what the look-ups ask for. */
import type { Config } from "./config.ts";
import { createGate, type Turn } from "./flow/gate.ts";
import type { Log } from "./log.ts";
import { createRegistries, type Registries } from "./lookup/registry.ts";
import type { DnsAnswer } from "./rules/answer.ts";
import { hostManners } from "./rules/hosts.ts";
import { createBootstrapFetch, type FetchBootstrap } from "./sources/bootstrap.ts";
import { type CheckDelegation, createDelegationCheck, type ResolveNs } from "./sources/dns.ts";
import { createGuardedGet } from "./sources/http.ts";
import { createRdapQuestion } from "./sources/rdap.ts";
import type { GuardedKv } from "./store/guarded_kv.ts";
import { createCooldowns } from "./store/hosts.ts";

/** What the service takes from the outside world. */
export interface World {
  kv: Deno.Kv;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  resolveNs: ResolveNs;
  log: Log;
  now: () => number;
  version: string;
}

/** The outside systems as the look-ups see them. */
export interface Upstreams {
  isDelegated: CheckDelegation;
  /** Whether DNS failed when it was last asked; undefined before. */
  isDnsFailing(): boolean | undefined;
  registries: Registries;
  fetchBootstrap: FetchBootstrap;
}

/** A turn that comes later than this is no answer to somebody who waits. */
const MAX_QUEUE_MS = 15_000;
const DNS_AT_ONCE = 64;

/** The outside systems of a domain check, each behind its gate; `stop` gives up what is asked and refuses what would be. */
export function createUpstreams(
  config: Config,
  { fetch, resolveNs, log, now }: World,
  { kv, stop }: { kv: GuardedKv; stop: AbortSignal },
): Upstreams {
  const allowInsecure = config.ALLOW_INSECURE_UPSTREAMS;
  const get = createGuardedGet({ fetch, allowInsecure, stop });
  const dnsPace = { concurrency: DNS_AT_ONCE, burst: DNS_AT_ONCE, everyMs: 0 };
  const dnsGate = createGate({ paceOf: () => dnsPace, maxWaitMs: MAX_QUEUE_MS, now });
  const rdapGate = createGate({ paceOf: hostManners, maxWaitMs: MAX_QUEUE_MS, now });
  const resolve = createDelegationCheck({
    resolveNs,
    gate: dnsGate,
    stop,
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
  };
}
