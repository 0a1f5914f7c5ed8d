/** Composes the price table. */
import type { Config } from "../config.ts";
import type { UpstreamHosts } from "../flow/upstream_host.ts";
import { createPriceTable, type PriceTable } from "../lookup/price_table.ts";
import type { TldTable } from "../lookup/tld_table.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { observedRequests } from "../metrics/observed.ts";
import { createGuardedGet, notingReplies } from "../sources/http.ts";
import { createPriceFetch } from "../sources/prices.ts";
import type { GuardedKv } from "../store/guarded_kv.ts";
import { createPriceStore } from "../store/prices.ts";
import type { Platform } from "./platform.ts";

/** Composes the price table over the registrar's list and the prices in KV. */
export function createPrices(
  config: Config,
  { fetch, log, now, monotonic }: Pick<Platform, "fetch" | "log" | "now" | "monotonic">,
  { kv, hosts, tlds, metrics, stop }: {
    kv: GuardedKv;
    hosts: UpstreamHosts;
    tlds: Pick<TldTable, "enabled">;
    metrics: Metrics;
    stop: AbortSignal;
  },
): PriceTable {
  const bareGet = createGuardedGet({
    fetch,
    allowInsecure: config.ALLOW_INSECURE_UPSTREAMS,
    stop,
  });
  const get = notingReplies(observedRequests(bareGet, metrics, monotonic), hosts.ofKind("prices"));
  return createPriceTable({
    fetchPrices: createPriceFetch(get, config.PRICES_URL),
    store: createPriceStore(kv),
    enabled: tlds.enabled,
    report: log.info,
    now,
  });
}
