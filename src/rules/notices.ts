/** Classifies the text of a registry's 404. RDAP has no field for its meaning, so the phrases seen in the wild are rows. */
import type { Notice } from "./answer.ts";
import {
  type AskedName,
  plainText,
  quote,
  type Statement,
  unexplained,
  withoutDomain,
  type Wording,
} from "./wording.ts";

type Meaning = Notice["kind"];

/**
 * Phrases, first match wins: an unsupported TLD overrides all other text, and reserved overrides premium. They are
 * matched against lower-case text with hyphens and underscores replaced by spaces. Sources: Tucows (Radix), Nomulus with
 * GlobalBlock, PIR Dropzone, Donuts DPML and Uni EPS, Nomulus PR 3221, and texts of simulated attacks.
 */
const PHRASES: readonly { meaning: Meaning; pattern: RegExp }[] = [
  { meaning: "unsupported", pattern: /not supported by this registry/ },
  {
    meaning: "reserved",
    pattern: /\bun ?available\b|\bnot (?:currently |publicly )?available\b|\bno longer available\b/,
  },
  {
    meaning: "reserved",
    pattern:
      /\b(?:cannot|can not|may not|must not|will not) be (?:registered|sold|bought|purchased)\b|\bnot for sale\b/,
  },
  { meaning: "reserved", pattern: /\breserved\b|\breservation\b/ },
  {
    meaning: "reserved",
    pattern: /\bblocked\b|\bblock ?list|\bglobal ?block|\badult ?block|\buni eps/,
  },
  { meaning: "reserved", pattern: /\bdpml\b|\bbrand protect|\btrademark/ },
  {
    meaning: "reserved",
    pattern:
      /\brestricted\b|\bprohibited\b|\bforbidden\b|\bwithheld\b|\bnot (?:allowed|permitted|eligible)\b/,
  },
  { meaning: "reserved", pattern: /\bdrop ?zone|\bauction/ },
  { meaning: "premium", pattern: /\bpremium\b|\bplatinum\b|\bexpiry access period\b/ },
];

/** If a 404 has several meanings, the lowest rank decides. */
const RANKS: Readonly<Record<Meaning, number>> = {
  unsupported: 0,
  reserved: 1,
  unread: 2,
  premium: 3,
  plain: 4,
};

/** Texts that mean "not registered" and no more, after removal of `FILLERS`. */
const PLAIN: ReadonlySet<string> = new Set([
  "",
  "availableforregistration",
  "doesnotexist",
  "nomatch",
  "nosuch",
  "notfound",
  "notregistered",
]);
const FILLERS =
  /<name>|\b(?:404|be|could|domain|error|is|name|object|query|requested|the|this|was)\b|[\s:.,!'"()]+/g;
/** In other members, such as `"available": "no"`, a word such as "name" or "error" may mean anything. */
const PLAIN_PLACES: ReadonlySet<string> = new Set(["title", "description"]);

/** A sentence of legal text counts only if it is about the queried name. */
const OF_THE_NAME =
  /<name>|\bth(?:is|e) (?:domain name|domain|name|label|string) (?:is|has been|was|cannot|can not|may not|will)\b/;

/**
 * Classifies what a 404 says beyond the registry's wordings for made-up names. One line that no phrase matches makes the
 * notice `unread`, unless another line says that the name is reserved or the TLD unsupported.
 */
export function readNotice(
  statements: readonly Statement[],
  asked: AskedName,
  wordings: readonly Wording[],
): Notice {
  const read = unexplained(statements, asked, wordings)
    .map((statement) => ({ statement, meaning: meaningOf(statement, asked) }));
  const quoteOf = (meaning: Meaning) =>
    quote(read.filter((one) => one.meaning === meaning).map(({ statement }) => statement));
  const kind = strictest(read.map(({ meaning }) => meaning));
  switch (kind) {
    case "reserved":
    case "unread":
      return { kind, words: quoteOf(kind) };
    case "unsupported":
    case "premium":
    case "plain":
      return { kind };
  }
}

/** The meaning of a statement: one line against the name is enough; a meaning in its favour must match every line. */
function meaningOf({ place, lines, isLegal }: Statement, asked: AskedName): Meaning {
  const own = lines.map((line) => readable(line, asked)).filter((line) => line !== "");
  // Some registries wrap a sentence over several lines.
  const whole = readable(lines.join(" "), asked);
  const texts = isLegal ? sentencesOnName([whole, ...own]) : [whole, ...own];
  const phrases = texts.map((text) => PHRASES.find(({ pattern }) => pattern.test(text))?.meaning);
  if (phrases.includes("unsupported")) return "unsupported";
  if (phrases.includes("reserved")) return "reserved";
  if (isLegal) return texts.length === 0 ? "plain" : "unread";
  const ownMeanings = own.map((line): Meaning => {
    if (PHRASES.some(({ meaning, pattern }) => meaning === "premium" && pattern.test(line))) {
      return "premium";
    }
    const isPlain = PLAIN_PLACES.has(place) && PLAIN.has(line.replace(FILLERS, ""));
    return isPlain ? "plain" : "unread";
  });
  return strictest(ownMeanings);
}

function strictest(meanings: readonly Meaning[]): Meaning {
  return meanings.reduce((one, other) => RANKS[other] < RANKS[one] ? other : one, "plain");
}

/** The sentences of legal text that are about the queried name. */
function sentencesOnName(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/[.!?;] /))
    .filter((sentence) => OF_THE_NAME.test(sentence));
}

/** The text in the form that `PHRASES` expects. */
function readable(text: string, asked: AskedName): string {
  return plainText(withoutDomain(text, asked)).toLowerCase().replace(/[-_]+/g, " ")
    .replace(/\ball rights (?:are )?reserved\b/g, "").trim();
}
