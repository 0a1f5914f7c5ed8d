/**
 * Reads the reply of a WHOIS server. It is free text without a status, and text of any kind can arrive on port 43, so
 * only three kinds of text are read: a record of exactly the name, a text that says no more than the same server's text
 * for a made-up name, and the phrases of `notices.ts`. Everything else is a failure.
 */
import type { WhoisAnswer } from "../answer.ts";
import { readNotice, refusesAnyName } from "./notices.ts";
import {
  type AskedName,
  maskNumbers,
  plainText,
  type Statement,
  unexplained,
  withoutDomain,
  type Wording,
  wordingOf,
} from "./wording.ts";

/** What is known of a reply; a failure also says whether the server asked for a pause or has trouble. */
export type WhoisReading =
  | Exclude<WhoisAnswer, { kind: "failed" }>
  | { kind: "failed"; fault: "limited" | "unclear"; why: string };

/** The name that was asked about, when, and the server's texts for made-up names. */
export interface WhoisQuestion {
  readonly asked: AskedName;
  /** In ms since 1970. */
  readonly askedAt: number;
  readonly wordings: readonly Wording[];
}

/** The longest text that is compared with a wording: three times the longest seen, legal text included. */
const MAX_DENIAL_CHARS = 8_192;

/** The name of a record, as the first word of its line: no more of it than a name can have (RFC 1035). */
const RECORD_NAME = /^\s*domain(?:[ _]?name)?\s*:\s*(\S{1,254})/i;
/** Lines that a record has and an echo of the name lacks; empty values do not count. */
const RECORD_FIELD =
  /^\s*(registry domain id|registrar|registrar iana id|creation date|updated date|registry expiry date)\s*:\s*\S/i;
/** A record has more of them; one alone may be part of another text. */
const MIN_RECORD_FIELDS = 2;

const HTML = /^[ \t]*<(?:!doctype|html|head|title|body)\b/im;

/** What servers say of a name that does not exist. */
const NO_SUCH_NAME =
  /\bno (?:match|data|entries|object|such|matching)\b|\bnot (?:be )?(?:found|registered)\b|\bdoes not exist\b|(?<!not )\bavailable for registration\b/;

/** Words about the client or the server instead of the name: they also say "blocked", "restricted" and "unavailable". */
const TROUBLE =
  /\bip\b|\baddress\b|\bconnections?\b|\bquer(?:y|ies)\b|\brequests?\b|\blimit(?:s|ed)?\b|\bexceed|\bquota\b|\bthrottl|\btoo many\b|\btry again\b|\btemporar|(?<!expiry )\baccess\b|\bmaintenance\b|\boverload|\bbusy\b|\bserver\b|\bblack ?list|\b(?:database|service|system|whois) (?:\w+ ){0,3}(?:un|not )available\b/;

/** Of these the words of a server that asks for fewer queries: it gets a pause, as does an RDAP host with its budget. */
const LIMITED =
  /\bexceed|\bquota\b|\bthrottl|\btoo many\b|\bblack ?list|\b(?:connection|query|rate) limits?\b|\byour (?:ip|address|access|connection)\b/;

/** A refusal must name what is refused; "Blocked." may be said of anything. */
const ABOUT_A_NAME =
  /\bnames?\b|\bdomains?\b|\bregist|\bglobal ?block|\badult ?block|\bbsa\b|\bdpml\b|\bdrop ?zone|\bauction/;

/** How legal text and the server's notes begin. */
const LEGAL_BEGINNING =
  /^\s*(?:[%#>*-]|terms of use|notice|disclaimer|copyright|for more information|the data |the whois|the service|this whois|access to|by submitting|you agree|you are not|you may|url of the icann|please note)/i;

/** Reads a reply. */
export function readWhoisReply(
  text: string,
  { asked, askedAt, wordings }: WhoisQuestion,
): WhoisReading {
  const names = namesOf(text);
  if (names.some((name) => !isAsked(name, asked))) return unclear("a record of another name");
  if (names.length > 0 && hasRecordFields(text)) return { kind: "registered", askedAt };
  const statements = readable(text);
  if (statements === undefined) return unclear("a text that is no WHOIS reply");
  const besides = unexplained(statements, asked, wordings, maskNumbers);
  const rest = linesOf(besides, asked);
  if (rest.some((line) => TROUBLE.test(line))) {
    const fault = rest.some((line) => LIMITED.test(line)) ? "limited" : "unclear";
    return failed(fault, "a refusal of the query");
  }
  const notice = readNotice(besides.filter((one) => !isPlain(one, asked)), asked);
  switch (notice.kind) {
    case "reserved":
      return ABOUT_A_NAME.test(notice.words.toLowerCase())
        ? { kind: "reserved", askedAt, words: notice.words }
        : unclear("a refusal of something");
    case "premium":
      return { kind: "premium", askedAt };
    case "plain":
      return deniesName(statements, asked)
        ? { kind: "notFound", askedAt }
        : unclear("neither a record nor a denial");
    case "unsupported":
    case "unread":
      return unclear("words that no rule reads");
  }
}

/** The server's text for a made-up name, to compare other texts with; undefined if it does not deny the name. */
export function whoisWordingOf(text: string, asked: AskedName): Wording | undefined {
  const statements = readable(text);
  if (statements === undefined || hasRecordFields(text)) return undefined;
  return deniesName(statements, asked) ? wordingOf(statements, asked, maskNumbers) : undefined;
}

/** The different names of the text's records. */
function namesOf(text: string): string[] {
  const names = text.split("\n").flatMap((line) => RECORD_NAME.exec(line)?.[1] ?? []);
  return [...new Set(names.map(normalName))];
}

function normalName(name: string): string {
  return name.normalize("NFC").toLowerCase().replace(/\.$/, "");
}

function isAsked(name: string, { domain, unicodeDomain }: AskedName): boolean {
  return name === domain || (unicodeDomain !== undefined && name === normalName(unicodeDomain));
}

function hasRecordFields(text: string): boolean {
  const fields = text.split("\n").flatMap((line) => RECORD_FIELD.exec(line)?.[1] ?? []);
  return new Set(fields.map((field) => field.toLowerCase())).size >= MIN_RECORD_FIELDS;
}

/** The paragraphs of a text that is short enough for a denial; undefined if it is none. */
function readable(text: string): readonly Statement[] | undefined {
  if (text.length > MAX_DENIAL_CHARS || HTML.test(text)) return undefined;
  const paragraphs: string[][] = [[]];
  for (const line of text.split("\n")) {
    if (plainText(line) === "") paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  // As in a title, the usual words for "not found" need no wording to compare with.
  return paragraphs.flatMap(([first, ...rest]) =>
    first === undefined
      ? []
      : [{ place: "description", lines: [first, ...rest], isLegal: LEGAL_BEGINNING.test(first) }]
  );
}

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
  /<name>|\b(?:404|domain|error|is|name|object|query|requested|the|this|was)\b|[\s:.,!'"()_-]+/g;

/** Whether a paragraph says no more than that the name is not registered, or is general legal text. */
function isPlain({ lines, isLegal }: Statement, asked: AskedName): boolean {
  const texts = lines.map((line) => plainText(withoutDomain(line, asked)).toLowerCase());
  if (isLegal) return !refusesAnyName([{ place: "notices.description", lines, isLegal }], asked);
  return texts.every((text) => PLAIN.has(text.replace(FILLERS, "")));
}

/** Whether a line denies a name, and not the query. */
function deniesName(statements: readonly Statement[], asked: AskedName): boolean {
  return linesOf(statements, asked).some((line) => NO_SUCH_NAME.test(line) && !TROUBLE.test(line));
}

/** The lines outside legal text in lower case, without the name. */
function linesOf(statements: readonly Statement[], asked: AskedName): string[] {
  return statements.filter(({ isLegal }) => !isLegal)
    .flatMap(({ lines }) => lines)
    .map((line) => plainText(withoutDomain(line, asked)).toLowerCase());
}

function unclear(what: string): WhoisReading {
  return failed("unclear", what);
}

function failed(fault: "limited" | "unclear", what: string): WhoisReading {
  return { kind: "failed", fault, why: `The registry's WHOIS server answered with ${what}` };
}
