/** What domains cost at the priced registrar, as rows and by its public price list, and how a price is quoted. */
import type { Offer } from "./answer.ts";
import { isObject, readObject } from "./readers/http_message.ts";
import type { State } from "./verdict.ts";

/** The prices of one year in USD, and the date of their source. */
export interface DatedPrice {
  /** Of the first year. */
  readonly usd: number;
  /** Of each later year; absent if it is not known. */
  readonly renewUsd?: number;
  readonly asOf: string;
}

/** Prices by TLD. */
export type Prices = ReadonlyMap<string, DatedPrice>;

/** The last list of Porkbun's API that was published whole, by gpetiot/dns-lookup (commit fd69a57). */
const LIST = "2025-03-22";

/**
 * Prices at Porkbun of all built-in TLDs, used until newer ones are fetched: those that were published with a date. Where
 * the two prices were read on different days, the date is that of the first.
 */
export const BUILT_IN_PRICES: Prices = new Map([
  ["ai", { usd: 82.7, renewUsd: 82.7, asOf: "2026-09-29" }],
  ["app", { usd: 8.75, renewUsd: 14.93, asOf: "2026-09-29" }],
  ["biz", { usd: 1.52, renewUsd: 15.94, asOf: LIST }],
  ["bot", { usd: 45, renewUsd: 51.99, asOf: LIST }],
  ["cc", { usd: 3.4, renewUsd: 8.55, asOf: LIST }],
  ["cloud", { usd: 2.88, renewUsd: 15.94, asOf: LIST }],
  ["com", { usd: 11.08, renewUsd: 11.08, asOf: "2026-09-29" }],
  ["dev", { usd: 8.75, renewUsd: 12.87, asOf: "2026-09-29" }],
  ["info", { usd: 3.07, renewUsd: 20.06, asOf: LIST }],
  ["io", { usd: 28.12, renewUsd: 51.8, asOf: "2026-09-29" }],
  // "Domain Pricing Comparison" of skylerlchan/personal_website, read from Porkbun's site.
  ["me", { usd: 3.94, renewUsd: 17.27, asOf: "2026-02-25" }],
  // "Domains + inboxes research", checked by its author in Porkbun's price feed.
  ["net", { usd: 12.52, renewUsd: 12.52, asOf: "2026-09-25" }],
  ["online", { usd: 1.94, renewUsd: 26.24, asOf: LIST }],
  // The renewals of org and xyz: "Domain recommendation for Dew", read in Porkbun's API on 2026-09-02.
  ["org", { usd: 11.84, renewUsd: 11.84, asOf: "2026-09-29" }],
  ["site", { usd: 1.94, renewUsd: 26.24, asOf: LIST }],
  ["store", { usd: 2.55, renewUsd: 41.69, asOf: LIST }],
  ["tech", { usd: 8.73, renewUsd: 46.84, asOf: LIST }],
  ["tv", { usd: 26.24, renewUsd: 26.24, asOf: LIST }],
  ["xyz", { usd: 2.04, renewUsd: 14.21, asOf: "2026-03-01" }],
]);

/** The TLDs with an `estimatedPrice` in `/register`, which was published with these. */
export const ESTIMATED_TLDS: readonly string[] = ["ai", "app", "bot", "com", "org", "xyz"];

/** The TLDs that are sold for several years at least. ai: $165.40 at Porkbun's checkout of 2026-09-29, by its list $82.70 a year. */
const MINIMUM_YEARS: ReadonlyMap<string, number> = new Map([["ai", 2]]);

/**
 * Quotes a TLD's price: `register` for the first `years`, the shortest term that is sold, and `renew` for each later one;
 * `threeYears` is what three cost together, or the first term if that is longer. What needs a renewal that is not known is
 * absent.
 */
export function quotePrice(tld: string, { usd, renewUsd, asOf }: DatedPrice) {
  const years = MINIMUM_YEARS.get(tld) ?? 1;
  const total = toCents(usd + (years - 1) * (renewUsd ?? usd));
  const threeYears = threeYearsOf(total, renewUsd, years);
  return {
    register: total,
    ...(renewUsd !== undefined && { renew: renewUsd }),
    years,
    ...(threeYears !== undefined && { threeYears }),
    currency: "USD" as const,
    updatedAt: asOf,
  };
}

/** What three years cost where the first `years` cost `first` together; undefined if the renewal is needed and not known. */
export function threeYearsOf(
  first: number,
  renewal: number | undefined,
  years: number,
): number | undefined {
  if (years >= 3) return first;
  return renewal === undefined ? undefined : toCents(first + (3 - years) * renewal);
}

/**
 * What a name costs, in US dollars: a year's part of the shortest term, how many years that has if more than one, each later
 * year, and three years together.
 */
interface CostUsd {
  readonly firstYearUsd: number;
  readonly years?: number;
  readonly renewalUsd?: number;
  readonly threeYearsUsd?: number;
}

/** What the cost of a name reads of a quote, which may be another service's. */
export interface Quote extends Pick<Offer, "years"> {
  readonly register: number;
  readonly renew?: number | undefined;
}

/** The cost of a name by a registrar's offer, else by the quote of its TLD, which is for available names without a premium. */
export function costOf(
  { state, offer }: { readonly state: State; readonly offer?: Offer | undefined },
  quote: Quote | undefined,
): CostUsd | undefined {
  if (offer !== undefined) return costUsd(offer.price, offer.renewal, offer.years);
  if (state !== "available" || quote === undefined) return undefined;
  return costUsd(quote.register, quote.renew, quote.years);
}

/** The cost where the first `years` cost `first` together. */
export function costUsd(first: number, renewal: number | undefined, years = 1): CostUsd {
  // A service may send 0.
  const term = Math.max(1, years);
  const threeYearsUsd = threeYearsOf(first, renewal, term);
  return {
    firstYearUsd: toCents(first / term),
    ...(term > 1 && { years: term }),
    ...(renewal !== undefined && { renewalUsd: renewal }),
    ...(threeYearsUsd !== undefined && { threeYearsUsd }),
  };
}

/** A price in US dollars and whole cents. */
export function toCents(usd: number): number {
  return Math.round(usd * 100) / 100;
}

/** The day of a time, in UTC: days are compared as text. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The list writes every price as a string of dollars and cents. */
const PRICE = /^\d{1,5}(?:\.\d{1,2})?$/;
const HIGHEST_USD = 10_000;

/** The prices of a TLD as the list has them. */
type ListedPrice = Omit<DatedPrice, "asOf">;

/**
 * Parses the prices of `tlds`; undefined if the text is not a price list. Implausible prices are left out: a wrong price
 * is worse than an old one. A renewal alone is no price.
 */
export function readPriceList(
  text: string,
  tlds: Iterable<string>,
): ReadonlyMap<string, ListedPrice> | undefined {
  const list = readObject(text);
  if (list?.status !== "SUCCESS" || !isObject(list.pricing)) return undefined;
  const prices = new Map<string, ListedPrice>();
  for (const tld of tlds) {
    const price = Object.hasOwn(list.pricing, tld) ? readEntry(list.pricing[tld]) : undefined;
    if (price !== undefined) prices.set(tld, price);
  }
  return prices;
}

function readEntry(entry: unknown): ListedPrice | undefined {
  // A special type, such as "handshake", means a TLD outside the DNS.
  if (!isObject(entry) || entry.specialType) return undefined;
  const [usd, renewUsd] = [readPrice(entry.registration), readPrice(entry.renewal)];
  if (usd === undefined) return undefined;
  return renewUsd === undefined ? { usd } : { usd, renewUsd };
}

function readPrice(text: unknown): number | undefined {
  if (typeof text !== "string" || !PRICE.test(text)) return undefined;
  const usd = Number(text);
  return usd > 0 && usd <= HIGHEST_USD ? usd : undefined;
}

/** The latest price of each TLD, but for those of days to come; days are compared as text. */
export function newest(some: Prices, others: Prices, today: string): Prices {
  const merged = new Map(some);
  for (const [tld, price] of others) {
    const known = merged.get(tld);
    const isLater = known !== undefined && known.asOf > price.asOf && known.asOf <= today;
    if (!isLater) merged.set(tld, price);
  }
  return merged;
}
