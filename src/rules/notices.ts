/** What the words of a registry's 404 mean. RDAP has no field for it, so the phrases seen in the wild are rows. */
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
 * Phrases, first match wins: a TLD that is not served makes every other word void, and what cannot be bought is not
 * premium. They are matched against lower-case text in which hyphens and underscores are spaces. Sources: Tucows (Radix),
 * Nomulus with GlobalBlock, PIR Dropzone, Donuts DPML and Uni EPS, Nomulus PR 3221, and words tried in an attack.
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

/** When a 404 has several meanings, the one of the lowest rank decides. */
const RANKS: Readonly<Record<Meaning, number>> = {
  unsupported: 0,
  reserved: 1,
  unread: 2,
  premium: 3,
  plain: 4,
};

/** What is left of a text that says no more than that nothing is registered, once `FILLERS` are taken out. */
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
/** Elsewhere, as in `"available": "no"`, a word such as "name" or "error" may mean anything. */
const PLAIN_PLACES: ReadonlySet<string> = new Set(["title", "description"]);

/** A sentence of legal text counts only where it is about the very name that was asked for. */
const OF_THE_NAME =
  /<name>|\bth(?:is|e) (?:domain name|domain|name|label|string) (?:is|has been|was|cannot|can not|may not|will)\b/;

/**
 * Reads what a 404 says beyond the registry's wordings for made-up names. One line that no phrase explains makes the
 * notice `unread`, unless another one says that the name cannot be had.
 */
export function readNotice(
  said: readonly Statement[],
  asked: AskedName,
  wordings: readonly Wording[],
): Notice {
  const read = unexplained(said, asked, wordings)
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

/** What a statement means: what any of its lines says against the name counts, what favours it must explain every line. */
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

/** Of standing legal text the sentences that are about the asked name. */
function sentencesOnName(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/[.!?;] /))
    .filter((sentence) => OF_THE_NAME.test(sentence));
}

/** The text in the form that phrases are written for. */
function readable(text: string, asked: AskedName): string {
  return plainText(withoutDomain(text, asked)).toLowerCase().replace(/[-_]+/g, " ")
    .replace(/\ball rights (?:are )?reserved\b/g, "").trim();
}
