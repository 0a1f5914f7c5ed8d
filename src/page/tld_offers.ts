/** What the page loads once, before any search, so that prices and links need no request per row. */
import type { TldOffers } from "../../static/tld_offers.js";
import { register } from "../api/register.ts";
import { quoteField } from "../api/tlds.ts";
import { hostPolicy, NEEDED_SERVERS } from "../rules/tables/hosts.ts";
import type { Services } from "../wiring/services.ts";

/** URL-encoding does not change it, however often an affiliate link applies it. */
const PLACEHOLDER = "the-name-goes-here.com";

/** A registry that needs more for each name is slow. */
const QUICK_MS = 250;

/** Collects the offers: of each TLD the prices that `/tlds` has, and the links that `/register` returns. */
export async function tldOffers(services: Services): Promise<TldOffers> {
  const [rows, prices, { registrars }] = await Promise.all([
    services.tlds.fresh(),
    services.prices(),
    register.run({ domain: { domain: PLACEHOLDER, tld: "com" } }, services),
  ]);
  return {
    tlds: rows.map(({ tld, rdapBase }) => ({
      tld,
      // The WHOIS servers that are needed are slow.
      isQuick: !NEEDED_SERVERS.has(tld) && hostPolicy(new URL(rdapBase).host).everyMs <= QUICK_MS,
      ...quoteField(tld, prices),
    })),
    registrars: registrars.map(({ name, url }) => ({ name, url })),
    placeholder: PLACEHOLDER,
  };
}
