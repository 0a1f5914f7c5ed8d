/** Registrars as rows. */

/** A registrar and the link to its domain search. */
interface Registrar {
  readonly slug: "porkbun" | "namecheap" | "godaddy";
  readonly name: string;
  /** Link template with `{domain}`. */
  readonly link: string;
  /** Whether its prices are known. */
  readonly priced?: true;
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
  },
  {
    slug: "godaddy",
    name: "GoDaddy",
    link: "https://www.godaddy.com/domainsearch/find?domainToCheck={domain}",
  },
];

/** The names of the registrars whose prices are known: one. */
export const PRICED_REGISTRAR = REGISTRARS.filter(({ priced }) => priced)
  .map(({ name }) => name).join();

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
