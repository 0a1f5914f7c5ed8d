/** What the page loads once, before any search, so that prices and links need no request per row. */
import { quoteField } from "../api/price_quote.ts";
import { register } from "../api/register.ts";
import { readDomain } from "../rules/name.ts";
import type { PriceQuote } from "../rules/prices.ts";
import { PRICED_REGISTRAR } from "../rules/tables/registrars.ts";
import { tldType } from "../rules/tables/tlds.ts";
import type { Services } from "../wiring/services.ts";

/** The TLDs with their prices, and the registrars with links in which a placeholder stands for the domain. */
export interface TldOffers {
  tlds: {
    tld: string;
    /** `gTLD` or `ccTLD`. */
    type: string;
    /**
     * Estimated prices at `pricedAt`, such as `{register: 165.4, renew: 82.7, years: 2, currency: "USD", updatedAt:
     * "2026-11-22"}`: the first `years` years together cost `register`, each year after them `renew`. Absent if no price
     * is known; `renew` also alone. They are for names without a premium. `priceOf()` of `vocabulary.js` words them.
     */
    prices?: PriceQuote;
  }[];
  registrars: { name: string; url: string }[];
  /** The registrar that the prices are from. */
  pricedAt: string;
  placeholder: string;
}

/** URL-encoding does not change it, however often an affiliate link applies it. */
const PLACEHOLDER = "the-name-goes-here.com";

/**
 * Collects the offers: of each TLD the prices that `/tlds` has, and the links that `/register` returns.
 */
export async function tldOffers(services: Services): Promise<TldOffers> {
  const [enabled, prices] = await Promise.all([services.tlds.enabled(), services.prices()]);
  const registrars = await registrarsOf(PLACEHOLDER, services);
  return {
    tlds: enabled.map((tld) => ({ tld, type: tldType(tld), ...quoteField(tld, prices) })),
    registrars: registrars.map(({ name, url }) => ({ name, url })),
    pricedAt: PRICED_REGISTRAR,
    placeholder: PLACEHOLDER,
  };
}

/** The registrars of a domain, as `/register` returns them. */
export async function registrarsOf(domain: string, services: Services) {
  const reading = readDomain(domain);
  if (reading.kind === "refused") throw new Error(`Cannot offer ${domain}: ${reading.why}`);
  return (await register.run({ domain: reading }, services)).registrars;
}
