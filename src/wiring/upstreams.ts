/** Composes DNS and the registries, each behind its host, as the look-ups see them. */
import { cached } from "../flow/cache/cached.ts";
import { createMemoryCache } from "../flow/cache/memory_cache.ts";
import { createRegistries } from "../lookup/registries.ts";
import { createResolverCanary } from "../lookup/resolver_canary.ts";
import { hostPolicy } from "../rules/tables/host_policies.ts";
import { createBootstrapFetch, createRootZoneFetch } from "../sources/bootstrap.ts";
import {
  createDelegationCheck,
  createForSaleQuestion,
  FOR_SALE_LIFETIMES_MS,
} from "../sources/dns.ts";
import { notingReplies } from "../sources/http.ts";
import { createRdapQuestion } from "../sources/rdap.ts";
import type { Base } from "./base.ts";

/** Questions to the resolver at once. */
const DNS_AT_ONCE = 64;
/** Of the questions whether a name is for sale; few, because its holder may make each of them slow. */
const FOR_SALE_AT_ONCE = 8;
/** About 2 MB. */
const MAX_FOR_SALE = 5_000;

/** Composes them. */
export function createUpstreams(
  { config, platform, hosts, get, stop }: Base,
) {
  const { resolveNs, resolveTxt, now, monotonic, paceOf = hostPolicy, timeouts } = platform;
  const { DNS_SERVER } = config;
  const asked = { stop, now, ...(DNS_SERVER && { nameServer: DNS_SERVER }) };
  const dnsHostOf = (concurrency: number) =>
    hosts.ofKind("dns", { paceOf: () => ({ concurrency, burst: concurrency, everyMs: 0 }) });
  const resolverName: "system" | "resolver" = DNS_SERVER === undefined ? "system" : "resolver";
  // By the names that evidence has: /health is public, and the address of a resolver is not.
  const host = dnsHostOf(DNS_AT_ONCE)(resolverName);
  const isDelegated = createDelegationCheck({
    resolveNs,
    host,
    ...asked,
  });
  const registries = createRegistries({
    question: createRdapQuestion({ get, now, timeouts: timeouts?.rdap }),
    paceOf,
    hosts,
  });
  return {
    isDelegated,
    resolver: createResolverCanary({ isDelegated, monotonic }),
    askForSale: cached(
      createForSaleQuestion({
        resolveTxt,
        monotonic,
        host: dnsHostOf(FOR_SALE_AT_ONCE)("for_sale"),
        ...asked,
      }),
      {
        keyOf: (domain) => domain,
        cache: createMemoryCache({ max: MAX_FOR_SALE, now }),
        askedAtOf: ({ askedAt }) => askedAt,
        lifetimeMs: ({ outcome }) => FOR_SALE_LIFETIMES_MS[outcome],
        now,
      },
    ).answer,
    resolverName,
    isDnsFailing: host.isFailing,
    registries,
    fetchBootstrap: createBootstrapFetch(
      notingReplies(get, hosts.ofKind("iana")),
      config.RDAP_BOOTSTRAP_URL,
    ),
    // Not noted: without it the built-in list stays in use, and no registry of IANA's is failing.
    fetchRootZone: createRootZoneFetch(get, config.RDAP_BOOTSTRAP_URL),
  };
}
