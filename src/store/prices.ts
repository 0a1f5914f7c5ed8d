/** Estimated prices as last refreshed: `["prices"]` → TLD → USD for the first year, and when that was read. */
import type { Prices } from "../rules/registrars.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** The prices as all processes know them. */
export interface PriceStore {
  /** Undefined where there are none, or KV does not answer. */
  get(): Promise<Prices | undefined>;
  set(prices: Prices): Promise<void>;
}

/** Keeps prices in KV. */
export function createPriceStore(kv: GuardedKv): PriceStore {
  return {
    async get() {
      const entry = await kv.attempt((kv) => kv.get<Prices>(["prices"]), undefined);
      return entry?.value ?? undefined;
    },
    async set(prices) {
      await kv.attempt((kv) => kv.set(["prices"], prices), undefined);
    },
  };
}
