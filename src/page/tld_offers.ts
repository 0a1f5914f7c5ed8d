/** What the page loads once, before any search, so that prices and links need no request per row. */
import type { TldOffers } from "../../static/tld_offers.js";
import { createReadQuery } from "../api/operation.ts";
import { register } from "../api/register.ts";
import { quoteField } from "../api/tlds.ts";
import { hostPolicy, NEEDED_SERVERS, whoisPace } from "../rules/tables/hosts.ts";
import type { Services } from "../wiring/services.ts";

/** URL-encoding does not change it, however often an affiliate link applies it. */
const PLACEHOLDER = "the-name-goes-here.com";

/**
 * Collects the offers: of each TLD the prices that `/tlds` has, and the links that `/register` returns.
 */
export async function tldOffers(services: Services): Promise<TldOffers> {
  const query = readRegisterQuery({ domain: [PLACEHOLDER] });
  const [rows, prices, { registrars }] = await Promise.all([
    services.tlds.fresh(),
    services.prices(),
    register.run(query, services),
  ]);
  const whois = new Map(NEEDED_SERVERS);
  for (const { tld, host, outOfService } of services.health.neededWhois()) {
    if (outOfService === undefined) whois.set(tld, host);
    else whois.delete(tld);
  }
  return {
    tlds: rows.map(({ tld, rdapBase }) => ({
      tld,
      everyMs: paceOf(rdapBase, whois.get(tld)),
      ...quoteField(tld, prices),
    })),
    registrars: registrars.map(({ name, url }) => ({ name, url })),
    placeholder: PLACEHOLDER,
  };
}

/** A name is answered at the pace of the slower of its RDAP and of the WHOIS server that is needed, too. */
function paceOf(rdapBase: string, whois: string | undefined): number {
  const ofRdap = hostPolicy(new URL(rdapBase).host).everyMs;
  return Math.max(ofRdap, whois === undefined ? 0 : whoisPace(whois).everyMs);
}

const readRegisterQuery = createReadQuery(register);
