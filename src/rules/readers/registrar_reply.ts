/** Parses the replies of registrars' APIs to the question which of some domains they sell, and for what price. */
import type { Offer } from "../answer.ts";
import { isObject, type JsonObject, readExact, readRetryAfterMs } from "./http_message.ts";
import { toAsciiName } from "../name.ts";
import { toCents } from "../prices.ts";
import { quoteText } from "./statements.ts";

/** The parts of an HTTP reply that carry meaning. */
interface RegistrarReply {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
  readonly body: string;
}

/** What a registrar's API says about one domain; `said` quotes its entry for the domain, and no other part of its reply. */
export type Quote = Reading & { readonly said?: string };

type Reading =
  | { kind: "sells"; offer: Omit<Offer, "registrar"> }
  /** The domain has a premium price, which the API does not tell. */
  | { kind: "premium" }
  | { kind: "refuses" }
  /** The API did not check the domain, does not sell names of the TLD, or its price is not readable. */
  | { kind: "failed"; why: string };

/**
 * The quotes by domain, or why there are none; `pauseMs` is how long not to ask the API again, `isLimited` whether it asks for
 * fewer requests.
 */
export type QuoteReading =
  | { kind: "quotes"; quotes: ReadonlyMap<string, Quote> }
  | { kind: "failed"; why: string; pauseMs: number; isLimited?: true };

/** Reads a reply; `now` in ms since 1970. */
export type ReadQuotes = (reply: RegistrarReply, now: number) => QuoteReading;

/** The pause after a failure: each check of an available name would otherwise wait for a registrar that is down. */
export const FAULT_PAUSE_MS = 30_000;
/** The pause after a limit without a time: Porkbun counts by the minute. */
const LIMIT_PAUSE_MS = 60_000;
const SHORTEST_LIMIT_PAUSE_MS = 1_000;
/** A wrong key stays wrong until an operator changes it. */
const KEY_PAUSE_MS = 10 * 60_000;
const LOWEST_USD = 0.01;
const HIGHEST_USD = 10_000_000;
const LONGEST_YEARS = 10;
const DECIMAL = /^\d{1,8}(?:\.\d{1,4})?$/;

/** Any entry about the name that is not a readable yes: registrars word a refusal in many ways, and change the words. */
const REFUSES: Reading = { kind: "refuses" };
const NOT_CHECKED: Reading = { kind: "failed", why: "it did not check the name" };
const NOT_SOLD: Reading = { kind: "failed", why: "it does not sell names of the TLD" };
const NO_PRICE: Reading = { kind: "failed", why: "its price is not readable" };

const UNREADABLE_REPLY = failed("its answer is not readable");
const KEY_REFUSED = failed("it does not accept the key", KEY_PAUSE_MS);

/** Reads a reply of Porkbun's bulk checkDomain. */
export const readPorkbunQuotes: ReadQuotes = (reply, now) => {
  const json = readExact(reply.body);
  const code = textOf(json?.code);
  // It limits with status 200, too.
  if (reply.status === 429 || code === "RATE_LIMIT_EXCEEDED") return limited(reply, now);
  // A wrong key is answered with status 400.
  if (code.startsWith("INVALID_API_KEYS")) return KEY_REFUSED;
  // A batch that has no name to check, or one that needs too many commands: not a fault of the API.
  if (reply.status === 400 && json?.status === "ERROR") return failed("it refused the request", 0);
  if (reply.status !== 200) return failed(`it answered ${reply.status}`);
  if (json?.status !== "SUCCESS" || !isObject(json.domains)) return UNREADABLE_REPLY;
  const named = (domain: unknown, quote: Quote) => [domain, quote] as const;
  return quotesOf([
    ...listOf(json.invalid).filter(isObject)
      .map((entry) => named(entry.domain, readEntry(entry, readPorkbunInvalid))),
    ...listOf(json.unresolved).map((domain) => named(domain, NOT_CHECKED)),
    ...Object.entries(json.domains)
      .map(([domain, entry]) => named(domain, readEntry(entry, readPorkbunEntry))),
  ]);
};

function readPorkbunInvalid({ reason }: JsonObject): Reading {
  return reason === "Unsupported TLD." ? NOT_SOLD : REFUSES;
}

function readPorkbunEntry(entry: JsonObject): Reading {
  const { avail, premium, minDuration: years, additional, type = "registration" } = entry;
  // Any other type is a registered name.
  if (avail !== "yes" || type !== "registration") return REFUSES;
  // Without the term the price is for an unknown time.
  if (!isTerm(years)) return quoteOf({ premium: premium === "yes" });
  // All its prices are for a year. Only the first year is sold at a promotional price.
  const first = usdOf(entry.price);
  const further = entry.firstYearPromo === "yes" ? usdOf(entry.regularPrice) : first;
  const price = first !== undefined && further !== undefined
    ? first + (years - 1) * further
    : undefined;
  const renewal = isObject(additional) && isObject(additional.renewal)
    ? usdOf(additional.renewal.price)
    : undefined;
  return quoteOf({ price, renewal, premium: flagOf(premium, "yes", "no"), years });
}

/**
 * What Name.com says where it cannot check a name now or does not sell the TLD. The whole sentence must match: a name or
 * "Reserved by the TLD registry" may hold the same words.
 */
const NOT_CHECKABLE =
  /^(?:the |this )?(?:registry|tld|extension|domain extension) (?:is )?(?:currently )?(?:(?:in|under|undergoing) maintenance|unavailable at this time|not supported|unsupported)\.?$|^unsupported (?:tld|extension)\.?$/i;

/** Reads a reply of Name.com's checkAvailability. */
export const readNamecomQuotes: ReadQuotes = (reply, now) => {
  if (reply.status === 429) return limited(reply, now);
  if (reply.status === 401 || reply.status === 403) return KEY_REFUSED;
  // None of the TLDs is sold.
  if (reply.status === 422) return failed(NOT_SOLD.why, 0);
  if (reply.status !== 200) return failed(`it answered ${reply.status}`);
  // It leaves out an empty list.
  const { results = [] } = readExact(reply.body) ?? { results: null };
  if (!Array.isArray(results)) return UNREADABLE_REPLY;
  return quotesOf(
    results.filter(isObject).map((entry) => [entry.domainName, readEntry(entry, readNamecomEntry)]),
  );
};

function readNamecomEntry(entry: JsonObject): Reading {
  const { purchasable, premium, purchaseType = "registration" } = entry;
  const reason = entry.reason ?? "";
  if (purchasable === false && NOT_CHECKABLE.test(textOf(reason))) {
    return { kind: "failed", why: "it cannot check the name now, or does not sell the TLD" };
  }
  // Any other type is a registered name; and a yes with a reason, which only a no has, is none.
  if (purchasable !== true || purchaseType !== "registration" || reason !== "") return REFUSES;
  // The price is for its shortest term, which it does not tell; so is the renewal, which is for an unknown time then.
  return quoteOf({ price: usdOf(entry.purchasePrice), premium: flagOf(premium, true, false) });
}

/** The quotes by domain; one that stands there twice is refused. A name that was not asked for is left out later. */
function quotesOf(entries: readonly (readonly [domain: unknown, Quote])[]): QuoteReading {
  const quotes = new Map<string, Quote>();
  for (const [name, quote] of entries) {
    const domain = toAsciiName(textOf(name).trim().replace(/\.$/, "")).toLowerCase();
    quotes.set(domain, quotes.has(domain) ? REFUSES : quote);
  }
  return { kind: "quotes", quotes };
}

function readEntry(entry: unknown, read: (entry: JsonObject) => Reading): Quote {
  const reading = isObject(entry) ? read(entry) : REFUSES;
  return { ...reading, said: quoteText(JSON.stringify(entry)) };
}

/** What the API says of an offer; undefined where it does not. */
type Said = { readonly [Fact in keyof Offer]?: Offer[Fact] | undefined };

/** A wrong price is worse than none: without one, a premium name is only said to be premium. */
function quoteOf({ price, renewal, premium, years }: Said): Reading {
  if (price === undefined) return premium ? { kind: "premium" } : NO_PRICE;
  return {
    kind: "sells",
    offer: {
      price: toCents(price),
      ...(renewal !== undefined && { renewal: toCents(renewal) }),
      ...(premium !== undefined && { premium }),
      ...(years !== undefined && { years }),
    },
  };
}

function limited({ headers }: RegistrarReply, now: number): QuoteReading {
  const askedMs = readRetryAfterMs(headers.get("retry-after"), now) ?? LIMIT_PAUSE_MS;
  const pauseMs = Math.max(askedMs, SHORTEST_LIMIT_PAUSE_MS);
  return { kind: "failed", why: "it answered 429 (too many requests)", pauseMs, isLimited: true };
}

function failed(why: string, pauseMs = FAULT_PAUSE_MS): QuoteReading {
  return { kind: "failed", why, pauseMs };
}

/** A price in US dollars, written as a number or as a decimal number in a text. */
function usdOf(value: unknown): number | undefined {
  const usd = typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
  return typeof usd === "number" && usd >= LOWEST_USD && usd <= HIGHEST_USD ? usd : undefined;
}

function isTerm(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= LONGEST_YEARS;
}

/** Undefined for any other value: `false` would be a statement that the API did not make. */
function flagOf(value: unknown, yes: unknown, no: unknown): boolean | undefined {
  return value === yes || (value === no ? false : undefined);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
