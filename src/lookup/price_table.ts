/** Estimated prices of domains: as last read from the priced registrar's list, else the built-in ones. */
import type { Report } from "../flow/report.ts";
import type { Outcome } from "../rules/lease.ts";
import { BUILT_IN_PRICES, type DatedPrice, type Prices } from "../rules/registrars.ts";

/** The prices in use. */
export interface PriceTable {
  current(): Promise<Prices>;
  /** Reads the registrar's list for the TLDs with a built-in price. */
  refresh(): Promise<Outcome>;
}

/** The maximum age of this process's copy of the prices in KV, which other processes refresh too. */
const COPY_MS = 5 * 60_000;

/** Creates the table over the prices in KV. */
export function createPriceTable(
  { fetchPrices, store, report, now }: {
    fetchPrices: (tlds: Iterable<string>) => Promise<
      { kind: "prices"; usd: ReadonlyMap<string, number> } | { kind: "failed"; reason: string }
    >;
    store: { get(): Promise<Prices | undefined>; set(prices: Prices): Promise<void> };
    report: Report;
    now: () => number;
  },
): PriceTable {
  let prices = BUILT_IN_PRICES;
  let copiedAt = -Infinity;
  let copying: Promise<void> | undefined;

  async function copy(): Promise<void> {
    prices = newest(prices, await store.get() ?? prices);
    copiedAt = now();
  }

  async function current(): Promise<Prices> {
    // Math.abs: a clock that was set back must not keep an old copy in use.
    const isOld = Math.abs(now() - copiedAt) >= COPY_MS;
    if (isOld) await (copying ??= copy().finally(() => copying = undefined));
    return prices;
  }

  async function refresh(): Promise<Outcome> {
    const answer = await fetchPrices(BUILT_IN_PRICES.keys());
    if (answer.kind === "failed") return answer;
    const asOf = new Date(now()).toISOString().slice(0, 10);
    const read = [...answer.usd].map(([tld, usd]): [string, DatedPrice] => [tld, { usd, asOf }]);
    prices = newest(await current(), new Map(read));
    await store.set(prices);
    report("prices.refreshed", Object.fromEntries(answer.usd));
    return { kind: "done", message: `${answer.usd.size} of ${BUILT_IN_PRICES.size} prices read` };
  }

  return { current, refresh };
}

/** The latest price of each TLD; days are compared as text. */
function newest(some: Prices, others: Prices): Prices {
  const merged = new Map(some);
  for (const [tld, price] of others) {
    const known = merged.get(tld);
    if (known !== undefined && known.asOf <= price.asOf) merged.set(tld, price);
  }
  return merged;
}
