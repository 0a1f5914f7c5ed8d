/** The priced registrar's public price list: what of it can be told as an estimate. */
import { parseJson } from "./parse_json.ts";

/** Dollars and cents as a string, which is how the list writes every price. */
const PRICE = /^\d{1,5}(?:\.\d{1,2})?$/;
const HIGHEST_USD = 10_000;

/**
 * Reads the first-year prices of `tlds`; undefined where the text is no price list. An entry that makes no sense as a
 * price of a domain is left out: a wrong price is worse than an old one.
 */
export function readPriceList(
  text: string,
  tlds: Iterable<string>,
): ReadonlyMap<string, number> | undefined {
  const list = parseJson(text);
  if (!isObject(list) || list.status !== "SUCCESS" || !isObject(list.pricing)) return undefined;
  const prices = new Map<string, number>();
  for (const tld of tlds) {
    const usd = Object.hasOwn(list.pricing, tld) ? readPrice(list.pricing[tld]) : undefined;
    if (usd !== undefined) prices.set(tld, usd);
  }
  return prices;
}

function readPrice(entry: unknown): number | undefined {
  // A special type, such as "handshake", means a name that is none of the DNS.
  if (!isObject(entry) || entry.specialType) return undefined;
  const { registration } = entry;
  if (typeof registration !== "string" || !PRICE.test(registration)) return undefined;
  const usd = Number(registration);
  return usd > 0 && usd <= HIGHEST_USD ? usd : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
