import * as z from "zod/mini";
import { type Prices, quotePrice } from "../rules/prices.ts";
import { PRICED_REGISTRAR } from "../rules/tables/registrars.ts";

/** What a domain costs at the priced registrar; absent where no price is known. */
export const priceQuote = () =>
  z.optional(
    z.object({
      register: z.number().check(z.describe("For the first `years` years together")),
      renew: z.optional(z.number().check(z.describe("For each year after them, if known"))),
      years: z.number().check(z.describe("The shortest term that is sold")),
      threeYears: z.optional(
        z.number().check(z.describe("For three years together, or `years` if more")),
      ),
      currency: z.literal("USD"),
      updatedAt: z.iso.date().check(z.describe("The date of the source")),
    }).check(z.describe(`Estimated prices at ${PRICED_REGISTRAR}, for names without a premium`)),
  );

/** The quote of a TLD as the field of an answer; none if no price is known. */
export function quoteField(tld: string, prices: Prices) {
  const price = prices.get(tld);
  return price === undefined ? {} : { prices: quotePrice(tld, price) };
}
