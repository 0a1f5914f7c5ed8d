import * as z from "zod/mini";
import { REGISTRARS, registrationUrl } from "../rules/registrars.ts";
import { operation } from "./operation.ts";
import { domainParameter } from "./parameters.ts";

const SLUGS = REGISTRARS.map(({ slug }) => slug);

/** `GET /register`: where a domain can be registered; it does not check availability. */
export const register = operation({
  name: "register",
  path: "/register",
  chapter: "domains",
  summary: "Get links to registrars for a domain, with an estimated price where one is known",
  description:
    "It does not check availability: use `/check` first. The links may be affiliate links. A price is an estimate in " +
    "USD for the first year, known for Porkbun and com, org, app, xyz, ai and bot.",
  query: () =>
    z.object({
      domain: domainParameter(),
      registrar: z.optional(
        z.enum(SLUGS, { error: "invalid_registrar" }).check(z.describe("Only this registrar")),
      ),
    }),
  answer: () =>
    z.object({
      domain: z.string(),
      registrars: z.array(z.object({
        name: z.string(),
        slug: z.enum(SLUGS),
        url: z.url(),
        estimatedPrice: z.optional(
          z.number().check(z.describe("USD for the first year; an estimate")),
        ),
      })),
      timestamp: z.iso.datetime(),
    }),
  errors: ["missing_domain", "invalid_domain", "invalid_registrar"],
  async run({ domain: { domain, tld }, registrar }, { affiliateLinks, prices, timestamp }) {
    const known = await prices();
    const registrars = REGISTRARS
      .filter(({ slug }) => registrar === undefined || slug === registrar)
      .map((row) => {
        const price = row.priced ? known.get(tld)?.usd : undefined;
        return {
          name: row.name,
          slug: row.slug,
          url: registrationUrl(row, domain, affiliateLinks[row.slug]),
          ...(price !== undefined && { estimatedPrice: price }),
        };
      });
    return { domain, registrars, timestamp: timestamp() };
  },
});
