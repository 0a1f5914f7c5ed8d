import * as z from "zod/mini";
import { asSettled } from "../flow/as_settled.ts";
import type { DomainResult } from "../lookup/check.ts";
import { STATUSES } from "../rules/verdict.ts";
import type { Services } from "../services.ts";
import { ApiError } from "./errors.ts";
import { operation } from "./operation.ts";
import { labelParameter, tldParameter } from "./parameters.ts";

const result = () =>
  z.object({
    domain: z.string().check(z.describe("The domain checked")),
    tld: z.string(),
    available: z.boolean().check(
      z.describe("True only where the registry itself denied the name and DNS shows none"),
    ),
    status: z.readonly(z.array(z.enum(STATUSES))),
    premium: z.boolean().check(
      z.describe("Whether the registry's notice speaks of a premium price"),
    ),
    source: z.enum(["dns", "rdap", "dns+cache", "rdap+cache"]),
    checkedAt: z.iso.datetime().check(
      z.describe("When the fact was found out, also where it is cached"),
    ),
    responseMs: z.number(),
    error: z.optional(
      z.string().check(z.describe("Why nothing is known; a row with it is not available")),
    ),
  });

/** `GET /check`: one name under one TLD or all. */
export const check = operation({
  name: "check",
  path: "/check",
  summary: "Tell whether a name is free, under one TLD or all of them",
  query: () => z.object({ name: labelParameter(), tld: z.optional(tldParameter()) }),
  answer: () =>
    z.object({
      name: z.string(),
      results: z.array(result()),
      totalMs: z.number(),
      timestamp: z.iso.datetime(),
    }),
  errors: ["missing_parameter", "invalid_name", "unsupported_tld"],
  async run({ name, tld }, services, asker) {
    const startedAt = performance.now();
    const tlds = await chooseTlds(tld, services);
    services.popular.count("domain", name);
    const results = await Promise.all(tlds.map((tld) => services.checkDomain(name, tld, asker)));
    return {
      name,
      results,
      totalMs: Math.round(performance.now() - startedAt),
      timestamp: services.timestamp(),
    };
  },
  stream: {
    event: result,
    summary: () =>
      z.object({
        name: z.string(),
        count: z.number().check(z.describe("How many results went before")),
        totalMs: z.number(),
        timestamp: z.iso.datetime(),
      }),
    async run({ name, tld }, services, asker) {
      const tlds = await chooseTlds(tld, services);
      services.popular.count("domain", name);
      return tell(name, tlds.map((tld) => () => services.checkDomain(name, tld, asker)), services);
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
  throw new ApiError("unsupported_tld", `send one of ${enabled.join(", ")}`);
}
