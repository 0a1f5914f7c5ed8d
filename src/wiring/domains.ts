/** Composes the domain look-ups: cache and KV first, then DNS and the registries. */
import { withMemoryCache } from "../flow/cache/memory_cache.ts";
import { createCheckDomain } from "../lookup/check_domain.ts";
import { createRegistryRecords } from "../lookup/domain_details.ts";
import { createKnownNames } from "../lookup/known_names.ts";
import { rdapKind } from "../lookup/registries.ts";
import { createServerTests, dropDistrusted } from "../lookup/server_tests.ts";
import { createSuffixes } from "../lookup/suffixes.ts";
import { createTldTable } from "../lookup/tld_table.ts";
import { holdsDeletedBack } from "../rules/just_dropped.ts";
import { createPrefixLimits } from "../rate_limit/prefix_limits.ts";
import { isRegistryBase } from "../rules/upstream_url.ts";
import { createDomainAnswers } from "../store/domain_answers.ts";
import { createTestStore } from "../store/server_tests.ts";
import { createTldStore } from "../store/tld_editions.ts";
import type { Base } from "./base.ts";
import { createRegistrars } from "./registrars.ts";
import { createUpstreams } from "./upstreams.ts";
import { createWhois } from "./whois.ts";

/** The domain look-ups, and what `/health`, the jobs and the TLD list need of them. */
export type Domains = ReturnType<typeof createDomains>;

/** What differs between a server and a command. */
export interface DomainsOptions {
  /** How many findings are kept in memory, in front of KV; as many as suit a server if absent. */
  memoryFindings?: number;
}

/**
 * About 25 MB: 830 bytes a finding with its place in the map, and 200 to 400 for its evidence (measured). An entry of the
 * evidence has 2.5 KB at most, because its texts are bounded.
 */
const MEMORY_FINDINGS = 20_000;

/** The most registries that were never tested, and are not enabled, which are tested in a minute; and for one site. */
const TESTS_A_MINUTE = 30;
const TESTS_OF_SITE = 6;

/** Composes the look-ups. */
export function createDomains(
  base: Base,
  { memoryFindings = MEMORY_FINDINGS }: DomainsOptions,
) {
  const { config, platform: { log, now, monotonic }, kv, hosts, background } = base;
  const { metrics, tldLabel, stop } = base;
  const upstreams = createUpstreams(base);
  const { registries, resolver, isDelegated } = upstreams;
  const tldStore = createTldStore(kv);
  const isAllowed = (base: string) => isRegistryBase(base, config.ALLOW_INSECURE_UPSTREAMS);
  const tests = createPrefixLimits({ now });
  /** The ms until a client of a site may have the registry of a TLD tested that is not enabled. */
  async function admit(tld: string, site: string): Promise<number> {
    if ((await tlds.enabled()).includes(tld)) return 0;
    const prefixes = [{ key: "", times: TESTS_A_MINUTE }];
    if (site !== "") prefixes.push({ key: site, times: TESTS_OF_SITE });
    const taken = tests.take({ prefixes, limit: 1, cost: 1 });
    return "retryAfterMs" in taken ? taken.retryAfterMs : 0;
  }
  const names = createKnownNames({ isDelegated, resolver });
  const rdapTests = createServerTests({ ...rdapKind(registries.ask), admit }, {
    store: createTestStore(kv, "rdap"),
    names,
    onTest: (tld, kind) => metrics.canaries.add(1, tldLabel(tld), kind),
    background,
    stop,
    log,
    now,
    monotonic,
  });
  const canary = { ...rdapTests, labelsOf: names.labelsOf, noteDelegated: names.noteDelegated };
  const tlds = createTldTable({
    wanted: config.TLDS,
    source: config.RDAP_BOOTSTRAP_URL,
    fetchFile: upstreams.fetchBootstrap,
    store: tldStore,
    canary,
    isAllowed,
    background,
    log,
    now,
  });
  const suffixes = createSuffixes({
    tlds,
    store: tldStore,
    fetchZone: upstreams.fetchRootZone,
    isAllowed,
    extra: config.RDAP_EXTRA ?? new Map(),
    isAnyAllowed: config.ANY_TLD !== "off",
    asksDated: !config.ALLOW_INSECURE_UPSTREAMS,
    now,
  });
  const whois = createWhois(base, {
    upstreams,
    serverOf: suffixes.whoisServerOf,
    names,
    witnessOf(tld) {
      const result = rdapTests.recordOf(tld)?.result;
      return result?.kind === "passed" ? result.witness : undefined;
    },
  });
  function holdsBack(tld: string): boolean {
    const row = suffixes.knownRow(tld);
    return row !== undefined && holdsDeletedBack(row);
  }
  const registryRecords = createRegistryRecords({
    ask: registries.ask,
    askWhois: whois.ask,
    rowOf: suffixes.rowOf,
    now,
  });
  const answers = createDomainAnswers(kv, { enabled: config.TLDS, holdsBack, now });
  const checks = createCheckDomain({
    sources: {
      ...upstreams,
      canary,
      registries: { ask: registryRecords.ask },
      askWhois: whois.ask,
      askRegistrars: createRegistrars(base),
    },
    suffixes,
    cache: dropDistrusted(
      withMemoryCache(answers, { max: memoryFindings, now }),
      rdapTests,
    ),
    background,
    stop,
    report: log.debug,
    reportUnread(tld, words) {
      metrics.unreadNotices.add(1, tldLabel(tld));
      log.warn("rdap.unread_notice", { tld, words });
    },
    reportFault: log.error,
    onAnswer({ tld, state, source, cause }) {
      metrics.answers.add(1, state, source);
      if (cause !== undefined) metrics.unknown.add(1, tldLabel(tld), cause);
    },
    now,
  });

  /** Whether a registry is in a cooldown or failed its canary test; undefined before the first question. */
  function isRdapFailing(): boolean | undefined {
    const isPaused = hosts.problems().some(({ kind, state }) =>
      kind === "rdap" && state === "cooling"
    );
    // Strangers choose the other TLDs, of which some have always a registry that fails.
    const isFailing = config.TLDS.some((tld) => rdapTests.recordOf(tld)?.result.kind === "failed");
    return isPaused || isFailing || registries.isFailing();
  }

  return {
    ...checks,
    registryRecords,
    tlds,
    suffixes,
    canary,
    neededWhois: whois.needed,
    /** The remaining cooldown of the host of a TLD's registry in ms; 0 if it may be asked. */
    async pauseOf(tld: string) {
      const row = await suffixes.rowOf(tld);
      const host = row === undefined ? tld : new URL(row.rdapBase).host;
      return { host, ms: await registries.pauseMs(host) };
    },
    /** Tests every registry without a test result in force. */
    renewCanaries: async () => await canary.renew(await tlds.fresh()),
    isRdapFailing,
    /** Whether DNS does not answer or hides delegations; undefined before the first question. */
    isDnsFailing: () => resolver.blindFor().length > 0 || upstreams.isDnsFailing(),
    canaryStates: () => rdapTests.states(config.TLDS),
    /** Settles once all verdicts and counts are in KV, which may be closed then. */
    async settled() {
      await answers.settled();
    },
  };
}
