import * as z from "zod/mini";
import { tldType } from "../rules/tables/tlds.ts";
import { operation } from "./operation.ts";
import { priceQuote, quoteField } from "./price_quote.ts";

const TYPES = ["gTLD", "ccTLD"] as const;

/** `GET /tlds`: the supported TLDs, in alphabetical order. */
export const tlds = operation({
  name: "tlds",
  path: "/tlds",
  chapter: "domains",
  summary: "List the supported TLDs, with prices and RDAP servers",
  description: "In alphabetical order; the list may grow.",
  query: () =>
    z.object({
      type: z.optional(
        z.enum(TYPES, { error: "invalid_type" }).check(
          z.describe("Only generic, or only country-code TLDs"),
        ),
      ),
    }),
  answer: () =>
    z.object({
      count: z.number(),
      tlds: z.array(z.object({
        tld: z.string().check(z.describe("Without the dot")),
        type: z.enum(TYPES),
        rdapServer: z.string().check(z.describe("Host and path, without the scheme")),
        enabled: z.boolean(),
        prices: priceQuote(),
      })),
    }),
  errors: ["invalid_type", "invalid_parameter"],
  async run({ type }, services) {
    const prices = await services.prices();
    const rows = (await services.tlds.fresh())
      .map(({ tld, rdapBase }) => ({
        tld,
        type: tldType(tld),
        rdapServer: rdapBase.replace(/^https?:\/\//, "").replace(/\/$/, ""),
        enabled: true,
        ...quoteField(tld, prices),
      }))
      .filter((row) => type === undefined || row.type === type);
    return { count: rows.length, tlds: rows };
  },
});
