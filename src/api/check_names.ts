/** `POST /check`: many names in one request, the one operation that takes its input as a JSON body. */
import * as z from "zod/mini";
import { isListOf, type Waiter } from "../flow/cache/flight.ts";
import { nameIn } from "../../static/names_in_text.js";
import { readDomain, readLabel, readSuffix, toAsciiName } from "../rules/name.ts";
import type { Services } from "../wiring/services.ts";
import { openChecks, rowsByState, serverTiming, startLookUps, startTimes } from "./check.ts";
import { ApiError } from "./errors.ts";
import { number, operation, text } from "./operation.ts";
import { checkParameters } from "./parameters.ts";

/** The most names of a request, TLDs for its labels, and domains that its labels and TLDs make. */
export const MOST = { names: 200, tlds: 50, domains: 4_000 };

const TLDS_ADVICE = "tlds must be a list of TLDs, or left out";

/** The body of a request of up to so many names. */
export function namesBody(most: number = MOST.names) {
  const error = `names must be a list of 1 to ${most} strings`;
  return z.object(
    {
      names: z.array(z.string({ error }), { error }).check(
        z.minLength(1, { error }),
        z.maxLength(most, { error }),
        z.describe(
          "Labels such as acme, checked under each of tlds, or domains such as acme.dev; in Unicode, too",
        ),
      ),
      tlds: z.optional(
        z.array(z.string({ error: TLDS_ADVICE }), { error: TLDS_ADVICE }).check(
          z.minLength(1, { error: TLDS_ADVICE }),
          z.describe(
            `At most ${MOST.tlds} TLDs or public suffixes for the labels; those of /tlds if absent`,
          ),
        ),
      ),
    },
    { error: 'send a JSON object such as {"names": ["acme"]}' },
  );
}

type Body = z.output<ReturnType<typeof namesBody>>;

const query = () => z.object(checkParameters());

type Input = z.output<ReturnType<typeof query>> & Body;

const input = () => text("The name as it was sent");

/** A row of a domain, or the error of a name that cannot be checked. */
const row = () =>
  z.union([
    rowsByState("InputRow", { input: input() }),
    z.object({
      input: input(),
      error: z.enum(["invalid_name", "unsupported_tld"]),
      message: text("What is wrong and what to send instead"),
      code: z.literal(400),
    }).check(z.meta({ title: "RefusedInput" })),
  ]);

type Row = z.input<ReturnType<typeof row>>;

/** `POST /check`: many names under several TLDs. */
export const checkNames = operation({
  name: "check_names",
  path: "/check",
  chapter: "domains",
  summary: "Check whether many names are available; each costs one request",
  description:
    `Checks 1 to ${MOST.names} names: each a label, under each of \`tlds\` (all of \`/tlds\` if absent), or a domain; at ` +
    `most ${MOST.domains} domains together. ` +
    "It costs one request for each name, all or nothing; a request that costs more than the whole limit is a 429 " +
    "without `Retry-After`. Rows are those of `GET /check` with `input`, the name as it was sent, in the order of the " +
    "names and TLDs; a name that cannot be checked is one row `{input, error, message, code}`.",
  query,
  body: namesBody,
  answer: () =>
    z.object({
      results: z.array(row()),
      count: number("Number of results"),
      totalMs: z.number(),
      timestamp: z.iso.datetime(),
    }),
  errors: ["invalid_parameter", "invalid_body", "payload_too_large", "unsupported_media_type"],
  async cost(input, services) {
    const domains = await countDomains(input, services);
    if (domains > MOST.domains) throw tooLarge(`${MOST.domains} names times TLDs`);
    return input.names.length;
  },
  async run(input, services, waiter) {
    const { start, summary } = await prepareRows(input, services, waiter);
    return { results: await Promise.all(start()), ...summary() };
  },
  serverTiming: ({ results, totalMs }) =>
    serverTiming(results.flatMap((row) => "source" in row ? [row.source] : []), totalMs),
  stream: prepareRows,
});

/**
 * How many domains the names and up to so many TLDs of a request make, before any is read: a small body could ask for a
 * million.
 */
export async function countDomains(body: Body, services: Services, most?: number): Promise<number> {
  const { length } = await tldsOf(body, services, most);
  return body.names.reduce((sum, name) => sum + (isLabel(name) ? length : 1), 0);
}

function isLabel(name: string): boolean {
  return !nameIn(name).includes(".");
}

function tooLarge(most: string): ApiError {
  return new ApiError("invalid_body", `send at most ${most}`);
}

/** What is asked for one row: a domain, or nothing where the name cannot be checked. */
interface Item {
  readonly input: string;
  readonly label: string;
  readonly tld: string;
  readonly refused?: Row;
}

/** Reads the names; returns how many rows they make, and what starts their checks. */
export async function prepareRows(
  { names, tlds, ...options }: Input,
  services: Services,
  waiter?: Waiter,
  most?: number,
) {
  const times = startTimes(services);
  const under = await tldsOf({ names, tlds }, services, most);
  const items = (await Promise.all(names.map((input) => itemsOf(input, under, services)))).flat();
  const start = () => {
    const labels = new Set(items.flatMap(({ label, refused }) => refused ? [] : [label]));
    const look = openChecks(labels, options, services, waiter);
    if (waiter !== undefined) waiter.isList = isListOf(names.length);
    return startLookUps(
      items,
      async ({ input, refused, ...domain }): Promise<Row> =>
        refused ?? { input, ...await look(domain) },
    );
  };
  const count = items.length;
  return { count, start, summary: () => ({ count, ...times() }) };
}

/** What a name stands for: a label under each of the TLDs, or a domain. */
async function itemsOf(
  input: string,
  tlds: readonly string[],
  services: Services,
): Promise<Item[]> {
  const name = toAsciiName(nameIn(input));
  const reading = name.includes(".") ? readDomain(name) : readLabel(name);
  if (reading.kind === "label") return tlds.map((tld) => ({ input, label: reading.label, tld }));
  if (reading.kind === "refused") return [refusalOf(input, "invalid_name", reading.why)];
  const { label, tld } = reading;
  const advice = await services.suffixes.refusalOf(tld);
  return [
    advice === undefined ? { input, label, tld } : refusalOf(input, "unsupported_tld", advice),
  ];
}

function refusalOf(input: string, error: "invalid_name" | "unsupported_tld", advice: string): Item {
  const { message } = new ApiError(error, advice);
  return { input, label: "", tld: "", refused: { input, error, message, code: 400 } };
}

/** The TLDs of the labels, without duplicates; none where there are domains alone. */
async function tldsOf(
  { names, tlds }: Body,
  services: Services,
  most = MOST.tlds,
): Promise<readonly string[]> {
  if (!names.some(isLabel)) return [];
  if (tlds === undefined) return await services.tlds.enabled();
  if (tlds.length > most) throw tooLarge(`${most} TLDs`);
  const found = await Promise.all(tlds.map(async (text) => {
    const tld = readSuffix(text);
    const advice = await services.suffixes.refusalOf(tld ?? text);
    if (tld !== undefined && advice === undefined) return tld;
    const quoted = JSON.stringify(text.slice(0, 70).toWellFormed());
    const { message } = new ApiError("unsupported_tld", advice ?? TLDS_ADVICE);
    throw new ApiError("invalid_body", `tlds has ${quoted}: ${message}`);
  }));
  return [...new Set(found)];
}
