import * as z from "zod/mini";
import { ESTIMATED_TLDS } from "../rules/prices.ts";
import { REGISTRARS, registrationUrl } from "../rules/tables/registrars.ts";
import { ApiError } from "./errors.ts";
import { number, operation } from "./operation.ts";
import { choice, domainParameter } from "./parameters.ts";
import { priceQuote, quoteField } from "./tlds.ts";

const SLUGS = REGISTRARS.map(({ slug }) => slug);

/** `GET /register`: where a domain can be registered; it does not check availability. */
export const register = operation({
  name: "register",
  path: "/register",
  chapter: "domains",
  summary: "Get links to registrars for a domain, with prices",
  description:
    "It does not check availability: use `/check` first. The links may be affiliate links. Prices are estimates in USD, " +
    "known for Porkbun: `prices` for the TLDs of `/tlds`, with the renewal, the shortest term that is sold, and the cost of three years; " +
    "`estimatedPrice`, of one year, for com, org, app, xyz, ai and bot.",
  query: () =>
    z.object({
      domain: domainParameter(),
      registrar: choice(SLUGS, "Only this registrar", "invalid_registrar"),
    }),
  answer: () =>
    z.object({
      domain: z.string(),
      registrars: z.array(z.object({
        name: z.string(),
        slug: z.enum(SLUGS),
        url: z.url(),
        estimatedPrice: z.optional(number("USD for the first year; an estimate")),
        prices: priceQuote(),
      })),
      timestamp: z.iso.datetime(),
    }),
  errors: ["missing_domain", "invalid_domain", "invalid_registrar", "invalid_parameter"],
  async run({ domain: { domain, tld }, registrar }, services) {
    const { affiliateLinks, prices, timestamp, suffixes } = services;
    const advice = tld.includes(".") ? await suffixes.refusalOf(tld) : undefined;
    if (advice !== undefined) throw new ApiError("invalid_domain", advice);
    const known = await prices();
    const registrars = REGISTRARS
      .filter(({ slug }) => registrar === undefined || slug === registrar)
      .map((row) => {
        const estimatedPrice = ESTIMATED_TLDS.includes(tld) ? known.get(tld)?.usd : undefined;
        return {
          name: row.name,
          slug: row.slug,
          url: registrationUrl(row, domain, affiliateLinks[row.slug]),
          ...(row.priced && estimatedPrice !== undefined && { estimatedPrice }),
          ...(row.priced && quoteField(tld, known)),
        };
      });
    return { domain, registrars, timestamp: timestamp() };
  },
});
