import * as z from "zod/mini";
import { asSettled } from "../flow/as_settled.ts";
import type { DomainResult } from "../lookup/check_domain.ts";
import { STATES, STATUSES } from "../rules/verdict.ts";
import type { Services } from "../wiring/services.ts";
import { ApiError } from "./errors.ts";
import { operation } from "./operation.ts";
import { serverTiming } from "./server_timing.ts";
import { labelParameter, tldParameter } from "./parameters.ts";

/** One row of an answer: what is known of one domain. */
export const domainResult = () =>
  z.object({
    domain: z.string().check(z.describe("The domain checked")),
    tld: z.string(),
    state: z.enum(STATES).check(z.describe(
      "The verdict in one word; premium: available at a higher price; reserved: cannot be registered, because the " +
        "registry keeps it back, blocks it, or sells no such names",
    )),
    available: z.boolean().check(
      z.describe("True only where the registry itself denied the name and DNS shows none"),
    ),
    status: z.readonly(z.array(z.enum(STATUSES))).check(z.describe(
      "unknown: could not be determined; undelegated: not in DNS; inactive: can be registered; " +
        "active: registered; premium: the registry asks more for it",
    )),
    premium: z.boolean().check(
      z.describe("Whether the registry's notice speaks of a premium price"),
    ),
    source: z.enum(["dns", "rdap", "dns+cache", "rdap+cache"]).check(
      z.describe("What decided: name servers in DNS, or the registry's RDAP server"),
    ),
    checkedAt: z.iso.datetime().check(
      z.describe("When the question was sent that decided, also where the answer is cached"),
    ),
    responseMs: z.number().check(z.describe("What this request waited for this domain")),
    reason: z.optional(
      z.string().check(
        z.describe("Why a reserved name cannot be registered: the registry's words, or its rule"),
      ),
    ),
    error: z.optional(
      z.string().check(z.describe("Why nothing is known; a row with it is not available")),
    ),
  });

/** `GET /check`: one name under one TLD or all. */
export const check = operation({
  name: "check",
  path: "/check",
  chapter: "domains",
  summary: "Tell whether a name is free, under one TLD or all of them",
  description:
    "Without `tld`, every TLD of `/tlds` is checked, in that order. A row is `available` only where DNS shows no " +
    "delegation, the TLD's own registry denies the name with a clean 404, and that registry has just been tested on " +
    "names that are known to exist. A row with `error` is not available: nothing is known, and the text says why and, " +
    "where that is known, when to try again. One row that fails never fails the others. What no registry tells: names " +
    "it keeps back, names that brands had blocked, and most premium prices.",
  query: () => z.object({ name: labelParameter(), tld: z.optional(tldParameter()) }),
  answer: () =>
    z.object({
      name: z.string(),
      results: z.array(domainResult()),
      totalMs: z.number(),
      timestamp: z.iso.datetime(),
    }),
  errors: ["missing_parameter", "invalid_name", "unsupported_tld"],
  async run({ name, tld }, services, waiter) {
    const startedAt = performance.now();
    const tlds = await chooseTlds(tld, services);
    services.popular.count("domain", name);
    const results = await Promise.all(tlds.map((tld) => services.checkDomain(name, tld, waiter)));
    return {
      name,
      results,
      totalMs: Math.round(performance.now() - startedAt),
      timestamp: services.timestamp(),
    };
  },
  serverTiming: ({ results, totalMs }, spent) =>
    serverTiming(results.map(({ source }) => source), { spent, totalMs }),
  stream: {
    event: domainResult,
    summary: () =>
      z.object({
        name: z.string(),
        count: z.number().check(z.describe("How many results went before")),
        totalMs: z.number(),
        timestamp: z.iso.datetime(),
      }),
    async run({ name, tld }, services, waiter) {
      const tlds = await chooseTlds(tld, services);
      services.popular.count("domain", name);
      return tell(name, tlds.map((tld) => () => services.checkDomain(name, tld, waiter)), services);
    },
  },
});

/** Starts the look-ups once the first result is asked for, and tells of each as it settles. */
async function* tell(
  name: string,
  lookups: readonly (() => Promise<DomainResult>)[],
  { timestamp }: Services,
) {
  const startedAt = performance.now();
  yield* asSettled(lookups.map((lookup) => lookup()));
  const totalMs = Math.round(performance.now() - startedAt);
  return { name, count: lookups.length, totalMs, timestamp: timestamp() };
}

async function chooseTlds(
  tld: string | undefined,
  services: Services,
): Promise<readonly string[]> {
  const enabled = await services.tlds.enabled();
  if (tld === undefined) return enabled;
  if (enabled.includes(tld)) return [tld];
  throw refuseTld(enabled);
}

/** The refusal of a TLD that is not among the enabled ones. */
export function refuseTld(enabled: readonly string[]): ApiError {
  return new ApiError("unsupported_tld", `send one of ${enabled.join(", ")}`);
}
