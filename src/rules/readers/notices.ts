/**
 * Names the reason for which a 404 differs from the registry's 404 for a made-up name. RDAP has no field for it, so the
 * phrases seen in the wild are rows. What no phrase reads stays unread: it makes no name available.
 */
import type { Notice } from "../answer.ts";
import { type AskedName, plainText, quote, type Statement, withoutDomain } from "./statements.ts";
import { LACKING } from "./templates.ts";

/**
 * What a statement can mean, the strictest first, which decides if a 404 has several meanings. `unsupported`: the registry does
 * not serve the TLD, so its 404 means nothing.
 */
const MEANINGS = ["unsupported", "reserved", "unread", "premium"] as const;

type Meaning = typeof MEANINGS[number];

const UNSUPPORTED = /not supported by this registry/;

/**
 * Phrases by which a registry keeps a name back; one of them overrides premium. They are matched against lower-case text with
 * hyphens and underscores replaced by spaces. Sources: Tucows (Radix), Nomulus with GlobalBlock, PIR Dropzone, Donuts DPML and
 * Uni EPS, Nomulus PR 3221, and texts of simulated attacks.
 */
const REFUSALS: readonly RegExp[] = [
  /\bun ?available\b|\bnot (?:currently |publicly )?available\b|\bno longer available\b/,
  /\b(?:cannot|can not|may not|must not|will not) be (?:registered|sold|bought|purchased)\b|\bnot for sale\b/,
  /\breserved\b|\breservation\b/,
  /\bblocked\b|\bblock ?list|\bglobal ?block|\badult ?block|\buni eps/,
  /\bdpml\b|\bbrand protect|\btrademark/,
  /\brestricted\b|\bprohibited\b|\bforbidden\b|\bwithheld\b|\bnot (?:allowed|permitted|eligible)\b/,
  // Most registrars get "Reserved" of a name in the Expiry Access Period.
  /\bdrop ?zone|\bauction|\bexpiry access period\b/,
];

/** Words of a premium price. A name is available with one, so what says more than that is no statement about a price. */
const PREMIUM = /\bpremium\b|\bplatinum\b/;
const PRICE_WORDS = new Set(
  ("a an and annual are at available buy by category class comment contact cost costs description domain domains eur fee " +
    "fees first following for high higher if in is it label level like make name names notices of offer offers per " +
    "platinum please premium price priced prices pricing purchase register registration registry remarks renewal sale " +
    "the this tier tiers title to us usd with would write year yearly years you").split(" "),
);
/** Signs that a price or a sentence has; others may stand for a word. */
const PRICE_SIGNS = /^[\x20-\x7e€£¥]*$/;

/** A sentence of legal text counts only if it is about the queried name. */
const OF_THE_NAME =
  /<name>|\bth(?:is|e) (?:domain name|domain|name|label|string) (?:is|has been|was|cannot|can not|may not|will)\b/;

/** General terms of use in a notice whose title does not say that it is legal. */
const OF_ACCESS = /\baccess|\bquer(?:y|ies)\b|\brequests?\b|\bservices?\b|\bdata(?:base)?\b/;

/**
 * Classifies how a 404 differs from the registry's wordings for made-up names. One line that no phrase matches makes the
 * notice `unread`, unless another line says that the name is reserved; one that calls the TLD unsupported overrides both.
 */
export function readNotice(different: readonly Statement[], asked: AskedName): Notice {
  const read = different.map((statement) => ({ statement, meaning: meaningOf(statement, asked) }));
  const kind = MEANINGS.find((one) => read.some(({ meaning }) => meaning === one)) ?? "plain";
  if (kind === "plain" || kind === "premium") return { kind };
  const said = read.filter(({ meaning }) => meaning === kind).map(({ statement }) => statement);
  // What a 404 lacks is quoted only where it has nothing else.
  const own = said.filter(({ place }) => place !== LACKING);
  const words = quote(own.length > 0 ? own : said);
  return { kind: kind === "reserved" ? kind : "unread", words };
}

/**
 * Whether the 404 for a made-up name speaks against such a name, so that the registry's 404s mean something else. Of legal
 * notices only sentences about the name count: their general words, such as "reserved", are those of honest registries.
 */
export function refusesAnyName(statements: readonly Statement[], asked: AskedName): boolean {
  return statements.some((statement) => {
    if (statement.place === "status") return true;
    const texts = textsOf(statement, asked);
    const isNotice = statement.place.startsWith("notices.");
    const counted = statement.isLegal
      ? sentencesOnName(texts)
      : isNotice
      ? [...sentencesOnName(texts), ...sentencesOf(texts).filter((one) => !OF_ACCESS.test(one))]
      : texts;
    const meanings = counted.map(phraseIn);
    return meanings.includes("reserved") || meanings.includes("unsupported");
  });
}

/** The meaning of a statement: one line against the name is enough; a meaning in its favour must match every line. */
function meaningOf(statement: Statement, asked: AskedName): Meaning {
  if (statement.place === LACKING) return "unread";
  const texts = textsOf(statement, asked);
  // Legal text has words such as "reserved" in general sentences, too.
  const against = (statement.isLegal ? sentencesOnName(texts) : texts).map(phraseIn);
  if (against.includes("unsupported")) return "unsupported";
  if (against.includes("reserved")) return "reserved";
  const isOfPrice = !statement.isLegal && hasOnlyPriceWords(readable(statement.place, asked));
  return isOfPrice && texts.every((text) => phraseIn(text) === "premium") ? "premium" : "unread";
}

/** The whole text, because some registries wrap a sentence over several lines, and then each line. */
function textsOf({ lines }: Statement, asked: AskedName): string[] {
  return [lines.join(" "), ...lines].map((line) => readable(line, asked));
}

function phraseIn(text: string): Meaning | undefined {
  if (UNSUPPORTED.test(text)) return "unsupported";
  if (REFUSALS.some((phrase) => phrase.test(text))) return "reserved";
  return PREMIUM.test(text) && hasOnlyPriceWords(text) ? "premium" : undefined;
}

function hasOnlyPriceWords(text: string): boolean {
  return PRICE_SIGNS.test(text) &&
    text.split(" ").filter((word) => !word.includes("@"))
      .flatMap((word) => word.split(/[^a-z0-9]/))
      .every((word) => PRICE_WORDS.has(word) || /^\d*$/.test(word));
}

/** The sentences of legal text that are about the queried name. */
function sentencesOnName(texts: readonly string[]): string[] {
  return sentencesOf(texts).filter((sentence) => OF_THE_NAME.test(sentence));
}

function sentencesOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/[.!?;] /));
}

/** The text in the form that the phrases expect. */
function readable(text: string, asked: AskedName): string {
  return plainText(withoutDomain(text, asked)).toLowerCase().replace(/[-_]+/g, " ")
    .replace(/\ball rights (?:are )?reserved\b/g, "");
}
