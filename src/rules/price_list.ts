/** Parses the registrar's public price list into price estimates. */
import { parseJson } from "./parse_json.ts";

/** The list writes every price as a string of dollars and cents. */
const PRICE = /^\d{1,5}(?:\.\d{1,2})?$/;
const HIGHEST_USD = 10_000;

/**
 * Parses the first-year prices of `tlds`; undefined if the text is not a price list. Implausible entries are left out:
 * a wrong price is worse than an old one.
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
  // A special type, such as "handshake", means a TLD outside the DNS.
  if (!isObject(entry) || entry.specialType) return undefined;
  const { registration } = entry;
  if (typeof registration !== "string" || !PRICE.test(registration)) return undefined;
  const usd = Number(registration);
  return usd > 0 && usd <= HIGHEST_USD ? usd : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
