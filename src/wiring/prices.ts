/** Composes the price table. */
import { createPriceTable, type PriceTable } from "../lookup/price_table.ts";
import type { TldTable } from "../lookup/tld_table.ts";
import { notingReplies } from "../sources/http.ts";
import { createPriceFetch } from "../sources/prices.ts";
import { createPriceStore } from "../store/prices.ts";
import type { Base } from "./base.ts";

/** Composes the price table over the registrar's list and the prices in KV. */
export function createPrices(
  { config, platform: { log, now }, kv, hosts, get }: Base,
  { enabled }: Pick<TldTable, "enabled">,
): PriceTable {
  return createPriceTable({
    fetchPrices: createPriceFetch(
      notingReplies(get, hosts.ofKind("prices")),
      config.PRICES_URL,
    ),
    store: createPriceStore(kv),
    enabled,
    report: log.info,
    now,
  });
}
