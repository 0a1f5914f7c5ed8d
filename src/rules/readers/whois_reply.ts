/**
 * Reads the reply of a WHOIS server, and what a record of it says about the registration. It is free text without a status,
 * and text of any kind can arrive on port 43: a record of exactly the name is read, a text that equals the same server's text
 * for a random name, and the phrases of `notices.ts` in what differs from that. Everything else stays unread.
 * Of a registry's availability service the documented answers are read, and no other: a limit or a failure says nothing of the
 * name.
 */
import type { WhoisAnswer } from "../answer.ts";
import type { AvailabilityAnswers } from "../tables/hosts.ts";
import { denialReply, type TestReply } from "../tested_server.ts";
import { readNotice } from "./notices.ts";
import { detailsOf, isoDate, registrarName, type RegistryDetails } from "./registry_details.ts";
import {
  type AskedName,
  plainText,
  quote,
  quoteText,
  type Statement,
  withoutDomain,
} from "./statements.ts";
import { differences, LACKING, type Template } from "./templates.ts";

/** What a text says of a name. */
export type WhoisReading = Exclude<WhoisAnswer, { kind: "failed" | "missing" | "absent" }>;

/**
 * A text with words about the client or the server: a refusal, or `reading` if the server denies a random name as usual; not if
 * `isOver`: it speaks of queries that it has had, and the next may be answered.
 */
export interface DoubtfulReading {
  readonly kind: "doubtful";
  readonly fault: "limited" | "unclear";
  readonly reading: WhoisReading;
  readonly isOver: boolean;
}

/** The name that was asked about, when, and the server's texts for random names. */
export interface WhoisQuestion {
  readonly asked: AskedName;
  /** In ms since 1970. */
  readonly askedAt: number;
  readonly templates: readonly Template[];
}

/** The longest text that is compared: three times the longest denial seen, legal text included. */
const MAX_DENIAL_CHARS = 8_192;
/** The most lines of such a text: each is compared with each of a template. */
const MAX_DENIAL_LINES = 96;
/** Registries end lines in several ways. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** The name of a record: no more of it than a name can have (RFC 1035). */
const MAX_NAME_CHARS = 254;
const NAME_KEYS: ReadonlySet<string> = new Set(["domain", "domain name", "domainname", "dominio"]);

/**
 * Keys that a record has and an echo of the name lacks, by what they tell: those of generic TLDs, and of the records of 60
 * country-code registries (fixtures of weppos/whois-parser, 2022-09, and likexian/whois-parser, 2026-01).
 */
const RECORD_KEYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    id: "registry domain id|roid",
    "registrar id": "registrar iana id",
    registrar: "registrar|registrar name|sponsoring registrar",
    holder:
      "registrant|registrant name|registrant contact name|registrant contact id|domain registrant|holder|owner|owner name|ownertype|person|org|organization|descr|domain holder|titular",
    contact: "admin c|tech c|holder c|administrative contact|admin contact|tech contact",
    created:
      "creation date|created|created on|registered|registered on|registration|registration date|registration time|record created|activated on|acivated|domain created",
    expires:
      "registry expiry date|expiry date|expiration date|expiration time|expiry|expires|expires on|expires at|expire|expire date|record expired|paid till|valid until|renewal|renewal date",
    updated:
      "updated date|updated|changed|last update|last updated|last updated on|last modified|modified|modification date|domain datelastmodified",
    servers:
      "name server|name servers|nameserver|nameservers|nserver|ns|ns name|dns|domain server|domain servers|hostname",
  }).flatMap(([kind, keys]) => keys.split("|").map((key): [string, string] => [key, kind])),
);
/** A record tells more of them; one alone may be part of another text. */
const MIN_RECORD_KINDS = 2;

const HTML = /^[ \t]*<(?:!doctype|html|head|title|body)\b/im;

/** Words about the client or the server instead of the name: they also say "blocked", "restricted" and "unavailable". */
const TROUBLE =
  /\bip\b|\baddress\b|\bconnections?\b|\bquer(?:y|ies)\b|\brequests?\b|\blimit(?:s|ed)?\b|\bexceed|\bquota\b|\bthrottl|\btoo many\b|\btry again\b|\btemporar|(?<!expiry )\baccess\b|\bmaintenance\b|\boverload|\bbusy\b|\bserver\b|\bblack ?list|\b(?:database|service|system|whois) (?:\w+ ){0,3}(?:un|not )available\b/;

/** Of these the words of a server that asks for fewer queries: it gets a pause, as does an RDAP host with its budget. */
const LIMITED =
  /\bexceed|\bquota\b|\bthrottl|\btoo many\b|\bblack ?list|\b(?:connection|query|rate) limits?\b|\byour (?:ip|address|access|connection)\b/;

/** What a server says of queries that it has had; its terms say "exceeding", and what it may do. */
const OVER_LIMIT =
  /\bexceeded\b|\b(?:limit|rate|quota|hour|day) reached\b|\breached (?:\w+ ){0,3}limit\b|^\W*too many\b|\btoo (?:fast|short)\b|\bgrace period\b|\btry again\b|\bbusy\b|\btemporarily\b|\b(?:access|connection|query|request) (?:denied|refused)\b/;

/** A line with words of both is of a look-up that failed in the server, unless it denies the name all the same. */
const FAILURE =
  /\berror\b|\bfail(?:ed|s|ure)?\b|\btime[d -]*out\b|\b(?:cannot|unable to) connect\b|\bis down\b/;
const OF_SERVER =
  /\b(?:back ?end|connection|database|internal|query|request|server|service|system|whois)\b/;
const DENIES = /\bnot found\b|\bno (?:match|entries|records?|data|object)\b/;

/** A refusal must name what is refused; "Blocked." may be said of anything. */
const ABOUT_A_NAME =
  /\bnames?\b|\bdomains?\b|\bregist|\bglobal ?block|\badult ?block|\bbsa\b|\bdpml\b|\bdrop ?zone|\bauction/;

/** A note of the server; not what begins with `>>>`, as some denials do. */
const COMMENT = /^\s*(?:[%#]|\[ .*\]\s*$)/;

/** The key of a field that may say why a name is withheld. */
const STATUS_KEY = /^(?:(?:domain|registration) )?stat(?:us|e)$/;

/** Reads a reply. */
export function readWhoisReply(
  text: string,
  { asked, askedAt, templates }: WhoisQuestion,
): WhoisReading | DoubtfulReading {
  const unread = (words: string): WhoisReading => ({ kind: "unread", askedAt, words });
  const fields = fieldsOf(text);
  const names = namesOf(fields);
  // What is said of another name is not quoted.
  if (names.some((name) => !isAsked(name, asked))) return unread("a record of another name");
  if (names.length > 0 && isRecord(fields)) return { kind: "registered", askedAt };
  const statements = readable(text);
  if (statements === undefined) return unread("a text that is no denial");
  const besides = differences(statements, { ...asked, askedAt }, templates);
  if (besides.length === 0) return { kind: "notFound", askedAt };
  const reading = readBesides(besides, asked, askedAt, fields);
  const lines = linesOf(besides, asked).filter((line) => !COMMENT.test(line));
  if (!lines.some((line) => TROUBLE.test(line))) return reading;
  const fault = lines.some((line) => LIMITED.test(line)) ? "limited" : "unclear";
  // What is said of a name may have the same words: "temporarily reserved", "in its grace period".
  const isOver = fault === "limited" &&
    lines.some((line) => OVER_LIMIT.test(line) && !ABOUT_A_NAME.test(line));
  return { kind: "doubtful", fault, reading, isOver };
}

function readBesides(
  besides: readonly Statement[],
  asked: AskedName,
  askedAt: number,
  fields: readonly Field[],
): WhoisReading {
  const notice = readNotice(besides, asked);
  if (notice.kind === "premium") return { kind: "premium", askedAt };
  const isRefusal = notice.kind === "reserved" && ABOUT_A_NAME.test(notice.words.toLowerCase());
  const said = isRefusal ? notice.words : quote(besides);
  const own = besides.filter(({ place }) => place !== LACKING).flatMap(({ lines }) => lines);
  const isData = mayBeRecord(fields) || mayHoldData(own);
  const words = isData ? refusingWords(besides, asked) : said;
  return { kind: isRefusal ? "reserved" : "unread", askedAt, words };
}

/** Keys of what an availability service or a denial says of a name. */
const KEYS_OF_DENIALS: ReadonlySet<string> = new Set([...NAME_KEYS, "status", "reason"]);
/** The most lines of a sentence about a name; records have more. */
const MOST_QUOTED_LINES = 3;
/** Tags, values behind a sign or a tab, an address of mail, a telephone number. */
const DATA = /[<>=@\uff1a]|\S\t|\d(?:[ ().-]?\d){6}/;

/** Whether lines that no rule reads may hold a person's data. */
function mayHoldData(lines: readonly string[]): boolean {
  const isField = (line: string) =>
    line.includes(":") && !KEYS_OF_DENIALS.has(divideField(line).key);
  return lines.length > MOST_QUOTED_LINES ||
    lines.some((line) => DATA.test(line) || isField(line));
}

/** Whether a text has fields as a record does, so that it may hold a person's data in a form that no rule reads. */
function mayBeRecord(fields: readonly Field[]): boolean {
  return fields.some(({ key }) => key !== "" && !KEYS_OF_DENIALS.has(key));
}

/** The lines of a text, which may be a record, that refuse the name: the others may be a person's. */
function refusingWords(statements: readonly Statement[], asked: AskedName): string {
  const lines = statements.flatMap((one) => one.lines.map((line) => ({ ...one, lines: [line] })))
    .filter((one) => KEYS_OF_DENIALS.has(divideField(`${one.lines[0]}`).key || "status"))
    .filter((one) => readNotice([one], asked).kind === "reserved");
  return lines.length > 0 ? quote(lines) : UNQUOTED;
}

/** What stands for the words of a text that may hold a person's data. */
const UNQUOTED = "a text with fields, which may be a record";

/** What is quoted of a text that denies or refuses a name; of one that may be a record, that it is one. */
export function quoteDenial(text: string): string {
  return mayBeRecord(fieldsOf(text)) ? UNQUOTED : quoteText(text);
}

function quoteUnread(text: string): string {
  return mayHoldData(text.trim().split(LINE_END)) ? UNQUOTED : quoteDenial(text);
}

/** The server's text for a random name, as its test counts it. */
export function readRandomReply(text: string, asked: AskedName): TestReply {
  const fields = fieldsOf(text);
  if (namesOf(fields).length > 0 && isRecord(fields)) return { kind: "record" };
  const statements = readable(text);
  if (statements === undefined || statements.length === 0) return NO_DENIAL;
  const answer = linesOf(statements.filter(({ isLegal }) => !isLegal), asked);
  if (
    answer.some((line) => LIMITED.test(line)) ||
    linesOf(statements, asked).some((line) => OVER_LIMIT.test(line))
  ) {
    return { kind: "failed", fault: "refused", why: "it refused the query for a random name" };
  }
  if (answer.some((line) => FAILURE.test(line) && OF_SERVER.test(line) && !DENIES.test(line))) {
    return { kind: "failed", why: "it failed to look a random name up" };
  }
  return denialReply(statements, asked);
}

/** The text for a random name is none to compare with. */
export const NO_DENIAL: TestReply = { kind: "against", why: "gives no denial of a random name" };

/** A line of a text with its key. */
interface Field {
  readonly key: string;
  readonly value: string;
}

/**
 * The fields of a text: `Key: value`, `[Key] value`, or a value in the next line: as its `Name`, indented, or below the title
 * of a section. Keys are in lower case, without what varies: numbers, brackets, and the same in another language before a
 * slash.
 */
function fieldsOf(text: string): Field[] {
  const lines = text.split(LINE_END);
  return lines.map((line, place) => {
    const { key, value } = divideField(line);
    return { key, value: value === "" ? valueBelow(line, lines[place + 1] ?? "") : value };
  }).filter(({ value }) => value !== "");
}

/** `[Key] value`, with a letter before it or none, or `Key: value` outside of comments. */
const FIELD = /^\s*(?:(?:[a-z] )?\[([^\]]{1,40})\](?!\])|(?![%#>\s])([^:]*):)([^]*)/;

/** Without what stands before or after it, such as dots, numbers and one letter. */
const KEY = /[a-z][a-z ]*[a-z]/;

/** A line without a field has an empty key. */
function divideField(line: string): Field {
  const [, bracketed, named = "", value = ""] = FIELD.exec(line) ?? [];
  return { key: keyOf(bracketed ?? named), value: value.trim() };
}

function keyOf(text: string): string {
  const title = text.toLowerCase().replaceAll(/[_-]/g, " ").replace(/\([^]*/, "");
  return KEY.exec(title.slice(title.lastIndexOf("/") + 1))?.[0] ?? "";
}

/** The title of a section, as in "** Domain Servers:". */
const HEADING = /^\*+ /;

/** The value in the line below a key. */
function valueBelow(line: string, below: string): string {
  const { key, value } = divideField(below);
  if (key === "name") return value;
  return indentOf(below) > indentOf(line) || HEADING.test(line) ? below.trim() : "";
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The different names of the text's records. */
function namesOf(fields: readonly Field[]): string[] {
  const names = fields.filter(({ key }) => NAME_KEYS.has(key))
    .flatMap(({ value }) => value.split(/\s/, 1))
    // Not the note before a list of records, as in "(Handle example)".
    .filter((name) => !name.startsWith("("));
  return [...new Set(names.map((name) => normalName(name.slice(0, MAX_NAME_CHARS))))];
}

function normalName(name: string): string {
  return name.normalize("NFC").toLowerCase().replace(/\.$/, "");
}

function isAsked(name: string, { domain, unicodeDomain }: AskedName): boolean {
  return name === domain || (unicodeDomain !== undefined && name === normalName(unicodeDomain));
}

function isRecord(fields: readonly Field[]): boolean {
  const kinds = new Set(fields.flatMap(({ key }) => RECORD_KEYS.get(key) ?? []));
  return kinds.size >= MIN_RECORD_KINDS;
}

/**
 * The paragraphs of a text that is short enough for a denial, comments apart; undefined if it is none. The first that is no
 * comment is the answer. All others but those with a status may be legal text, which no beginning of theirs would show.
 */
function readable(text: string): readonly Statement[] | undefined {
  if (text.length > MAX_DENIAL_CHARS || HTML.test(text)) return undefined;
  const all = text.split(LINE_END);
  if (all.length > MAX_DENIAL_LINES) return undefined;
  const paragraphs: string[][] = [[]];
  let wasComment = false;
  for (const line of all) {
    const isEmpty = plainText(line) === "";
    const isComment = COMMENT.test(line);
    if (isEmpty || isComment !== wasComment) paragraphs.push([]);
    if (!isEmpty) paragraphs.at(-1)?.push(line);
    wasComment = isComment;
  }
  const filled = paragraphs.filter(([first]) => first !== undefined);
  const answer = filled.find(([first = ""]) => !COMMENT.test(first));
  return filled.map((lines, at) => ({
    path: `description[${at}]`,
    place: "description",
    lines,
    isLegal: lines !== answer && !lines.some((line) => STATUS_KEY.test(divideField(line).key)),
  }));
}

/** The lines in lower case, without the name. */
function linesOf(statements: readonly Statement[], asked: AskedName): string[] {
  return statements.flatMap(({ lines }) => lines)
    .map((line) => plainText(withoutDomain(line, asked)).toLowerCase());
}

/** Reads a reply to a question sent at `askedAt` (ms since 1970). */
export function readAvailabilityReply(
  text: string,
  { free, taken, withheld }: AvailabilityAnswers,
  askedAt: number,
): WhoisReading {
  const [said = "", another] = [...text.matchAll(ANSWER)].map(([, said]) => said);
  // Two answers speak of two names: then none counts.
  const word = another === undefined ? said.trim().toUpperCase() : "";
  if (free.includes(word)) return { kind: "notFound", askedAt };
  if (taken.includes(word)) return { kind: "registered", askedAt };
  if (withheld.includes(word)) return { kind: "reserved", askedAt, words: quoteDenial(text) };
  return { kind: "unread", askedAt, words: quoteUnread(text) };
}

/** Where the answer stands. */
const ANSWER = /^[ \t]*Status:([^\r\n]*)/gim;

/**
 * Reads a record; what is missing, ambiguous or unreadable is left out. It holds names, addresses and telephone numbers of
 * people, so that nothing is copied as it is: dates, words of a table, host names, one flag; and the registrar's name from its
 * own field.
 */
export function readWhoisDetails(text: string): RegistryDetails {
  const fields = fieldsOf(text);
  const valuesOf = (kind: string) =>
    fields.filter(({ key }) => (RECORD_KEYS.get(key) ?? key) === kind).map(({ value }) => value);
  const firstOf = <Value>(kind: string, read: (value: string) => Value | undefined) =>
    valuesOf(kind).map(read).find((value) => value !== undefined);
  // A section's title may have a field below it.
  const registrar = firstOf(
    "registrar",
    (text) => text.includes(":") ? undefined : registrarName(text),
  );
  return detailsOf({
    registrar: registrar === undefined ? undefined : { name: registrar },
    createdAt: firstOf("created", dateOf),
    updatedAt: firstOf("updated", dateOf),
    expiresAt: firstOf("expires", dateOf),
    dnssec: firstOf("dnssec", isSigned),
    status: ["status", "domain status"].flatMap(valuesOf)
      .flatMap((value) => value.replace(/https?:[^]*/, "").split(",")),
    nameServers: valuesOf("servers").map((value) => value.split(/\s/, 1)[0]),
  });
}

/** Reads what registries write for a signed delegation, and for one that is not. */
function isSigned(text: string): boolean | undefined {
  if (/^(?:signed(?: ?delegation)?|yes|active)$/i.test(text)) return true;
  return /^(?:unsigned(?: delegation)?|no|inactive)$/i.test(text) ? false : undefined;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Year, month and day, by which the time may follow; the month by number or name. */
const YEAR_FIRST = /^(\d{4})[-/. ]{1,2}(\d{1,2}|[a-z]{3})[a-z]*[-/. ]{1,2}(\d{1,2})(?!\d)/i;
/** Day, month and year. */
const DAY_FIRST =
  /^(?:[a-z]{3},? )?(\d{1,2})([-/. ])\s?(\d{1,2}|[a-z]{3})[a-z]*[-/. ]\s?(\d{4})(?!\d)/i;
const DIGITS = /^(\d{4})(\d\d)(\d\d)(?!\d)/;

/** The day or the time of a text; undefined if it may mean two days. */
function dateOf(text: string): string | undefined {
  const whole = isoDate(
    text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?: ?(Z|UTC))?.*$/, "$1T$2Z"),
  );
  if (whole !== undefined) return whole;
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? DIGITS.exec(text) ?? [];
  if (year !== undefined) return dayOf(year, month, day);
  const [, first, sign, second, last] = DAY_FIRST.exec(text) ?? [];
  // 3/4/2027 is in April or in March; with points and names the day comes first everywhere.
  const isClear = sign === "." || Number.isNaN(Number(second)) || Number(first) > 12 ||
    first === second;
  return isClear ? dayOf(last, second, first) : undefined;
}

function dayOf(year = "", month = "", day = ""): string | undefined {
  const number = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1 || Number(month);
  return isoDate([year, `${number}`.padStart(2, "0"), day.padStart(2, "0")].join("-"));
}
