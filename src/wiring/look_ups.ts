/**
 * Composes the look-ups of names: all that the command line needs, and what the service and its jobs stand on. Cache and KV come
 * first, then DNS, the registries, WHOIS and registrars, each behind its host.
 */
import type { Config } from "../config.ts";
import { createBackground } from "../flow/process.ts";
import { cached } from "../flow/cache/cached.ts";
import { lazy } from "../flow/cache/flight.ts";
import { createMemoryCache } from "../flow/cache/memory.ts";
import { createUpstreamHosts } from "../flow/upstream_host.ts";
import { createCheckDomain } from "../lookup/check_domain.ts";
import { createFindDetails, createRegistryRecords } from "../lookup/domain_details.ts";
import type { EnsLookups } from "../lookup/ens_lookups.ts";
import type { AskRegistrars } from "../lookup/judge.ts";
import { createKnownNames } from "../lookup/known_names.ts";
import { createRegistrarWitness } from "../lookup/registrar_witness.ts";
import { createRegistries, createWhoisQueries, rdapKind } from "../lookup/registries.ts";
import { createServerTests, dropDistrusted } from "../lookup/server_tests.ts";
import { createSuffixes } from "../lookup/suffixes.ts";
import { createTldTable } from "../lookup/tld_table.ts";
import { createWhoisWitness, whoisKind } from "../lookup/whois_witness.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { createPrefixLimits } from "../rate_limit/prefix_limits.ts";
import { whoisPort, whoisQuery } from "../rules/tables/hosts.ts";
import type { TldRow } from "../rules/tables/tlds.ts";
import { isRegistryBase } from "../rules/ip_address.ts";
import { createDelegationCheck, createForSaleQuestion } from "../sources/dns.ts";
import {
  createFileFetch,
  createGuardedGet,
  createGuardedPost,
  throughHosts,
} from "../sources/http.ts";
import { createRdapQuestion } from "../sources/rdap.ts";
import {
  createQuoteQuestion,
  namecomApi,
  porkbunApi,
  type RegistrarApi,
} from "../sources/registrars.ts";
import { createWhoisQuery } from "../sources/whois.ts";
import { createDomainAnswers } from "../store/domain_answers.ts";
import { guardKv } from "../store/guarded_kv.ts";
import { createTestStores, createTldStore } from "../store/records.ts";
import { createSharedHosts } from "../store/shared_hosts.ts";
import type { Platform } from "./platform.ts";

/** The configuration and the platform, and on them KV, the way to upstreams, background work and metrics. */
type Base = ReturnType<typeof createBase>;

/**
 * Creates it. `ending` is aborted when the process begins to end: nothing waits in a queue any more; `stop` when it stops: that
 * cancels running requests and rejects new ones.
 */
function createBase(
  config: Config,
  platform: Platform,
  { ending, stop }: { ending: AbortSignal; stop: AbortSignal },
) {
  const { fetch, log, monotonic, timeouts } = platform;
  const metrics = createMetrics();
  const kv = guardKv(platform.kv, {
    report: log.warn,
    monotonic,
    onEnd: (ms, result) => metrics.kv.observe(ms, { result }),
    ...timeouts?.kv,
  });
  const guard = { fetch, allowInsecure: config.ALLOW_INSECURE_UPSTREAMS, stop };
  return {
    config,
    platform,
    kv,
    hosts: createUpstreamHosts({
      ...platform,
      report: log.warn,
      shared: createSharedHosts(kv, platform),
      observer: {
        queued: (host, change) => metrics.gateQueue.add(change, { host }),
        waited: (host, ms) => metrics.gateWait.observe(ms, { host }),
        answered: (host, result) => metrics.upstreams.add(1, { host, result }),
        took: (host, ms) => metrics.upstreamTime.observe(ms, { host }),
      },
      ending,
    }),
    get: createGuardedGet(guard),
    post: createGuardedPost(guard),
    background: createBackground((error) => log.error("background.failed", { error: `${error}` })),
    metrics,
    /** A TLD as metrics name it: strangers choose those that are not enabled, of which there are thousands. */
    tldLabel: (tld: string) => config.TLDS.includes(tld) ? tld : "other",
    ending,
    stop,
  };
}

/**
 * Findings in memory, in front of KV. About 25 MB: 830 bytes a finding with its place in the map, and 200 to 400 for its
 * evidence (measured). An entry of the evidence has 2.5 KB at most, because its texts are bounded.
 */
const MEMORY_FINDINGS = 20_000;

/** The most registries that were never tested, and are not enabled, which are tested in a minute; and for one site. */
const TESTS_A_MINUTE = 30;
const TESTS_OF_SITE = 6;

/** The look-ups of a process, and how they end. */
export type LookUps = ReturnType<typeof createLookUps>;

/** Composes them. They send no request before the first look-up or refresh. */
export function createLookUps(config: Config, platform: Platform) {
  const { log, now, monotonic } = platform;
  const [ending, stopping] = [new AbortController(), new AbortController()];
  const base = createBase(config, platform, { ending: ending.signal, stop: stopping.signal });
  const { kv, background, metrics, tldLabel } = base;
  const lazyEns = lazy(async () => (await import("./ens.ts")).createEns(base));
  const ens: EnsLookups = {
    check: async (label) => (await lazyEns.get()).check(label),
    profile: async (label, waiter) => (await lazyEns.get()).profile(label, waiter),
    renew: async (label, until) => (await lazyEns.get()).renew(label, until),
  };
  const upstreams = createUpstreams(base);
  const { registries, isDelegated } = upstreams;
  const extra = config.RDAP_EXTRA ?? new Map<string, string>();
  const testStores = createTestStores(kv);
  const isAllowed = (base: string) => isRegistryBase(base, config.ALLOW_INSECURE_UPSTREAMS);
  const tests = createPrefixLimits({ now });
  /** The ms until a client of one of the sites may have the registry of a TLD tested that is not enabled. */
  function admit(tld: string, sites: ReadonlySet<string>): number {
    if (config.TLDS.includes(tld)) return 0;
    let leastMs = Infinity;
    for (const site of sites) {
      const prefixes = [{ key: "", times: TESTS_A_MINUTE }];
      if (site !== "") prefixes.push({ key: site, times: TESTS_OF_SITE });
      const taken = tests.take({ prefixes, limit: 1, cost: 1 });
      if (!("retryAfterMs" in taken)) return 0;
      leastMs = Math.min(leastMs, taken.retryAfterMs);
    }
    return leastMs;
  }
  const names = createKnownNames({ isDelegated, monotonic });
  const testing = { names, background, ending: ending.signal, log, now, monotonic };
  const rdapTests = createServerTests({ ...rdapKind(registries.ask), admit }, {
    ...testing,
    store: testStores.rdap,
    onTest: (tld, result) => metrics.canaries.add(1, { tld: tldLabel(tld), result }),
  });
  const tlds = createTldTable({
    wanted: config.TLDS,
    extra,
    source: config.RDAP_BOOTSTRAP_URL,
    fetchFile: upstreams.fetchBootstrap,
    store: createTldStore(kv, { now }),
    isAllowed,
    background,
    log,
    now,
  });
  const suffixes = createSuffixes({
    tlds,
    extra,
    isAnyAllowed: config.ANY_TLD !== "off",
    asksDated: !config.ALLOW_INSECURE_UPSTREAMS,
  });
  const { whoisQueries } = upstreams;
  const whois = createWhoisWitness({
    queries: whoisQueries,
    serverOf: suffixes.whoisServerOf,
    tests: createServerTests(whoisKind(whoisQueries), { ...testing, store: testStores.whois }),
    isOff: config.WHOIS === "off",
    background,
    now,
  });
  const registryRecords = createRegistryRecords({
    ask: registries.ask,
    askWhois: whois.ask,
    rowOf: suffixes.rowOf,
    async retest(row) {
      // Only a pass can be wrong; strangers choose the TLDs.
      if ((await rdapTests.inForce(row))?.kind === "passed") await rdapTests.retest(row);
    },
    background,
    now,
  });
  const answers = createDomainAnswers(kv, { enabled: config.TLDS, now });
  const checks = createCheckDomain({
    ...upstreams,
    canary: rdapTests,
    names,
    askRegistry: registryRecords.ask,
    askWhois: whois.ask,
    whoisTrust: whois.trust,
    askRegistrars: createRegistrars(base),
    suffixes,
    cache: dropDistrusted(
      createMemoryCache({ store: answers, max: MEMORY_FINDINGS, now }),
      { rdap: rdapTests, whois: whois.trust },
    ),
    background,
    ending: ending.signal,
    report: log.debug,
    reportUnread(tld, words) {
      metrics.unreadNotices.add(1, { tld: tldLabel(tld) });
      log.warn("rdap.unread_notice", { tld });
      // They may hold the name.
      log.debug("rdap.unread_words", { tld, words });
    },
    reportFault: log.error,
    onAnswer({ tld, state, source, cause }) {
      metrics.answers.add(1, { state, source });
      if (cause !== undefined) metrics.unknown.add(1, { tld: tldLabel(tld), reason: cause });
    },
    now,
  });

  /** Whether a registry is in a cooldown or failed its canary test; undefined before the first question. */
  function isRdapFailing(): boolean | undefined {
    const isFailing = config.TLDS.some((tld) => {
      const { result, server } = rdapTests.recordOf(tld) ?? {};
      return result?.kind === "failed" ||
        server !== undefined && registries.hostOf(new URL(server).host).pause() !== undefined;
    });
    return isFailing || registries.isFailing();
  }

  async function testAll(): Promise<void> {
    const rows = await tlds.fresh();
    await Promise.all(rows.map((row) => rdapTests.resultOf(row, { priority: "background" })));
  }

  /** A shutdown waits for the task. */
  async function inBackground(task: Promise<unknown>): Promise<void> {
    background.run(task);
    await task;
  }

  return {
    base,
    ens,
    ...checks,
    ...createFindDetails({ ...checks, ens, records: registryRecords, now }),
    tlds,
    suffixes,
    neededWhois: whois.needed,
    /** The result of a new test of a TLD's RDAP server; its WHOIS server is tested, too, where it is needed. */
    async probe(row: TldRow) {
      const [result] = await Promise.all([rdapTests.probe(row), whois.probe(row.tld)]);
      return result;
    },
    /** Refreshes the TLD table in the background, unless it is less than a day old. */
    renewTlds: () => inBackground(tlds.renew()),
    /** Tests every registry without a test result in force, in the background. */
    renewCanaries: () => inBackground(testAll()),
    isRdapFailing,
    /** Whether DNS does not answer or hides delegations; undefined before the first question. */
    isDnsFailing: () => names.isBlind(config.TLDS) || upstreams.isDnsFailing(),
    /** Whether the last call to an Ethereum node failed; undefined before the first. */
    isEnsFailing: () => lazyEns.peek()?.isFailing(),
    canaryStates: () => rdapTests.states(config.TLDS),
    /** Aborted when the process begins to end. */
    ending: ending.signal,
    /** Ends what waits for a turn or a pause: its callers get `unknown`. What is under way goes on. */
    drain: () => ending.abort(),
    /** Cancels all upstream requests: their callers get `unknown`. */
    giveUp: () => stopping.abort(),
    /** Cancels what is running; settles when KV may be closed. */
    async stop() {
      ending.abort();
      stopping.abort();
      await background.settled();
      await answers.settled();
      await kv.settled();
    },
  };
}

/** Questions to the resolver at once. */
const DNS_AT_ONCE = 64;
/** Of the questions whether a name is for sale; few, because its holder may make each of them slow. */
const FOR_SALE_AT_ONCE = 8;
/** About 2 MB. */
const MAX_FOR_SALE = 5_000;

/** Composes them. */
function createUpstreams({ config, platform, hosts, get, stop }: Base) {
  const { resolveNs, resolveTxt, connectTcp, now, monotonic, timeouts } = platform;
  const { DNS_SERVER, WHOIS_SERVER, ALLOW_INSECURE_UPSTREAMS: allowInsecure } = config;
  const nameServer = DNS_SERVER && { ipAddr: DNS_SERVER.hostname, port: DNS_SERVER.port };
  const asked = { stop, now, ...(nameServer && { nameServer }) };
  const dnsHostOf = (concurrency: number) =>
    hosts.ofKind("dns", { paceOf: () => ({ concurrency, burst: concurrency, everyMs: 0 }) });
  const resolverName: "system" | "resolver" = DNS_SERVER === undefined ? "system" : "resolver";
  // By the names that evidence has: /health is public, and the address of a resolver is not.
  const host = dnsHostOf(DNS_AT_ONCE)(resolverName);
  const isDelegated = createDelegationCheck({ resolveNs, host, ...asked });
  const registries = createRegistries({
    question: createRdapQuestion({ get, now, timeouts: timeouts?.rdap }),
    hosts,
    isEnabled: (tld) => config.TLDS.includes(tld),
  });
  const query = createWhoisQuery({
    connect: connectTcp,
    allowInsecure,
    stop,
    now,
    deadlineMs: timeouts?.whoisMs,
  });
  return {
    isDelegated,
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
        lifetimeMs: ({ lifetimeMs }) => lifetimeMs,
        now,
      },
    ).answer,
    resolverName,
    isDnsFailing: host.isFailing,
    registries,
    whoisQueries: createWhoisQueries({
      query: (server, domain) =>
        query(
          WHOIS_SERVER ?? { hostname: server.host, port: whoisPort(server) },
          whoisQuery(server, domain),
        ),
      registryHostOf: registries.hostOf,
      hosts,
    }),
    fetchBootstrap: createFileFetch(
      throughHosts(get, hosts.ofKind("iana")),
      config.RDAP_BOOTSTRAP_URL,
    ),
  };
}

/** Composes them; undefined without an account: then no request is sent to any registrar. */
function createRegistrars(
  { config, platform: { now, monotonic, timeouts }, hosts, post }: Base,
): AskRegistrars | undefined {
  const {
    PORKBUN_API_KEY: apiKey,
    PORKBUN_SECRET_KEY: secretKey,
    NAMECOM_USERNAME: username,
    NAMECOM_TOKEN: token,
  } = config;
  // In the order in which their offers are preferred.
  const apis: RegistrarApi[] = [];
  if (apiKey !== undefined && secretKey !== undefined) {
    apis.push(porkbunApi({ base: config.PORKBUN_API_URL, apiKey, secretKey }));
  }
  if (username !== undefined && token !== undefined) {
    apis.push(namecomApi({ base: config.NAMECOM_API_URL, username, token }));
  }
  if (apis.length === 0) return undefined;
  const times = timeouts?.registrars;
  const registrars = apis.map((api) => ({
    ...api,
    host: new URL(api.url).host,
    ask: createQuoteQuestion(post, api, { now, deadlineMs: times?.deadlineMs }),
  }));
  return createRegistrarWitness(registrars, { hosts, lingerMs: times?.lingerMs, now, monotonic });
}
