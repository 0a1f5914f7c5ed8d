/** The price half of the joint. It is read at the first question for a price: a start has none. */
import type { Config } from "./config.ts";
import { createPriceTable, type PriceTable } from "./lookup/price_table.ts";
import { createGuardedGet } from "./sources/http.ts";
import { createPriceFetch } from "./sources/prices.ts";
import type { GuardedKv } from "./store/guarded_kv.ts";
import { createPriceStore } from "./store/prices.ts";
import type { World } from "./upstreams.ts";

/** Puts the price table together over the registrar's list and what KV keeps. */
export function createPrices(
  config: Config,
  { fetch, log, now }: Pick<World, "fetch" | "log" | "now">,
  { kv, stop }: { kv: GuardedKv; stop: AbortSignal },
): PriceTable {
  const get = createGuardedGet({ fetch, allowInsecure: config.ALLOW_INSECURE_UPSTREAMS, stop });
  return createPriceTable({
    fetchPrices: createPriceFetch(get, config.PRICES_URL),
    store: createPriceStore(kv),
    report: log.info,
    now,
  });
}
