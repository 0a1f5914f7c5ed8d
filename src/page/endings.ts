/** What the page is told once, before any search, so that prices and links cost no request a row. */
import { register } from "../api/register.ts";
import { readDomain } from "../rules/name.ts";
import { tldType } from "../rules/tlds.ts";
import type { Services } from "../wiring/services.ts";

/** The endings with their prices, and the registrars' links for a placeholder that a name takes the place of. */
export interface Endings {
  endings: { tld: string; type: string; price?: number }[];
  registrars: { name: string; url: string }[];
  /** The registrar whose prices they are; empty where none is known. */
  pricedAt: string;
  placeholder: string;
}

/** Neither part of it changes when it is URL-encoded, however often an affiliate link does that. */
const PLACEHOLDER = "the-name-goes-here.com";

/** Puts them together from what `/register` answers. */
export async function endingsOf(services: Services): Promise<Endings> {
  const tlds = await services.tlds.enabled();
  const priced = await Promise.all(tlds.map(async (tld) => {
    const offers = await offersOf(`name.${tld}`, services);
    return { tld, offer: offers.find(({ estimatedPrice }) => estimatedPrice !== undefined) };
  }));
  const registrars = await offersOf(PLACEHOLDER, services);
  return {
    endings: priced.map(({ tld, offer }) => ({
      tld,
      type: tldType(tld),
      ...(offer?.estimatedPrice !== undefined && { price: offer.estimatedPrice }),
    })),
    registrars: registrars.map(({ name, url }) => ({ name, url })),
    pricedAt: priced.find(({ offer }) => offer !== undefined)?.offer?.name ?? "",
    placeholder: PLACEHOLDER,
  };
}

/** The registrars' offers for a domain, as `/register` answers them. */
export async function offersOf(domain: string, services: Services) {
  const reading = readDomain(domain);
  if (reading.kind === "refused") throw new Error(`Cannot offer ${domain}: ${reading.why}`);
  return (await register.run({ domain: reading }, services)).registrars;
}
