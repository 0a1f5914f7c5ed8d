/** Estimated prices of domains: as last read from the priced registrar's list, else the built-in ones. */
import { createPolledCopy } from "../flow/cache/memory.ts";
import type { FileAnswer } from "../rules/answer.ts";
import type { Outcome } from "../flow/process.ts";
import { BUILT_IN_PRICES, dayOf, newest, type Prices, readPriceList } from "../rules/prices.ts";

/** The maximum age of this process's copy of the prices in KV, which other processes refresh too. */
const COPY_MS = 5 * 60_000;

/** Creates the table over the prices in KV. */
export function createPriceTable(
  { fetchList, store, enabled, now }: {
    fetchList: () => Promise<FileAnswer>;
    store: { get(): Promise<Prices | undefined>; set(prices: Prices): Promise<void> };
    /** The TLDs that can be checked. */
    enabled(): Promise<readonly string[]>;
    now: () => number;
  },
) {
  let prices = BUILT_IN_PRICES;
  const copy = createPolledCopy(async () => {
    prices = newest(prices, await store.get() ?? prices, dayOf(now()));
  }, { maxAgeMs: COPY_MS, now });

  async function current(): Promise<Prices> {
    await copy.refresh();
    return prices;
  }

  /** Reads the registrar's list for the enabled and the built-in TLDs. */
  async function refresh(): Promise<Outcome> {
    const tlds = new Set([...await enabled(), ...BUILT_IN_PRICES.keys()]);
    const answer = await fetchList();
    if (answer.kind === "failed") return answer;
    const listed = readPriceList(answer.text, tlds);
    if (listed === undefined) return { kind: "failed", reason: "invalid price list" };
    if (listed.size === 0) return { kind: "failed", reason: "the list has no usable price" };
    const asOf = dayOf(now());
    const read: Prices = new Map(
      [...listed].map(([tld, price]) => [tld, { ...price, asOf }]),
    );
    const merged = newest(await current(), read, asOf);
    // All TLDs that were ever enabled might not fit into one KV value.
    prices = new Map([...merged].filter(([tld]) => tlds.has(tld)));
    await store.set(prices);
    const message = `read prices of ${read.size} of ${tlds.size} TLDs, enabled or built in`;
    return { kind: "done", message };
  }

  return {
    current,
    refresh,
    /** Whether none of the prices was read today: the list does not have every TLD. */
    async isOld(): Promise<boolean> {
      const today = dayOf(now());
      return (await current()).values().every(({ asOf }) => asOf !== today);
    },
  };
}
