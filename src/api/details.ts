import * as z from "zod/mini";
import { DROP_PHASES } from "../rules/drop_dates.ts";
import { STATUS_WORDS } from "../rules/readers/registry_details.ts";
import { STATES } from "../rules/verdict.ts";
import { outlookFields, requireSuffix } from "./check.ts";
import { ensDateFields } from "./ens.ts";
import { number, operation, text } from "./operation.ts";
import { detailsParameter } from "./parameters.ts";
import { priceQuote, quoteField } from "./tlds.ts";

/** `GET /details`: who registered a taken name with, since when and until when. */
export const details = operation({
  name: "details",
  path: "/details",
  chapter: "domains",
  summary: "Get the registrar, dates, status and name servers of a taken name",
  description:
    "The name is checked as by `/check`; if it is taken, its registry is asked for the record, which is kept for an " +
    "hour. The record comes through the same queue as a check, so it may take as long. Where the registry gives none, " +
    "`error` says why. People's names, addresses, telephone numbers and e-mail addresses are never passed on. A .eth " +
    "name has `expiresAt`, `graceEndsAt`, `premiumEndsAt` and `premiumBelow`.",
  query: () => z.object({ domain: detailsParameter() }),
  answer: () =>
    z.object({
      domain: z.string(),
      state: z.enum(STATES),
      available: z.boolean(),
      source: z.enum([
        ...["dns", "rdap", "whois", "rpc"] as const,
        ...["dns+cache", "rdap+cache", "whois+cache", "rpc+cache"] as const,
      ]).check(z.describe("What the state rests on")),
      checkedAt: z.iso.datetime(),
      registrar: z.optional(
        z.object({
          name: z.optional(z.string()),
          ianaId: z.optional(number("The registrar's number at IANA")),
        }),
      ),
      createdAt: z.optional(z.iso.datetime()),
      updatedAt: z.optional(z.iso.datetime()),
      ...ensDateFields(),
      expiresAt: z.optional(z.iso.datetime()).check(z.describe(
        "As the registry or the contract says; in `auto renew period` it is a year ahead already",
      )),
      status: z.optional(z.readonly(z.array(z.enum(STATUS_WORDS)))).check(
        z.describe("The words of RFC 8056"),
      ),
      nameServers: z.optional(z.readonly(z.array(z.string()))).check(
        z.describe("Those at the registry"),
      ),
      dnssec: z.optional(z.boolean()).check(z.describe("Whether the delegation is signed")),
      drop: z.optional(
        z.object({
          phase: z.enum(DROP_PHASES),
          earliest: z.iso.date(),
          latest: z.iso.date(),
          rule: text("The registry's rule; estimate where it is not known"),
        }).check(z.describe(
          "Between which days the name could become free if it is neither renewed nor restored; absent where the record's " +
            "dates give none. In `auto_renew` it is counted from the expiry a year before `expiresAt`; `purged`: it was " +
            "registered a moment ago, and the registry may hold it back",
        )),
      ),
      forSale: z.optional(
        z.object({
          price: z.optional(text("A currency and an amount")),
          url: z.optional(z.string()),
        }).check(z.describe("How the holder offers the name in DNS (RFC 10023), unverified")),
      ),
      prices: priceQuote(),
      reason: z.optional(
        text("Why a reserved name cannot be registered, without what `/check` quotes"),
      ),
      error: z.optional(text("Why the state is unknown, or the record is missing")),
      ...outlookFields(),
    }),
  errors: ["missing_parameter", "invalid_domain", "unsupported_tld", "invalid_parameter"],
  async run({ domain: { label, tld } }, services, waiter) {
    if (tld !== "eth") await requireSuffix(tld, services);
    const found = await services.findDetails(label, tld, waiter);
    // The price is that of names without a premium.
    const prices = found.state === "premium" ? new Map() : await services.prices();
    return { ...found, ...quoteField(tld, prices) };
  },
});
