/** Composes DNS and the registries, each behind its gate, as the look-ups see them. */
import { cached } from "../flow/cache/cached.ts";
import { createMemoryCache } from "../flow/cache/memory_cache.ts";
import { createRegistries } from "../lookup/registries.ts";
import { createResolverCanary } from "../lookup/resolver_canary.ts";
import { observedRegistry, observedResolver } from "../metrics/observed.ts";
import { hostPolicy } from "../rules/tables/host_policies.ts";
import { createBootstrapFetch, createRootZoneFetch } from "../sources/bootstrap.ts";
import {
  createDelegationCheck,
  createForSaleQuestion,
  FOR_SALE_LIFETIMES_MS,
  FOR_SALE_QUEUE,
  notingAnswers,
} from "../sources/dns.ts";
import { notingReplies } from "../sources/http.ts";
import { createRdapQuestion } from "../sources/rdap.ts";
import { createCooldowns } from "../store/cooldowns.ts";
import type { Base } from "./base.ts";

/** Questions to the resolver at once. */
export const DNS_AT_ONCE = 64;
/** Of the questions whether a name is for sale; few, because its holder may make each of them slow. */
const FOR_SALE_AT_ONCE = 8;
/** About 2 MB. */
const MAX_FOR_SALE = 5_000;

/** Composes them. */
export function createUpstreams(
  { config, platform, kv, hosts, get, openGate, metrics, stop }: Base,
) {
  const { resolveNs, resolveTxt, now, monotonic, paceOf = hostPolicy, timeouts } = platform;
  const { DNS_SERVER } = config;
  const atOnce = (count: number) => ({ concurrency: count, burst: count, everyMs: 0 });
  const dnsGate = openGate({
    paceOf: (queue) => atOnce(queue === FOR_SALE_QUEUE ? FOR_SALE_AT_ONCE : DNS_AT_ONCE),
  });
  const rdapGate = openGate({ paceOf, isShared: true });
  const asked = { gate: dnsGate, stop, now, ...(DNS_SERVER && { nameServer: DNS_SERVER }) };
  const resolverName: "system" | "resolver" = DNS_SERVER === undefined ? "system" : "resolver";
  // By the names that evidence has: /health is public, and the address of a resolver is not.
  const host = hosts.ofKind("dns")(resolverName);
  const isDelegated = notingAnswers(
    createDelegationCheck({
      resolveNs: observedResolver(resolveNs, metrics, monotonic),
      ...asked,
    }),
    host,
  );
  const cooldowns = createCooldowns(kv, platform);
  const registries = createRegistries({
    question: createRdapQuestion({ get, now, timeouts: timeouts?.rdap }),
    gate: rdapGate,
    cooldowns,
    hosts,
  });
  return {
    isDelegated,
    resolver: createResolverCanary({ isDelegated, monotonic }),
    askForSale: cached(createForSaleQuestion({ resolveTxt, monotonic, ...asked }), {
      keyOf: (domain) => domain,
      cache: createMemoryCache({ max: MAX_FOR_SALE, now }),
      askedAtOf: ({ askedAt }) => askedAt,
      lifetimeMs: ({ outcome }) => FOR_SALE_LIFETIMES_MS[outcome],
      now,
    }).answer,
    resolverName,
    isDnsFailing: host.isFailing,
    registries: { ...registries, ask: observedRegistry(registries.ask, metrics) },
    rdapGate,
    cooldowns,
    fetchBootstrap: createBootstrapFetch(
      notingReplies(get, hosts.ofKind("iana")),
      config.RDAP_BOOTSTRAP_URL,
    ),
    // Not noted: without it the built-in list stays in use, and no registry of IANA's is failing.
    fetchRootZone: createRootZoneFetch(get, config.RDAP_BOOTSTRAP_URL),
  };
}
