/**
 * The texts of a registry's 404, compared with the same registry's 404 for a made-up name. Each registry has its own
 * words for "no such name", and no list of phrases for "not for sale" is complete: the 404 for a random name shows what
 * this registry says about a name that is merely not registered.
 */

/** One text of a 404. */
export interface Statement {
  /** The path of JSON members to it, such as `notices.description`. */
  readonly place: string;
  /** Its lines, none of them empty: a text is a list of lines in RDAP (RFC 9083 §4.3). */
  readonly lines: readonly string[];
  /** Whether it is part of a legal notice, such as terms of service. */
  readonly isLegal: boolean;
}

/** A registry's 404 text: its lines, without the queried name, numbers, dates and ids. */
export type Wording = readonly string[];

/** The names that a 404 may echo: the domain, its Unicode form if it is an IDN, and its label. */
export interface AskedName {
  readonly label: string;
  readonly domain: string;
  readonly unicodeDomain?: string;
}

/** Google's 404 has 17; more than this is no error message. */
const MAX_LINES = 64;
/** As much as Google's 404 five times over. Normalising lengthens a text by up to eighteen times. */
const MAX_CHARS = 16_384;
/** Wordings stored per registry: some have more than one. */
const MAX_WORDINGS = 4;
/** Longer texts are stored as their beginning and a hash: all wordings must fit into one KV value of 64 KiB. */
const MAX_STORED_CHARS = 120;
const STORED_BEGINNING = 100;
const MAX_QUOTED_CHARS = 200;
/** How much of a text is read to quote it. */
const MAX_READ_CHARS = 1_000;

/** Members that are equal in all answers of a server, or that hold URLs and no text. */
const NOT_WORDS = new Set([
  "errorCode",
  "href",
  "hreflang",
  "lang",
  "media",
  "port43",
  "rdapConformance",
  "rel",
  "value",
  "type",
]);

const LEGAL_TITLE = /terms|status codes|inaccuracy|copyright|disclaimer|redact/i;

/** All texts of a 404's JSON, at any depth; undefined if they are too many or too long for an error message. */
export function collectStatements(
  json: Readonly<Record<string, unknown>>,
): readonly Statement[] | undefined {
  const statements: Statement[] = [];
  let lineCount = 0;
  let charCount = 0;

  function add(place: string, texts: readonly string[], isLegal: boolean): void {
    charCount = texts.reduce((sum, { length }) => sum + length, charCount);
    if (charCount > MAX_CHARS) return;
    const lines = texts.flatMap((text) => text.split("\n")).filter((line) => line.trim() !== "");
    lineCount += lines.length;
    if (lines.length > 0) statements.push({ place, lines, isLegal });
  }

  function isTooMuch(): boolean {
    return lineCount > MAX_LINES || charCount > MAX_CHARS;
  }

  function collect(value: unknown, place: string, isLegal: boolean): void {
    if (isTooMuch()) return;
    if (Array.isArray(value)) {
      if (value.every((item) => typeof item === "string")) return add(place, value, isLegal);
      for (const item of value) collect(item, place, isLegal);
    } else if (typeof value === "object" && value !== null) {
      const legal = isLegal || (place === "notices" && isStandingNotice(value));
      for (const [name, member] of Object.entries(value)) {
        if (!NOT_WORDS.has(name)) collect(member, place === "" ? name : `${place}.${name}`, legal);
      }
    } else add(place, [String(value)], isLegal);
  }

  collect(json, "", false);
  return isTooMuch() ? undefined : statements;
}

/** Whether a notice is legal text that the registry adds to every answer (by its title or its link). */
export function isStandingNotice(notice: object): boolean {
  const { title, links } = notice as Readonly<Record<string, unknown>>;
  if (typeof title === "string" && LEGAL_TITLE.test(title)) return true;
  return [links].flat().some((link) =>
    typeof link === "object" && link !== null && "rel" in link && link.rel === "terms-of-service"
  );
}

/** The wording of a 404 for a made-up name. */
export function wordingOf(statements: readonly Statement[], asked: AskedName): Wording {
  const fingerprints = statements.flatMap(({ place, lines }) =>
    lines.map((line) => fingerprintOf(place, withoutLabel(line, asked)))
  );
  return [...new Set(fingerprints)];
}

/** The newest wordings with one more in front of them. */
export function addWording(wordings: readonly Wording[], wording: Wording): readonly Wording[] {
  const key = wording.join("\n");
  const others = wordings.filter((one) => one.join("\n") !== key);
  return [wording, ...others].slice(0, MAX_WORDINGS);
}

/** The lines that the best matching wording does not contain; empty if one wording contains all. */
export function unexplained(
  statements: readonly Statement[],
  asked: AskedName,
  wordings: readonly Wording[],
): readonly Statement[] {
  const candidates = statements.map((statement) => ({
    ...statement,
    fingerprints: fingerprintsOf(statement, asked),
  }));
  const rests = wordings.map((wording) => {
    const known = new Set(wording);
    return candidates.flatMap(({ fingerprints, ...statement }) => {
      const lines = statement.lines.filter((_, place) =>
        !fingerprints[place]?.some((fingerprint) => known.has(fingerprint))
      );
      return lines.length > 0 ? [{ ...statement, lines }] : [];
    });
  });
  const size = (rest: readonly Statement[]) => rest.flatMap(({ lines }) => lines).length;
  return [statements, ...rests].reduce((fewest, rest) => size(rest) < size(fewest) ? rest : fewest);
}

/** The fingerprints of each line: without the domain, and without the label too. */
function fingerprintsOf({ place, lines }: Statement, asked: AskedName): string[][] {
  return lines.map((line) =>
    [withoutDomain(line, asked), withoutLabel(line, asked)].map((text) =>
      fingerprintOf(place, text)
    )
  );
}

/** The statements as one line for people: cleaned, at most 200 characters. */
export function quote(statements: readonly Statement[]): string {
  const line = statements.map(({ place, lines }) => {
    const words = plainText(lines.join(" ")).replaceAll('"', "'");
    return place === "title" || place === "description" ? words : `${place}: ${words}`;
  }).join(" | ");
  return shorten(line);
}

/** A text from outside as one line for people: cleaned, at most 200 characters. */
export function quoteText(text: string): string {
  // Cleaning may lengthen a text (NFKC) or shorten it, so the input is bounded too.
  return shorten(plainText(text.slice(0, MAX_READ_CHARS)));
}

function shorten(line: string): string {
  const short = line.length <= MAX_QUOTED_CHARS ? line : `${line.slice(0, MAX_QUOTED_CHARS - 1)}…`;
  // The cut may halve a character of two UTF-16 units.
  return short.toWellFormed();
}

/**
 * No language has more combining marks on a letter (UAX #15, stream-safe text format). Normalising takes a time that
 * grows with the square of their number: seconds for 30,000 of them (measured, V8 15).
 */
const MAX_MARKS = 30;

/** The text without control, zero-width and bidi characters, with plain hyphens and single spaces. */
export function plainText(text: string): string {
  return text.replace(/\p{M}+/gu, (marks) => [...marks].slice(0, MAX_MARKS).join(""))
    .normalize("NFKC")
    .replace(/[\p{Cf}]/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** Replaces the queried name in texts that are compared. */
const NAME = "<name>";

/** The text without the queried domain, in any letter case. */
export function withoutDomain(text: string, { domain, unicodeDomain }: AskedName): string {
  const names = [domain, ...(unicodeDomain === undefined ? [] : [unicodeDomain])];
  // Linear: alternatives of fixed texts.
  return text.replace(new RegExp(names.map((name) => RegExp.escape(name)).join("|"), "giu"), NAME);
}

/** The text without the queried domain, and without its label as a whole word. */
export function withoutLabel(text: string, asked: AskedName): string {
  // Linear: a fixed text between single characters.
  const word = new RegExp(`(?<![a-z0-9<-])${RegExp.escape(asked.label)}(?![a-z0-9>-])`, "giu");
  return withoutDomain(text, asked).replace(word, NAME);
}

/**
 * Dates, times, numbers, and ids of letters and digits, which differ between 404s. Long words match, too: a lookahead for
 * their digit would take quadratic time on hostile text.
 */
const VARIABLE = /\b[a-z0-9-]{12,}\b|\d[\d:.,+tz-]*/g;

function fingerprintOf(place: string, text: string): string {
  const plain = plainText(text).toLowerCase()
    .replace(VARIABLE, (word) => /\d/.test(word) ? "#" : word);
  const stored = plain.length <= MAX_STORED_CHARS
    ? plain
    : `${plain.slice(0, STORED_BEGINNING)}… ${hash(plain)}`;
  return `${place}: ${stored}`;
}

/** Twice 32-bit FNV-1a with different seeds: distinguishes texts with equal beginnings; need not be cryptographic. */
function hash(text: string): string {
  let [one, other] = [0x811c9dc5, 0x01000193];
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    one = Math.imul(one ^ code, 0x01000193) >>> 0;
    other = Math.imul(other ^ code, 0x85ebca6b) >>> 0;
  }
  return one.toString(36) + other.toString(36);
}
