import * as z from "zod/mini";
import { MEANINGS } from "../../static/vocabulary.js";
import type { Waiter } from "../flow/cache/flight.ts";
import type { Meaning } from "../rules/evidence.ts";
import { wantedRank } from "../rules/tables/tlds.ts";
import { LIKELY, STATUSES } from "../rules/verdict.ts";
import type { Services } from "../wiring/services.ts";
import { ApiError } from "./errors.ts";
import { number, operation, text } from "./operation.ts";
import { checkParameters, labelParameter, tldParameter } from "./parameters.ts";

/** What a registrar asks for a name. */
const offer = () =>
  z.object({
    registrar: z.string(),
    price: number("For the shortest term, in US dollars"),
    renewal: z.optional(number("For each further year, in US dollars")),
    premium: z.optional(z.boolean().check(z.describe("Absent if the registrar does not tell"))),
    years: z.optional(
      number("The shortest term that the registrar sells; absent if it does not tell"),
    ),
  });

const WORDS = Object.keys(MEANINGS) as Meaning[];

/** What one witness said about a name. */
const evidenceEntry = () =>
  z.object({
    witness: z.union([
      z.enum(["dns", "rdap", "whois"]),
      z.templateLiteral(["registrar:", z.string()]),
    ]),
    host: text("The server; for DNS system or resolver (the configured one); empty if not known"),
    said: text("The witness's own words, cleaned, at most 200 characters: third-party text"),
    // Other versions may have other words.
    means: z.union([z.enum(WORDS), z.string()]),
    askedAt: z.iso.datetime(),
    ms: number("The time of the exchange, without the wait in a queue"),
    cached: z.boolean(),
    canary: z.optional(
      z.object({
        found: z.enum(["passed", "failed", "undecided"]),
        testedAt: z.optional(z.iso.datetime()),
      }).check(z.describe(
        "What the test of this registry's 404s found, and when; with a record only if it proves nothing, because the " +
          "registry has one of a made-up name, too",
      )),
    ),
    unlisted: z.optional(z.literal(true)).check(
      z.describe("The RDAP server is the registry's own, and IANA does not list it"),
    ),
    rule: z.optional(
      z.object({ means: z.enum(["forbidden", "unknown"]), text: z.string() }).check(
        z.describe("The rule of the TLD, or the list of reserved names, that decides"),
      ),
    ),
  });

/** The fields of every row but `state` and `available`. */
const commonFields = () => ({
  domain: text("The domain checked"),
  unicode: z.optional(text("The domain in Unicode, if it has a valid label in xn-- form")),
  tld: z.string(),
  status: z.readonly(z.array(z.enum(STATUSES))).check(z.describe(
    "unknown: could not be determined; undelegated: not in DNS; inactive: can be registered; " +
      "active: registered; premium: the registry charges more for it",
  )),
  premium: z.boolean().check(
    z.describe("Whether the registry or a registrar says that the name costs more"),
  ),
  source: z.enum(["dns", "rdap", "whois", "dns+cache", "rdap+cache", "whois+cache"]).check(
    z.describe(
      "What the verdict rests on: name servers in DNS, or the registry's RDAP or WHOIS server",
    ),
  ),
  checkedAt: z.iso.datetime().check(
    z.describe("When the deciding query was sent, also for a cached result"),
  ),
  responseMs: number("How long this request waited for this domain"),
  offer: z.optional(offer()).check(
    z.meta({
      title: "Offer",
      description: "The price at a registrar with which the operator has an account",
    }),
  ),
  evidence: z.optional(z.readonly(z.array(evidenceEntry()))).check(z.meta({
    title: "Evidence",
    description:
      "With evidence=1: what each witness said, in the order in which they are asked. State, available, status, premium " +
      "and source follow from it alone; for_sale and parked change none of them. An answer from the shared cache, " +
      "which stores verdicts only, quotes a reservation at most. `means` is one of: " +
      Object.entries(MEANINGS).map(([word, meaning]) => `${word}: ${meaning}`).join("; "),
  })),
});

/** What an unknown name most likely is, and when to ask again. */
export const outlookFields = () => ({
  likely: z.optional(z.enum(LIKELY)).check(z.describe(
    "On unknown rows: what the name most likely is. available: a tested server of the registry denies it, and a further " +
      "witness is missing; taken: a record from a server that has not passed its test",
  )),
  retryAfter: z.optional(number(
    "Seconds until asking again makes sense; only if a pause or a queue of the registry is the reason",
  )),
});

const AVAILABLE =
  "True only where DNS shows no delegation and the registry answers that the name does not exist";

/** The result for one domain, by its state; `name` ends the names of the schemas, `extra` are further fields. */
export function rowsByState<Extra extends z.core.$ZodLooseShape>(name: string, extra: Extra) {
  const common = { ...extra, ...commonFields() };
  const no = z.literal(false).check(z.describe(AVAILABLE));
  return z.discriminatedUnion("state", [
    z.object({
      state: z.enum(["available", "premium"]).check(
        z.describe("premium: available at a higher price"),
      ),
      available: z.literal(true).check(z.describe(AVAILABLE)),
      ...common,
      requirements: z.optional(text("Who may register, where there are conditions")),
    }).check(z.meta({ title: `Available${name}` })),
    z.object({
      state: z.literal("reserved").check(z.describe(
        "Not registered, but the registry withholds or blocks it, or its rules forbid such names",
      )),
      available: no,
      ...common,
      reason: z.optional(
        text("Why a reserved name cannot be registered: the registry's text, or its rule"),
      ),
    }).check(z.meta({ title: `Reserved${name}` })),
    z.object({ state: z.literal("taken"), available: no, ...common })
      .check(z.meta({ title: `Taken${name}` })),
    z.object({
      state: z.literal("unknown"),
      available: no,
      ...common,
      error: text("Why the result is unknown; such a row is not available"),
      ...outlookFields(),
    }).check(z.meta({ title: `Unknown${name}` })),
  ]);
}

/** A row. */
export const domainRow = () => rowsByState("Row", {});

type DomainRow = z.input<ReturnType<typeof domainRow>>;

const query = () =>
  z.object({
    name: labelParameter(),
    tld: z.optional(tldParameter()),
    ...checkParameters(),
  });

/** `GET /check`: one name under one TLD or all. */
export const check = operation({
  name: "check",
  path: "/check",
  chapter: "domains",
  summary: "Check whether a name is available under one TLD or all of them",
  description:
    "Without `tld`, every TLD of `/tlds` is checked, in that order. A row is `available` only where DNS shows no " +
    "delegation, the TLD's own registry answers with a clean 404, and a recent test showed that this registry's 404s " +
    "can be trusted; a row with `error` is unknown, never available. JSON is answered after 15 seconds at most. With `Accept: " +
    "application/x-ndjson` or `text/event-stream` each row is sent once it is known, then `{name, count, totalMs, " +
    "timestamp}`; a stream waits as long as its client reads, and as server-sent events (`result`, `summary`) it has " +
    "`pending` (`{domain, tld, host, expectedMs, likely?}`) for each name whose registry is about to be asked.",
  query,
  answer: () =>
    z.object({
      name: z.string(),
      results: z.array(domainRow()),
      totalMs: z.number(),
      timestamp: z.iso.datetime(),
    }),
  errors: ["missing_parameter", "invalid_name", "unsupported_tld", "invalid_parameter"],
  async run(query, services, waiter) {
    const { start, times } = await prepareChecks(query, services, waiter);
    return { name: query.name, results: await Promise.all(start()), ...times() };
  },
  serverTiming: ({ results, totalMs }) =>
    serverTiming(results.map(({ source }) => source), totalMs),
  async stream(query, services, waiter) {
    const { tlds, start, times } = await prepareChecks(query, services, waiter);
    return { start, summary: () => ({ name: query.name, count: tlds.length, ...times() }) };
  },
});

/** Starts an answer; returns what says how long it took, and when it was complete. */
export function startTimes({ timestamp }: Pick<Services, "timestamp">) {
  const startedAt = performance.now();
  return () => ({ totalMs: Math.round(performance.now() - startedAt), timestamp: timestamp() });
}

/** Chooses the TLDs; returns what starts their checks. */
async function prepareChecks(
  { name, tld, ...options }: z.output<ReturnType<typeof query>>,
  services: Services,
  waiter: Waiter | undefined,
) {
  const times = startTimes(services);
  if (tld !== undefined) await requireSuffix(tld, services);
  const tlds = tld === undefined ? await services.tlds.enabled() : [tld];
  const start = () => {
    const look = openChecks([name], options, services, waiter);
    return startLookUps(tlds.map((tld) => ({ label: name, tld })), look);
  };
  return { tlds, start, times };
}

/** Counts the labels of a request as asked for; returns what checks a domain as its parameters say. */
export function openChecks(
  labels: Iterable<string>,
  { depth, evidence }: { depth?: string | undefined; evidence?: string | undefined },
  services: Services,
  waiter: Waiter | undefined,
): (domain: { label: string; tld: string }) => Promise<DomainRow> {
  const isDnsOnly = depth === "dns";
  // Popular names are renewed at the registries.
  if (!isDnsOnly) services.popular.count("domain", labels, waiter);
  const check = isDnsOnly ? services.checkInDns : services.checkDomain;
  // The verdict decides the state together with the fields that the schema has for it.
  return ({ label, tld }) =>
    check(label, tld, waiter, { withEvidence: evidence !== undefined }) as Promise<DomainRow>;
}

/** Throws an `ApiError` for a TLD or suffix under which no names can be checked. */
export async function requireSuffix(
  suffix: string,
  { suffixes }: Pick<Services, "suffixes">,
): Promise<void> {
  const advice = await suffixes.refusalOf(suffix);
  if (advice !== undefined) throw new ApiError("unsupported_tld", advice);
}

/** The header of an answer, by the sources of its rows: how many came from the cache, and how long the answer took. */
export function serverTiming(sources: readonly string[], totalMs: number): string {
  const hits = sources.filter((source) => source.endsWith("+cache")).length;
  const cache = sources.length === 1 ? ["miss", "hit"][hits] : `"${hits} of ${sources.length}"`;
  return `cache;desc=${cache}, total;dur=${totalMs}`;
}

/** Starts one look-up for each item, those of `WANTED_TLDS` first; returns their results in the order of the items. */
export function startLookUps<Item extends { readonly tld: string }, Result>(
  items: readonly Item[],
  lookUp: (item: Item) => Promise<Result>,
): Promise<Result>[] {
  const ordered = items.toSorted((a, b) => wantedRank(a.tld) - wantedRank(b.tld));
  const started = new Map(ordered.map((item) => [item, lookUp(item)]));
  return items.map((item) => started.get(item)!);
}
