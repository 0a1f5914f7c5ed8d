/** Composes DNS and the registries, each behind its gate, as the look-ups see them. */
import type { Config } from "../config.ts";
import { cached, type CachedLookup } from "../flow/cache/cached.ts";
import { createGate, type Gate, type Pace } from "../flow/queue/gate.ts";
import { createMemoryCache } from "../flow/cache/memory_cache.ts";
import { createLearntConcurrency } from "../flow/queue/learnt_concurrency.ts";
import { createOwnSchedule, type Schedule } from "../flow/queue/schedule.ts";
import { createSharedSchedule } from "../flow/queue/shared_schedule.ts";
import type { UpstreamHost, UpstreamHosts } from "../flow/upstream_host.ts";
import { createRegistries, type Registries } from "../lookup/registries.ts";
import type { Metrics } from "../metrics/metrics.ts";
import {
  observedGate,
  observedRegistry,
  observedRequests,
  observedResolver,
} from "../metrics/observed.ts";
import { hostPolicy } from "../rules/tables/host_policies.ts";
import { createBootstrapFetch, type FetchBootstrap } from "../sources/bootstrap.ts";
import {
  type CheckDelegation,
  createDelegationCheck,
  createForSaleQuestion,
  FOR_SALE_QUEUE,
  type ForSaleAnswer,
  forSaleLifetimeMs,
  type ResolveNs,
} from "../sources/dns.ts";
import { type AskDenial, createDenialQuestion } from "../sources/dns_denial.ts";
import { createGuardedGet, notingReplies } from "../sources/http.ts";
import { createRdapQuestion } from "../sources/rdap.ts";
import { createCooldowns } from "../store/cooldowns.ts";
import type { GuardedKv } from "../store/guarded_kv.ts";
import { createPaces } from "../store/paces.ts";
import type { Platform } from "./platform.ts";

/** DNS, the registries and IANA's table, as the look-ups see them. */
export interface Upstreams {
  isDelegated: CheckDelegation;
  /** The same question to the second resolver; undefined if the operator has set none. */
  isDelegatedByFallback: CheckDelegation | undefined;
  /** Whether a resolver at an address that the operator has set says of a made-up name that it does not exist. */
  denies: AskDenial | undefined;
  deniesByFallback: AskDenial | undefined;
  askForSale: CachedLookup<string, ForSaleAnswer>["answer"];
  resolverName: "system" | "resolver";
  /** Whether the last question to the first resolver failed; undefined before it. */
  isDnsFailing(): boolean | undefined;
  registries: Registries;
  /** The queues of RDAP hosts. */
  rdapGate: Gate;
  fetchBootstrap: FetchBootstrap;
}

/** The longest wait in a queue: clients do not wait longer. */
export const MAX_QUEUE_MS = 15_000;
/** Questions to a resolver at once; to the first one more while it answers as fast. */
export const DNS_AT_ONCE = 64;
const MOST_DNS_AT_ONCE = 128;
const FIRST_RESOLVER_QUEUE = "dns";
/** Of the questions whether a name is for sale; few, because its holder may make each of them slow. */
const FOR_SALE_AT_ONCE = 8;
/** About 2 MB. */
const MAX_FOR_SALE = 5_000;

/** Composes them; `stop` cancels running questions and rejects new ones. */
export function createUpstreams(
  config: Config,
  { fetch, resolveNs, resolveTxt, now, monotonic, paceOf = hostPolicy, timeouts }: Platform,
  { kv, hosts, processes, metrics, stop }: {
    kv: GuardedKv;
    hosts: UpstreamHosts;
    processes: () => number;
    metrics: Metrics;
    stop: AbortSignal;
  },
): Upstreams {
  const allowInsecure = config.ALLOW_INSECURE_UPSTREAMS;
  const bareGet = createGuardedGet({ fetch, allowInsecure, stop });
  const get = observedRequests(bareGet, metrics, monotonic);
  const atOnce = (count: number) => ({ concurrency: count, burst: count, everyMs: 0 });
  const learnt = createLearntConcurrency({ least: DNS_AT_ONCE, most: MOST_DNS_AT_ONCE });
  const learntPace: Pace = {
    get concurrency() {
      return learnt.current;
    },
    burst: MOST_DNS_AT_ONCE,
    everyMs: 0,
  };
  const dnsGate = observedGate(
    createGate({
      paceOf(queue) {
        if (queue === FIRST_RESOLVER_QUEUE) return learntPace;
        return atOnce(queue === FOR_SALE_QUEUE ? FOR_SALE_AT_ONCE : DNS_AT_ONCE);
      },
      maxWaitMs: MAX_QUEUE_MS,
      monotonic,
    }),
    metrics,
    monotonic,
  );
  const rdapGate = observedGate(
    createGate({
      paceOf,
      maxWaitMs: MAX_QUEUE_MS,
      monotonic,
      scheduleOf: createHostSchedules(kv, { now, monotonic, processes }),
    }),
    metrics,
    monotonic,
  );
  const usual = { gate: dnsGate, stop, now };
  const resolver = {
    ...usual,
    ...(config.DNS_SERVER && { nameServer: config.DNS_SERVER }),
  };
  const observedNs = observedResolver(resolveNs, metrics, monotonic);
  const resolverOf = hosts.ofKind("dns");
  const resolverName = config.DNS_SERVER === undefined ? "system" : "resolver";
  // By the names that evidence has: /health is public, and the address of a resolver is not.
  const first = resolverOf(resolverName);
  const isDelegated = notingAnswers(
    createDelegationCheck({
      resolveNs: timedResolver(observedNs, learnt.note, monotonic),
      gateKey: FIRST_RESOLVER_QUEUE,
      ...resolver,
    }),
    first,
  );
  // In a queue of its own: in that of a resolver that does not answer it would wait for every time limit of that one.
  const isDelegatedByFallback = config.DNS_FALLBACK_SERVER && notingAnswers(
    createDelegationCheck({
      resolveNs: observedNs,
      nameServer: config.DNS_FALLBACK_SERVER,
      gateKey: "dns_fallback",
      ...usual,
    }),
    resolverOf("fallback"),
  );
  for (const gate of [dnsGate, rdapGate]) {
    if (stop.aborted) gate.close();
    else stop.addEventListener("abort", gate.close, { once: true });
  }
  const question = createRdapQuestion({ get, now, timeouts: timeouts?.rdap });
  const registries = createRegistries({
    question,
    gate: rdapGate,
    cooldowns: createCooldowns(kv, { now, monotonic }),
    hosts,
  });
  const denialBy = (nameServer: Config["DNS_SERVER"]) =>
    nameServer && createDenialQuestion({ nameServer, stop });
  return {
    isDelegated,
    isDelegatedByFallback,
    denies: denialBy(config.DNS_SERVER),
    deniesByFallback: denialBy(config.DNS_FALLBACK_SERVER),
    askForSale: cached(createForSaleQuestion({ resolveTxt, monotonic, ...resolver }), {
      keyOf: (domain) => domain,
      cache: createMemoryCache({ max: MAX_FOR_SALE, now }),
      askedAtOf: ({ askedAt }) => askedAt,
      lifetimeMs: forSaleLifetimeMs,
      now,
    }).answer,
    resolverName,
    isDnsFailing: first.isFailing,
    registries: { ...registries, ask: observedRegistry(registries.ask, metrics) },
    rdapGate,
    fetchBootstrap: createBootstrapFetch(
      notingReplies(get, hosts.ofKind("iana")),
      config.RDAP_BOOTSTRAP_URL,
    ),
  };
}

/** The resolver; `note` gets the time of each question, an unanswered one included. */
function timedResolver(
  resolve: ResolveNs,
  note: (ms: number) => void,
  monotonic: () => number,
): ResolveNs {
  return async (...args) => {
    const startedAt = monotonic();
    try {
      return await resolve(...args);
    } finally {
      note(monotonic() - startedAt);
    }
  };
}

/** Records what answers say about their resolver: a question that was not sent says nothing. */
function notingAnswers(
  ask: CheckDelegation,
  resolver: Pick<UpstreamHost, "note">,
): CheckDelegation {
  return async (domain, wait) => {
    const answer = await ask(domain, wait);
    if (answer.kind !== "failed") resolver.note({ kind: "ok" });
    else if (answer.fault === "down") resolver.note({ kind: "down", why: answer.why });
    return answer;
  };
}

/** Creates the schedules of hosts; all processes on the KV share that of a host with a pace. */
export function createHostSchedules(
  kv: GuardedKv,
  { now, monotonic, processes }: Pick<Platform, "now" | "monotonic"> & {
    /** How many processes are known to share KV. */
    processes: () => number;
  },
): (host: string, pace: Pace, wake: () => void) => Schedule {
  const paces = createPaces(kv);
  return (host, pace, wake) => {
    if (pace.everyMs === 0) return createOwnSchedule(pace, { monotonic });
    return createSharedSchedule(pace, {
      change: (next) => paces.change(host, next),
      processes,
      horizonMs: MAX_QUEUE_MS,
      now,
      monotonic,
      wake,
    });
  };
}
