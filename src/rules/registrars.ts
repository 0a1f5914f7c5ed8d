/** Registrars as rows, and estimated prices. */

/** A registrar and the link to its domain search. */
export interface Registrar {
  readonly slug: "porkbun" | "namecheap" | "godaddy";
  readonly name: string;
  /** Link template with `{domain}`. */
  readonly link: string;
  /** Whether its prices are known. */
  readonly priced: boolean;
}

/** The price of one year in USD, and the date of its source. */
export interface DatedPrice {
  readonly usd: number;
  readonly asOf: string;
}

/** In the order of the response. The links were tested by third parties until 2026-09. */
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

/** First-year prices at Porkbun, used until newer ones are fetched. `.ai` is sold for at least two years; this is the price of one. */
export const BUILT_IN_PRICES: Prices = new Map([
  ["ai", { usd: 82.7, asOf: "2026-09-29" }],
  ["app", { usd: 8.75, asOf: "2026-09-29" }],
  ["bot", { usd: 45, asOf: "2025-03-22" }],
  ["com", { usd: 11.08, asOf: "2026-09-29" }],
  ["org", { usd: 11.84, asOf: "2026-09-29" }],
  ["xyz", { usd: 2.04, asOf: "2026-03-01" }],
]);

/**
 * The link that registers `domain`. An affiliate template may contain `{domain}` and `{url}`, the plain link; both are
 * URL-encoded, so a name cannot change the rest of the URL.
 */
export function registrationUrl(registrar: Registrar, domain: string, template?: string): string {
  const plain = registrar.link.replace("{domain}", encodeURIComponent(domain));
  if (template === undefined) return plain;
  return template
    .replaceAll("{domain}", encodeURIComponent(domain))
    .replaceAll("{url}", encodeURIComponent(plain));
}
