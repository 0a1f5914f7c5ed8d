/** Parses the registrar's public price list into price estimates. */
import { isObject, readObject } from "./parse_json.ts";
import type { DatedPrice } from "../prices.ts";

/** The list writes every price as a string of dollars and cents. */
const PRICE = /^\d{1,5}(?:\.\d{1,2})?$/;
const HIGHEST_USD = 10_000;

/** The prices of a TLD as the list has them. */
type ListedPrice = Omit<DatedPrice, "asOf">;

/** Prices by TLD, or why the list could not be fetched. */
export type PriceAnswer =
  | { kind: "prices"; prices: ReadonlyMap<string, ListedPrice> }
  | { kind: "failed"; reason: string };

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
