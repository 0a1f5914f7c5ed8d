/**
 * A registry's 404, compared member by member with the same registry's 404 for a made-up name. Each registry has its own
 * words for "no such name", and no list of phrases for "not for sale" is complete: the 404 for a random name shows what
 * this registry says about a name that is merely not registered. Whatever a 404 has besides, and whatever it lacks, is a
 * difference.
 */

/** One value of a 404, or several texts of one list. */
export interface Statement {
  /** The path of JSON members to it, such as `notices.description`; with the type of a value that is no text. */
  readonly place: string;
  /** Its lines, none of them empty: a text is a list of lines in RDAP (RFC 9083 §4.3). */
  readonly lines: readonly string[];
  /** Whether it is part of a legal notice, such as terms of service. */
  readonly isLegal: boolean;
}

/** A registry's 404: its lines, without the queried name and without what differs from one request to the next. */
export type Wording = readonly string[];

/** The names that a 404 may echo: the domain, its Unicode form if it is an IDN, and its label; and when it was asked. */
export interface AskedName {
  /** In ms since 1970: a 404 may hold the time of its answer. */
  readonly askedAt?: number;
  readonly label: string;
  readonly domain: string;
  readonly unicodeDomain?: string;
}

/** Google's 404 has 30, its links included; more than this is no error message. */
const MAX_LINES = 96;
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

const LEGAL_TITLE = /terms|status codes|inaccuracy|copyright|disclaimer|redact/i;

/**
 * All values of a 404's JSON, at any depth, empty ones included; undefined if they are too many or too long for an error
 * message. `errorCode` is left out: the caller has read it, and some registries send a number or a text.
 */
export function collectStatements(
  json: Readonly<Record<string, unknown>>,
): readonly Statement[] | undefined {
  const statements: Statement[] = [];
  let lineCount = 0;
  let charCount = 0;

  function add(place: string, texts: readonly string[], isLegal: boolean): void {
    charCount = texts.reduce((sum, { length }) => sum + length, charCount);
    if (charCount > MAX_CHARS) return;
    const filled = texts.flatMap((text) => text.split("\n")).filter((line) => line.trim() !== "");
    const lines = filled.length > 0 ? filled : [texts.length > 0 ? '""' : "[]"];
    lineCount += lines.length;
    statements.push({ place, lines, isLegal });
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
      const members = Object.entries(value);
      if (members.length === 0 && place !== "") add(place, ["{}"], legal);
      for (const [name, member] of members) {
        collect(member, place === "" ? name : `${place}.${name}`, legal);
      }
    } else if (typeof value === "string") add(place, [value], isLegal);
    else add(`${place} (${value === null ? "null" : typeof value})`, [String(value)], isLegal);
  }

  const { errorCode: _, ...members } = json;
  collect(members, "", false);
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

/** Replaces what differs from one request to the next in a text in lower case. */
export type MaskRequest = (text: string, asked: AskedName) => string;

/** The wording of a 404 for a made-up name. */
export function wordingOf(
  statements: readonly Statement[],
  asked: AskedName,
  mask: MaskRequest = maskMarks,
): Wording {
  const fingerprints = statements.flatMap(({ place, lines }) =>
    lines.map((line) => fingerprintOf(place, mask(readable(withoutLabel(line, asked)), asked)))
  );
  return [...new Set(fingerprints)];
}

/** Where `differences()` quotes what a 404 lacks. */
export const LACKING = "lacks";

/**
 * What a 404 has besides the wording that it is most like, and what it lacks of it without having other text in its place;
 * empty if they are equal. All of it differs where no wording is known.
 */
export function differences(
  statements: readonly Statement[],
  asked: AskedName,
  wordings: readonly Wording[],
): readonly Statement[] {
  const known = new Set(statements.flatMap((one) => fingerprintsOf(one, asked, maskMarks).flat()));
  const compared = wordings.map((wording): readonly Statement[] => {
    const besides = unexplained(statements, asked, [wording], maskMarks);
    const lacking = wording.filter((fingerprint) =>
      !known.has(fingerprint) && !besides.some(({ place }) => fingerprint.startsWith(`${place}: `))
    );
    return lacking.length === 0
      ? besides
      : [...besides, { place: LACKING, lines: lacking, isLegal: false }];
  });
  return compared.reduce(
    (fewest, one) => sizeOf(one) < sizeOf(fewest) ? one : fewest,
    compared[0] ?? statements,
  );
}

function sizeOf(statements: readonly Statement[]): number {
  return statements.flatMap(({ lines }) => lines).length;
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
  mask: MaskRequest,
): readonly Statement[] {
  const candidates = statements.map((statement) => ({
    ...statement,
    fingerprints: fingerprintsOf(statement, asked, mask),
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
  return [statements, ...rests].reduce((fewest, rest) =>
    sizeOf(rest) < sizeOf(fewest) ? rest : fewest
  );
}

/** The fingerprints of each line: without the domain, and without the label too. */
function fingerprintsOf(
  { place, lines }: Statement,
  asked: AskedName,
  mask: MaskRequest,
): string[][] {
  return lines.map((line) =>
    [withoutDomain(line, asked), withoutLabel(line, asked)].map((text) =>
      fingerprintOf(place, mask(readable(text), asked))
    )
  );
}

function readable(text: string): string {
  return plainText(text).toLowerCase();
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

/** The text without the queried domain, in any letter case, with or without its last dot. */
export function withoutDomain(text: string, { domain, unicodeDomain }: AskedName): string {
  const names = [domain, ...(unicodeDomain === undefined ? [] : [unicodeDomain])];
  // Linear: alternatives of fixed texts.
  return text.replace(
    new RegExp(names.map((name) => `${RegExp.escape(name)}\\.?`).join("|"), "giu"),
    NAME,
  );
}

/** The text without the queried domain, and without its label as a whole word. */
export function withoutLabel(text: string, asked: AskedName): string {
  // Linear: a fixed text between single characters.
  const word = new RegExp(`(?<![a-z0-9<-])${RegExp.escape(asked.label)}(?![a-z0-9>-])`, "giu");
  return withoutDomain(text, asked).replace(word, NAME);
}

/** A date with a time (RFC 3339), in lower case. */
const DATE_TIME = /\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:z|[+-]\d\d:?\d\d)?/g;
/** An id of a request: a UUID, or at least twelve hexadecimal digits. */
const REQUEST_ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{12,}\b/g;
/** How far the clocks of a registry and of this process may be apart. */
const CLOCK_MS = 10 * 60_000;

/** Masks ids of requests, and the time of the answer. A number or another date may be what the 404 says of the name. */
const maskMarks: MaskRequest = (text, { askedAt }) =>
  text.replace(REQUEST_ID, (id) => /\d/.test(id) ? "#" : id)
    .replace(DATE_TIME, (time) => {
      const at = Date.parse(withZone(time.replace(" ", "t").replace(",", ".")));
      return askedAt !== undefined && Math.abs(at - askedAt) <= CLOCK_MS ? "<now>" : time;
    });

function withZone(time: string): string {
  return /z$|[+-]\d\d:?\d\d$/.test(time) ? time.toUpperCase() : `${time}Z`.toUpperCase();
}

/**
 * Dates, times, numbers, and ids of letters and digits. Long words match, too: a lookahead for their digit would take
 * quadratic time on hostile text.
 */
const VARIABLE = /\b[a-z0-9-]{12,}\b|\d[\d:.,+tz-]*/g;

/** Masks all numbers, dates and ids: WHOIS replies have the times of their database, and counts. */
export const maskNumbers: MaskRequest = (text) =>
  text.replace(VARIABLE, (word) => /\d/.test(word) ? "#" : word);

function fingerprintOf(place: string, plain: string): string {
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
