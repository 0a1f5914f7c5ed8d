/** Estimated prices as last refreshed: `["prices"]` → TLD → USD for the first and for later years, and their date. */
import type { Prices } from "../rules/prices.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** The prices as all processes know them. */
export interface PriceStore {
  /** Undefined where none are stored, or KV fails. */
  get(): Promise<Prices | undefined>;
  set(prices: Prices): Promise<void>;
}

/** Stores prices in KV. */
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
