/**
 * The values of a registry's answer as statements that can be compared, read and quoted: one for each member of a JSON
 * document, or for each paragraph of a text.
 */
import { parseEndpoint } from "../ip_address.ts";
import { isObject, type JsonObject } from "./http_message.ts";

/** One value of an answer, or the texts of one list. */
export interface Statement {
  /**
   * Where the value stands and of which type it is, such as `notices[1].description (list)`: two documents are the same
   * only if each path of one is in the other.
   */
  readonly path: string;
  /** The members to it, such as `notices.description`; with the type of a value that is no text. */
  readonly place: string;
  /** Its lines in its own words; an empty text or list has one line that shows it. */
  readonly lines: readonly string[];
  /** Whether it is part of a legal notice, such as terms of service. */
  readonly isLegal: boolean;
}

/** The forms of a name that an answer may echo, and when it was asked. */
export interface AskedName {
  /** In ms since 1970: an answer may hold its time. */
  readonly askedAt?: number;
  readonly label: string;
  readonly domain: string;
  /** The domain with its U-label, if it is an IDN. */
  readonly unicodeDomain?: string;
}

/** Google's 404 has 30, its links included; more than this is no error message. */
const MAX_LINES = 96;
/** As much as Google's 404 five times over. Normalising lengthens a text by up to eighteen times. */
const MAX_CHARS = 16_384;
const MAX_QUOTED_CHARS = 200;
/** How much of a text is read to quote it. */
const MAX_READ_CHARS = 1_000;

const LEGAL_TITLE = /terms|status codes|inaccuracy|copyright|disclaimer|redact/i;

/** Where a value stands. */
type Place = Pick<Statement, "path" | "place" | "isLegal">;

/** A value of a document, as texts, with its type. */
interface Value {
  readonly at: Place;
  readonly type: string;
  readonly texts: readonly string[];
}

/**
 * All values of a JSON document, at any depth, empty ones included; undefined if they are too many or too long for an
 * error message.
 */
export function collectStatements(json: JsonObject): readonly Statement[] | undefined {
  const statements: Statement[] = [];
  let lineCount = 0;
  let charCount = 0;
  for (const { at, type, texts } of valuesOf(json, { path: "", place: "", isLegal: false })) {
    charCount = texts.reduce((sum, { length }) => sum + length, charCount);
    if (charCount > MAX_CHARS) return undefined;
    const lines = texts.flatMap(linesOf);
    lineCount += lines.length;
    if (lineCount > MAX_LINES) return undefined;
    statements.push({ ...at, path: `${at.path} (${type})`, lines });
  }
  return statements;
}

function* valuesOf(value: unknown, at: Place): Generator<Value> {
  const { path, place } = at;
  if (Array.isArray(value)) {
    if (value.length === 0) yield { at, type: "list", texts: ["[]"] };
    else if (value.every((item) => typeof item === "string")) {
      // The order of the extensions says nothing.
      yield { at, type: "list", texts: path === "rdapConformance" ? value.toSorted() : value };
    } else {
      for (const [n, item] of value.entries()) {
        yield* valuesOf(item, { ...at, path: `${path}[${n}]` });
      }
    }
  } else if (isObject(value)) {
    const members = Object.entries(value);
    const isLegal = at.isLegal || (place === "notices" && isStandingNotice(value));
    if (members.length === 0 && path !== "") yield { at, type: "object", texts: ["{}"] };
    for (const [name, member] of members) {
      // `{"a.b": 1}` is another document than `{"a": {"b": 1}}`.
      const shown = /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
      const under = (parent: string) => parent === "" ? shown : `${parent}.${shown}`;
      yield* valuesOf(member, { path: under(path), place: under(place), isLegal });
    }
  } else if (typeof value === "string") yield { at, type: "text", texts: [value] };
  else {
    const type = value === null ? "null" : typeof value;
    yield { at: { ...at, place: `${place} (${type})` }, type, texts: [String(value)] };
  }
}

/** The lines of a text that are not empty; an empty text has one that shows it. */
function linesOf(text: string): string[] {
  const filled = text.split("\n").filter((line) => line.trim() !== "");
  return filled.length > 0 ? filled : ['""'];
}

/** Whether a notice is legal text that the registry adds to every answer (by its title or its link). */
export function isStandingNotice({ title, links }: JsonObject): boolean {
  if (typeof title === "string" && LEGAL_TITLE.test(title)) return true;
  return [links].flat().some((link) => isObject(link) && link.rel === "terms-of-service");
}

/**
 * Members in which a registry speaks of an answer (RFC 9083, RFC 9457) or of its own HTTP. What another member holds may be
 * a person's, such as a name in `entities`: it is named and not quoted.
 */
const QUOTABLE =
  /^(?:(?:notices|remarks)\.)?(?:title|description)$|^(?:errors?\.)?(?:detail|errors?|message|title)$|^status$|^(?:lacks|media type|redirect)$|\(boolean\)$/;

/** Whether the words of a statement may be quoted. */
export function isQuotable({ place }: Statement): boolean {
  return QUOTABLE.test(place);
}

/** The name of a member as programs choose it. Another one may be a person's. */
const MEMBER = /^(?:[a-z][A-Za-z0-9_-]{0,40}|media type)$/;

/** The place of a statement, without names of members that a registry has made up. */
function shownPlace(place: string): string {
  const [path = "", type = ""] = place.split(/(?= \()/, 2);
  return path.split(".").every((name) => MEMBER.test(name)) ? place : `another member${type}`;
}

/** The statements as one line for people: cleaned, at most 200 characters. */
export function quote(statements: readonly Statement[]): string {
  const line = statements.map((statement) => {
    const { place, lines } = statement;
    const shown = shownPlace(place);
    if (!isQuotable(statement)) return shown;
    const words = plainText(lines.join(" ")).replaceAll('"', "'");
    return place === "title" || place === "description" ? words : `${shown}: ${words}`;
  }).join(" | ");
  return shorten(withoutAddresses(line));
}

/** The words of a server as one line for people: cleaned, at most 200 characters. */
export function quoteText(text: string): string {
  return shorten(withoutAddresses(plainText(text.slice(0, MAX_READ_CHARS))));
}

/** A server that refuses us names our IP address, which a proxy may hide. */
function withoutAddresses(text: string): string {
  return text.replace(/[\w:.]+/g, (word) => {
    // As in "for:2001:db8::1", and at the end of a sentence.
    const start = /^[a-z]{0,9}[g-z]:/i.exec(word)?.[0].length ?? 0;
    let last = word.length;
    while (/[.:]/.test(word[last - 1] ?? "")) last--;
    const end = [word.length, last].find((end) => parseEndpoint(word.slice(start, end)));
    // "::" is an address, too.
    if (end === undefined || !/\d/.test(word)) return word;
    return `${word.slice(0, start)}<address>${word.slice(end)}`;
  });
}

/** A text from outside as one line for people: cleaned, at most 200 characters. */
export function cleanText(text: string): string {
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

/** Stands for the queried name in texts that phrases are looked for in. */
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
