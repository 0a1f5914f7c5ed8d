/** What the page loads once, before any search, so that prices and links need no request per row. */
import { register } from "../api/register.ts";
import { readDomain } from "../rules/name.ts";
import { tldType } from "../rules/tlds.ts";
import type { Services } from "../wiring/services.ts";

/** The TLDs with their prices, and the registrars with links in which a placeholder stands for the domain. */
export interface TldOffers {
  tlds: { tld: string; type: string; price?: number }[];
  registrars: { name: string; url: string }[];
  /** The registrar that the prices are from; empty if no price is known. */
  pricedAt: string;
  placeholder: string;
}

/** URL-encoding does not change it, however often an affiliate link applies it. */
const PLACEHOLDER = "the-name-goes-here.com";

/** Collects the offers that `/register` returns for each TLD. */
export async function tldOffers(services: Services): Promise<TldOffers> {
  const enabled = await services.tlds.enabled();
  const priced = await Promise.all(enabled.map(async (tld) => {
    const registrars = await registrarsOf(`name.${tld}`, services);
    return { tld, offer: registrars.find(({ estimatedPrice }) => estimatedPrice !== undefined) };
  }));
  const registrars = await registrarsOf(PLACEHOLDER, services);
  return {
    tlds: priced.map(({ tld, offer }) => ({
      tld,
      type: tldType(tld),
      ...(offer?.estimatedPrice !== undefined && { price: offer.estimatedPrice }),
    })),
    registrars: registrars.map(({ name, url }) => ({ name, url })),
    pricedAt: priced.find(({ offer }) => offer !== undefined)?.offer?.name ?? "",
    placeholder: PLACEHOLDER,
  };
}

/** The registrars of a domain, as `/register` returns them. */
export async function registrarsOf(domain: string, services: Services) {
  const reading = readDomain(domain);
  if (reading.kind === "refused") throw new Error(`Cannot offer ${domain}: ${reading.why}`);
  return (await register.run({ domain: reading }, services)).registrars;
}
