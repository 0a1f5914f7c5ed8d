/** Composes the upstreams of a domain look-up: DNS, the registries with their canaries, and IANA's table. */
import type { Config } from "../config.ts";
import { type CanaryProbe, createCanaryProbe } from "../lookup/canary_probe.ts";
import type { CanaryRecords } from "../lookup/canary_records.ts";
import { type CanaryWatch, createCanaryWatch } from "../lookup/canary_watch.ts";
import { createResolverCanary, type ResolverCanary } from "../lookup/resolver_canary.ts";
import { createTldRefresh, type RefreshTable } from "../lookup/tld_refresh.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { TldEdition } from "../rules/bootstrap.ts";
import type { GuardedKv } from "../store/guarded_kv.ts";
import type { Platform } from "./platform.ts";
import { createUpstreams, type Upstreams } from "./upstreams.ts";

/** DNS, the registries, their canaries, and the refresh of IANA's table. */
export interface DomainUpstreams extends
  Pick<
    Upstreams,
    | "askForSale"
    | "hostStates"
    | "isDelegated"
    | "isDnsFailing"
    | "registries"
    | "resolverName"
  > {
  canary: CanaryWatch & Pick<CanaryProbe, "labelsOf" | "noteDelegated">;
  resolver: ResolverCanary;
  refreshTable: RefreshTable;
}

/** Composes them. */
export function createDomainUpstreams(
  config: Config,
  platform: Platform,
  { kv, metrics, records, tldStore, isAllowed, stop }: {
    kv: GuardedKv;
    metrics: Metrics;
    records: CanaryRecords;
    tldStore: { set(edition: TldEdition): Promise<void> };
    isAllowed: (base: string) => boolean;
    /** Aborted when the service stops: cancels running requests and rejects new ones. */
    stop: AbortSignal;
  },
): DomainUpstreams {
  const { log, now, monotonic } = platform;
  const upstreams = createUpstreams(config, platform, { kv, metrics, stop });
  const { isDelegated, registries, fetchBootstrap: fetchFile } = upstreams;
  const resolver = createResolverCanary({ isDelegated, monotonic });
  const { labelsOf, noteDelegated, ...tester } = createCanaryProbe({
    ask: registries.ask,
    isDelegated,
    resolver,
    monotonic,
  });
  const probe = {
    async test(...[row, ...rest]: Parameters<CanaryProbe["test"]>) {
      const canary = await tester.test(row, ...rest);
      metrics.canaries.add(1, row.tld, canary.kind);
      return canary;
    },
  };
  const watch = createCanaryWatch({ probe, records, stop, report: log.info, monotonic });
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
  return { ...upstreams, canary, resolver, refreshTable };
}
