import * as z from "zod/mini";
import { readSuffix, toAsciiName } from "../rules/name.ts";
import { type Prices, quotePrice } from "../rules/prices.ts";
import { PRICED_REGISTRAR } from "../rules/tables/registrars.ts";
import { COVERAGES, tldType } from "../rules/tables/tlds.ts";
import { number, operation, text } from "./operation.ts";
import { choice, parameter } from "./parameters.ts";

const TYPES = ["gTLD", "ccTLD"] as const;
/** Rows of a page of `coverage=all`, if the client does not say. */
const USUAL_LIMIT = 100;
const MAX_LIMIT = 1_000;
const LIMIT = /^[1-9][0-9]{0,3}$/;

/** What a domain costs at the priced registrar; absent where no price is known. */
export const priceQuote = () =>
  z.optional(
    z.object({
      register: number("For the first `years` years together"),
      renew: z.optional(number("For each year after them, if known")),
      years: number("The shortest term that is sold"),
      threeYears: z.optional(number("For three years together, or `years` if more")),
      currency: z.literal("USD"),
      updatedAt: z.iso.date().check(z.describe("The date of the source")),
    }).check(z.describe(`Estimated prices at ${PRICED_REGISTRAR}, for names without a premium`)),
  );

/** The quote of a TLD as the field of an answer; none if no price is known. */
export function quoteField(tld: string, prices: Prices) {
  const price = prices.get(tld);
  return price === undefined ? {} : { prices: quotePrice(tld, price) };
}

const row = () =>
  z.object({
    tld: text("Without the dot"),
    unicode: z.optional(text("In Unicode, if that differs")),
    type: z.enum(TYPES),
    rdapServer: z.optional(text("Host and path, without the scheme")),
    whoisServer: z.optional(z.string()),
    enabled: z.boolean().check(z.describe("Whether it is checked where no TLD is named")),
    coverage: z.optional(z.enum(COVERAGES)),
    requirements: z.optional(text("Who may register")),
    note: z.optional(text("Which names it does not sell, or may not")),
    source: z.optional(z.string()),
    checkedOn: z.optional(z.iso.date()),
    prices: priceQuote(),
  });

type Row = z.input<ReturnType<typeof row>>;

/** `GET /tlds`: the TLDs that are checked where none is named, or everything under which names can be checked. */
export const tlds = operation({
  name: "tlds",
  path: "/tlds",
  chapter: "domains",
  summary: "List the TLDs, with prices, servers and what can be said of their names",
  description:
    "The TLDs that are checked where none is named, in alphabetical order; the list may grow. With `coverage=all` every " +
    "TLD under which names can be checked, a page at a time; `q` finds a public suffix such as co.uk, too. `coverage` tells what can be " +
    "said of its names. rdap: all states; rdap_unlisted: all states, by the registry's own server that IANA does not list; " +
    "whois: taken, reserved, else unknown with likely; dns: taken, else unknown; closed: reserved, because only its company, an institution, a profession or a government registers there. " +
    "Directly below a TLD whose `note` says that it sells names under its suffixes only, a name is taken or reserved.",
  query: () =>
    z.object({
      type: choice(TYPES, "Only generic or country-code TLDs", "invalid_type"),
      coverage: choice(["all"], "`all`: every TLD"),
      q: z.optional(parameter(
        { description: "Only what contains it, and the public suffix that it is" },
        (text) => toAsciiName(text.trim().toLowerCase().replace(/^\./, "")),
      )),
      limit: z.optional(parameter({
        description: `With coverage=all: rows of a page, 1 to ${MAX_LIMIT}`,
        pattern: LIMIT.source,
      }, (text, refuse) => {
        const limit = LIMIT.test(text) ? Number(text) : Infinity;
        return limit <= MAX_LIMIT ? limit : refuse(`send limit as a number up to ${MAX_LIMIT}`);
      })),
      after: z.optional(parameter(
        { description: "With coverage=all: the last TLD of the page before" },
        (text, refuse) => readSuffix(text) ?? refuse("send after as a TLD of the list"),
      )),
    }),
  answer: () =>
    z.object({
      count: number("Rows of this answer"),
      total: z.optional(number("With coverage=all: rows of all pages")),
      tlds: z.array(row()),
    }),
  errors: ["invalid_type", "invalid_parameter"],
  async run({ type, coverage, q: part = "", limit = USUAL_LIMIT, after = "" }, services) {
    const prices = await services.prices();
    if (coverage === undefined) {
      const wanted = (await services.tlds.fresh()).filter(({ tld }) =>
        (type === undefined || tldType(tld) === type) && tld.includes(part)
      );
      const rows = wanted.map(({ tld, rdapBase }): Row => ({
        tld,
        type: tldType(tld),
        rdapServer: withoutScheme(rdapBase),
        enabled: true,
        ...quoteField(tld, prices),
      }));
      return { count: rows.length, tlds: rows };
    }
    const enabled = await services.tlds.enabled();
    const { count: total, facts } = await services.suffixes.list({ part, type, after, limit });
    const rows = facts.map(({ suffix, rdapServer, ...known }): Row => ({
      tld: suffix,
      ...known,
      rdapServer: rdapServer && withoutScheme(rdapServer),
      enabled: enabled.includes(suffix),
      ...quoteField(suffix, prices),
    }));
    return { count: rows.length, total, tlds: rows };
  },
});

function withoutScheme(base: string): string {
  return base.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
