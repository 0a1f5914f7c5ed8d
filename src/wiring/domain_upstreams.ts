/** Composes the upstreams of a domain look-up: DNS, the registries with their canaries, IANA's table, and registrars. */
import type { Config } from "../config.ts";
import type { Background } from "../flow/background.ts";
import type { UpstreamHosts } from "../flow/upstream_host.ts";
import { type CanaryProbe, createCanaryProbe, madeUpLabel } from "../lookup/canary_probe.ts";
import type { CanaryRecords } from "../lookup/canary_records.ts";
import { type CanaryWatch, createCanaryWatch } from "../lookup/canary_watch.ts";
import type { AskRegistrars } from "../lookup/judge.ts";
import type { WhoisWitness } from "../lookup/whois_witness.ts";
import { createResolvers, type Resolvers } from "../lookup/resolvers.ts";
import type { Suffixes } from "../lookup/suffixes.ts";
import { createTldRefresh, type RefreshTable } from "../lookup/tld_refresh.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { GuardedKv } from "../store/guarded_kv.ts";
import type { TldStore } from "../store/tld_editions.ts";
import type { Platform } from "./platform.ts";
import { createRegistrars } from "./registrars.ts";
import { createUpstreams, type Upstreams } from "./upstreams.ts";
import { createWhois } from "./whois.ts";

/** DNS, the registries with WHOIS, their canaries, the refresh of IANA's table, and the registrars. */
export interface DomainUpstreams extends
  Pick<
    Upstreams,
    | "askForSale"
    | "isDnsFailing"
    | "registries"
    | "resolverName"
  > {
  canary: CanaryWatch & Pick<CanaryProbe, "labelsOf" | "noteDelegated">;
  isDelegated: Resolvers["isDelegated"];
  resolvers: Resolvers;
  refreshTable: RefreshTable;
  whois: WhoisWitness;
  askRegistrars: AskRegistrars | undefined;
}

/** Composes them. */
export function createDomainUpstreams(
  config: Config,
  platform: Platform,
  {
    kv,
    hosts,
    processes,
    background,
    metrics,
    records,
    tldStore,
    suffixes,
    admitTest,
    isAllowed,
    stop,
  }: {
    kv: GuardedKv;
    hosts: UpstreamHosts;
    /** How many processes are known to share KV. */
    processes: () => number;
    background: Background;
    metrics: Metrics;
    records: CanaryRecords;
    tldStore: Pick<TldStore, "set" | "setListed">;
    suffixes: Pick<Suffixes, "rowOf" | "whoisServerOf">;
    /** The ms until a client of a site may have the registry of a TLD tested; 0: now. */
    admitTest: (tld: string, site: string) => Promise<number>;
    isAllowed: (base: string) => boolean;
    /** Aborted when the service stops: cancels running requests and rejects new ones. */
    stop: AbortSignal;
  },
): DomainUpstreams {
  const { log, now, monotonic } = platform;
  const upstreams = createUpstreams(config, platform, { kv, hosts, processes, metrics, stop });
  const { registries, rdapGate, fetchBootstrap: fetchFile } = upstreams;
  const { isDelegated: first, isDelegatedByFallback: fallback } = upstreams;
  const ofRandom = (denies: Upstreams["denies"]) =>
    denies && ((tld: string) => denies(`${madeUpLabel()}.${tld}`));
  const resolvers = createResolvers({
    first,
    fallback,
    denies: ofRandom(upstreams.denies),
    deniesByFallback: ofRandom(upstreams.deniesByFallback),
    monotonic,
  });
  const { isDelegated } = resolvers;
  const { labelsOf, noteDelegated, ...tester } = createCanaryProbe({
    ask: registries.ask,
    resolvers,
  });
  const probe = {
    askRandom: tester.askRandom,
    async test(...[row, ...rest]: Parameters<CanaryProbe["test"]>) {
      const canary = await tester.test(row, ...rest);
      metrics.canaries.add(1, config.TLDS.includes(row.tld) ? row.tld : "other", canary.kind);
      return canary;
    },
  };
  const watch = createCanaryWatch({ probe, records, admitTest, background, stop, log, monotonic });
  const canary = { ...watch, labelsOf, noteDelegated };
  const refreshTable = createTldRefresh({
    wanted: config.TLDS,
    source: config.RDAP_BOOTSTRAP_URL,
    fetchFile,
    store: tldStore,
    canary,
    isAllowed,
    report: log.info,
    now,
  });
  const whois = createWhois(config, platform, {
    kv,
    registries: { gate: rdapGate, pauseMs: registries.pauseMs },
    hosts,
    serverOf: suffixes.whoisServerOf,
    async labelsOf(tld) {
      const row = await suffixes.rowOf(tld);
      const result = row && await records.lastResult(row);
      const witness = result?.kind === "passed" ? [result.witness] : [];
      return [...new Set([...witness, ...labelsOf(tld)])];
    },
    background,
    metrics,
    stop,
  });
  const askRegistrars = createRegistrars(config, platform, { hosts, metrics, stop });
  return {
    ...upstreams,
    isDelegated,
    resolvers,
    canary,
    refreshTable,
    whois,
    askRegistrars,
  };
}
