/** Where a domain can be registered, as rows, and what it costs about. */

/** A registrar and the plain link to its search for a domain. */
export interface Registrar {
  readonly slug: "porkbun" | "namecheap" | "godaddy";
  readonly name: string;
  /** Link with `{domain}` in it. */
  readonly link: string;
  /** Whether its prices are known. */
  readonly priced: boolean;
}

/** A price of one year in USD and the day on which it was read. */
export interface DatedPrice {
  readonly usd: number;
  readonly asOf: string;
}

/** In the order of the answer. The links were tried by others until 2026-09. */
export const REGISTRARS: readonly Registrar[] = [
  {
    slug: "porkbun",
    name: "Porkbun",
    link: "https://porkbun.com/checkout/search?q={domain}",
    priced: true,
  },
  {
    slug: "namecheap",
    name: "Namecheap",
    link: "https://www.namecheap.com/domains/registration/results/?domain={domain}",
    priced: false,
  },
  {
    slug: "godaddy",
    name: "GoDaddy",
    link: "https://www.godaddy.com/domainsearch/find?domainToCheck={domain}",
    priced: false,
  },
];

/** First-year prices by TLD. */
export type Prices = ReadonlyMap<string, DatedPrice>;

/** First-year prices at the priced registrar, for want of newer ones. `.ai` is sold for two years at least: this is one of them. */
export const BUILT_IN_PRICES: Prices = new Map([
  ["ai", { usd: 82.7, asOf: "2026-09-29" }],
  ["app", { usd: 8.75, asOf: "2026-09-29" }],
  ["bot", { usd: 45, asOf: "2025-03-22" }],
  ["com", { usd: 11.08, asOf: "2026-09-29" }],
  ["org", { usd: 11.84, asOf: "2026-09-29" }],
  ["xyz", { usd: 2.04, asOf: "2026-03-01" }],
]);

/**
 * The link that registers `domain`. An affiliate template may hold `{domain}` and `{url}`, the plain link; both are
 * URL-encoded, so nothing in a name can leave its place.
 */
export function registrationUrl(registrar: Registrar, domain: string, template?: string): string {
  const plain = registrar.link.replace("{domain}", encodeURIComponent(domain));
  if (template === undefined) return plain;
  return template
    .replaceAll("{domain}", encodeURIComponent(domain))
    .replaceAll("{url}", encodeURIComponent(plain));
}
