/**
 * Templates of "no such name": a registry's answers for random names, with marks where the answer shows the question. Each
 * registry has its own words for a name that is merely not registered, and no list of phrases for "not for sale" is
 * complete. So an answer about a client's name must equal a template filled in with that name: the name is never cut out
 * of the answer, because a name may be `not` or `reserved`. All other text, every member, type and empty value counts.
 *
 * What two answers for random names differ in varies from one answer to the next: a number, an id, one of several words.
 * Until something was seen to vary, nothing may.
 */
import type { AskedName, Statement } from "./statements.ts";

/** A piece of a template's line: a fixed text, or what stands in its place in each answer. */
type Piece =
  | string
  | { readonly mark: Mark }
  /** A token that varies: the kinds of token that were seen, or the words themselves. */
  | { readonly varies: readonly Kind[] };

/** What an answer shows of its question: the domain or its label, in any letter case, and its own time. */
type Mark = "domain" | "label" | "time";

/**
 * A kind of token: `time` is a date with a time; `address` is one of IP, such as our own, which differs from process to
 * process; `hex` has eight digits or more; `number` is one of JSON; `=` stands before a word. `id` is another token with a
 * digit: its form, such as `AA000`, or its length and the kinds of signs at any place, where ids of several forms were seen.
 * In another form it may be a code that says why a name is withheld.
 */
type Kind = typeof KINDS[number][0] | "number" | `id:${string}` | `=${string}`;

/** One statement of a template. */
interface Member extends Pick<Statement, "path" | "place"> {
  readonly lines: readonly (readonly Piece[])[];
}

/** A registry's answer for random names. */
export interface Template {
  /** When a random name last got this answer, in ms since 1970. */
  readonly seenAt: number;
  readonly members: readonly Member[];
}

/** The domain before its label, which it begins with. */
const MARKS: readonly Mark[] = ["domain", "label", "time"];
/** Templates kept for a TLD and base: load-balanced servers have two or three wordings. */
const MAX_TEMPLATES = 8;
/** As JSON, altogether: they must fit into a KV value of 64 KiB, at two bytes a character. */
const MAX_CHARS = 25_000;
/** A wording that the tests of a day have not seen is no longer the registry's. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

/** A date with a time (RFC 3339). */
const DATE_TIME = /\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:z|[+-]\d\d:?\d\d)?/giy;
/** How far the clocks of a registry and of this process may be apart. */
const CLOCK_MS = 10 * 60_000;
/** A UUID, a date with or without a time, an IP address, or a run of letters and digits. */
const TOKEN =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:z|[+-]\d\d:?\d\d)?)?|\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){3,7}|[\p{L}\p{M}\p{N}_]+/giuy;

/** The template of an answer for a random name: any occurrence of its label is an echo. */
export function templateOf(statements: readonly Statement[], asked: AskedName): Template {
  const lengthAt = createMarkReader(asked);
  const members = statements.map(({ path, place, lines }) => ({
    path,
    place,
    lines: lines.map((line) => marked(singleSpaced(line), lengthAt)),
  }));
  return { seenAt: asked.askedAt ?? 0, members };
}

/** White space does not count. */
function singleSpaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function marked(line: string, lengthAt: MarkReader): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < line.length;) {
    const mark = MARKS.find((mark) => lengthAt(mark, line, at) > 0);
    pieces.push(mark === undefined ? line.charAt(at) : { mark });
    at += mark === undefined ? 1 : lengthAt(mark, line, at);
  }
  return joinTexts(pieces);
}

/** The pieces, with fixed texts that follow each other as one. */
function joinTexts(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === "string" && typeof last === "string") joined.splice(-1, 1, last + piece);
    else joined.push(piece);
  }
  return joined;
}

/** The length of what stands for a mark at a place of a line; 0 if nothing does. */
type MarkReader = (mark: Mark, line: string, at: number) => number;

/** Reads the marks of answers to a question. The name may stand in Unicode, and percent-encoded as in a URL. */
function createMarkReader({ label, domain, unicodeDomain, askedAt = NaN }: AskedName): MarkReader {
  const tld = domain.slice(label.length);
  const unicode = unicodeDomain?.slice(0, -tld.length);
  const labels = unicode === undefined
    ? [label]
    : [label, unicode, encodeURIComponent(unicode).toLowerCase()];
  const domains = labels.map((form) => `${form}${tld}`);
  const lengthOf = (forms: readonly string[], line: string, at: number) =>
    forms.find((form) => line.slice(at, at + form.length).toLowerCase() === form)?.length ?? 0;
  return (mark, line, at) => {
    switch (mark) {
      case "domain": {
        const length = lengthOf(domains, line, at);
        // With or without its last dot.
        return length > 0 && line[at + length] === "." ? length + 1 : length;
      }
      case "label":
        return lengthOf(labels, line, at);
      case "time":
        return timeLengthAt(line, at, askedAt);
    }
  };
}

/** The length of the answer's own time at a place of a line; 0 if another text stands there. */
function timeLengthAt(line: string, at: number, askedAt: number): number {
  DATE_TIME.lastIndex = at;
  const [time = ""] = DATE_TIME.exec(line) ?? [];
  const zoned = /z$|[+-]\d\d:?\d\d$/i.test(time) ? time : `${time}z`;
  const ms = Date.parse(zoned.toUpperCase().replace(" ", "T").replace(",", "."));
  return Math.abs(ms - askedAt) <= CLOCK_MS ? time.length : 0;
}

/** What may be an id that is not always of the same tokens, such as one in base64. */
const OPAQUE = /[\w+/=-]{16,}/y;

/** The token at a place of a text; "" if there is none. */
function tokenAt(text: string, at: number): string {
  TOKEN.lastIndex = at;
  return TOKEN.exec(text)?.[0] ?? "";
}

/** The same for an id of letters in both cases, with a digit or with more changes of case than words have. */
function opaqueAt(text: string, at: number): string {
  OPAQUE.lastIndex = at;
  const [id = ""] = OPAQUE.exec(text) ?? [];
  const isOfWords = !/\d/.test(id) && (id.match(/[a-z][A-Z]/g) ?? []).length < 3;
  return /[a-z]/.test(id) && /[A-Z]/.test(id) && !isOfWords ? id : "";
}

/** Where some answers have an opaque id, others may have another token. */
function opaqueOrTokenAt(text: string, at: number): string {
  return opaqueAt(text, at) || tokenAt(text, at);
}

/** Where `differences()` quotes what an answer lacks. */
export const LACKING = "lacks";

/**
 * How an answer differs from the template that it is most like: what it has besides, and what it lacks without having
 * other text in its place; empty if it equals a template. All of it differs where no template is known.
 */
export function differences(
  statements: readonly Statement[],
  asked: AskedName,
  templates: readonly Template[],
): readonly Statement[] {
  const compared = templates.map((template) => differencesFrom(template, statements, asked));
  return compared.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0] ?? statements;
}

function sizeOf(statements: readonly Statement[]): number {
  return statements.flatMap(({ lines }) => lines).length;
}

function differencesFrom(
  { members }: Template,
  statements: readonly Statement[],
  asked: AskedName,
): readonly Statement[] {
  const lengthAt = createMarkReader(asked);
  const isLine = (line: string, pieces: readonly Piece[]) =>
    equals(singleSpaced(line), pieces, lengthAt);
  const byPath = new Map(members.map((member) => [member.path, member]));
  const isEqual = ({ path, lines }: Statement) =>
    pairs(lines, byPath.get(path)?.lines ?? [])
      ?.every(([line, pieces]) => isLine(line, pieces)) ?? false;
  const unequal = statements.filter((statement) => !isEqual(statement));
  const paths = new Set(statements.map(({ path }) => path));
  const missing = members.filter(({ path }) => !paths.has(path));
  // A line that stands elsewhere in the template, as behind an added one, is not what differs.
  const besides = unequal.flatMap((statement) => {
    const usual = members.filter(({ place }) => place === statement.place)
      .flatMap(({ lines }) => lines);
    const lines = statement.lines.filter((line) => !usual.some((pieces) => isLine(line, pieces)));
    return lines.length > 0 ? [{ ...statement, lines }] : [];
  });
  const others = [...unequal, ...missing]
    .filter(({ place }) => !besides.some((one) => one.place === place));
  if (others.length === 0) return besides;
  const isSaid = (place: string, pieces: readonly Piece[]) =>
    statements.some((one) => one.place === place && one.lines.some((line) => isLine(line, pieces)));
  const lacking = others.flatMap(({ path, place }) => {
    const lines = byPath.get(path)?.lines.filter((pieces) => !isSaid(place, pieces)) ?? [];
    // Where it lacks no line, the order, the number or the type of its values differs.
    return lines.length > 0 ? lines.map((pieces) => `${place}: ${textOf(pieces)}`) : [path];
  });
  return [...besides, { path: LACKING, place: LACKING, lines: lacking, isLegal: false }];
}

/** Whether a line equals the pieces filled in with the name. */
function equals(line: string, pieces: readonly Piece[], lengthAt: MarkReader): boolean {
  let at = 0;
  for (const piece of pieces) {
    const length = pieceLengthAt(line, at, piece, lengthAt);
    if (length === 0) return false;
    at += length;
  }
  return at === line.length;
}

function pieceLengthAt(line: string, at: number, piece: Piece, lengthAt: MarkReader): number {
  if (typeof piece === "string") return line.startsWith(piece, at) ? piece.length : 0;
  if ("mark" in piece) return lengthAt(piece.mark, line, at);
  const token = piece.varies.includes("number")
    ? line
    : piece.varies.some(isOpaque)
    ? opaqueOrTokenAt(line, at)
    : tokenAt(line, at);
  return isOfKind(token, piece.varies) ? token.length : 0;
}

/** The tokens of each kind, the narrowest first; some digits are hexadecimal or part of an id by chance. */
const KINDS = [
  ["uuid", /^[0-9a-f]{8}-[0-9a-f-]{27}$/i],
  ["time", /^\d{4}-\d\d-\d\d[t ]/i],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["address", /^[0-9a-f]+[.:]/i],
  ["digits", /^\d+$/],
  // No English word of eight letters has only these.
  ["hex", /^[0-9a-f]{8,}$/i],
] as const;

/** What a token is, in the narrowest sense. */
function kindOf(token: string): Kind {
  const kind = KINDS.find(([, tokens]) => tokens.test(token))?.[0];
  return kind ?? (isId(token) ? `id:${formOf(token)}` : `=${token}`);
}

function isId(token: string): boolean {
  return /\d/.test(token) || opaqueAt(token, 0) === token;
}

/** A token with one sign for all small letters, one for all capital ones and one for all digits. */
function formOf(token: string): string {
  return token.replace(/[a-z]/g, "a").replace(/[A-Z]/g, "A").replace(/\d/g, "0");
}

/** All kinds; ids of one length and several forms have signs at random places, and are one kind. */
function joinKinds(kinds: readonly Kind[]): Kind[] {
  const alike = Map.groupBy(new Set(kinds), (kind) => readId(kind)?.[0] ?? kind);
  return [...alike].flatMap(([length, same]) => {
    if (same.length === 1) return same;
    const signs = new Set(same.map((kind) => readId(kind)?.[1]).join(""));
    return `id:${length}:${[...signs].toSorted().join("")}` as const;
  });
}

/** The length of ids of a kind, and their signs; undefined for another kind. */
function readId(kind: string): [length: number, signs: string] | undefined {
  if (!kind.startsWith("id:")) return undefined;
  const [form = "", signs] = kind.slice("id:".length).split(":");
  return signs === undefined ? [form.length, form] : [Number(form), signs];
}

function isOfKind(token: string, kinds: readonly Kind[]): boolean {
  return kinds.includes("number") || kinds.includes(`=${token}`) ||
    isId(token) && kinds.some((kind) => isOfId(token, kind)) ||
    KINDS.some(([kind, tokens]) => kinds.includes(kind) && tokens.test(token));
}

function isOfId(token: string, kind: Kind): boolean {
  const form = formOf(token);
  const [length, signs = ""] = readId(kind) ?? [];
  return kind === `id:${form}` ||
    kind.startsWith(`id:${length}:`) && form.length === length &&
      [...form].every((sign) => signs.includes(sign));
}

/** Whether a kind is that of an id which is read as a whole. */
function isOpaque(kind: Kind): boolean {
  return /[-+/=]/.test(readId(kind)?.[1] ?? "");
}

/** The pieces as text for people. */
export function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    if ("mark" in piece) return `<${piece.mark}>`;
    const kinds = piece.varies.map((kind) => kind.replace(/^=|:.*/g, ""));
    return `<${[...new Set(kinds)].join("|")}>`;
  }).join("");
}

/**
 * The templates with that of one more answer for a random name: merged with one of the same members, whose values then
 * vary where the two differ, or a template of its own. The latest is the first.
 */
export function addTemplate(templates: readonly Template[], added: Template): readonly Template[] {
  const merged = templates.map((template) => mergeTemplates(template, added));
  const place = merged.findIndex((template) => template !== undefined);
  const others = templates.filter((_, at) => at !== place);
  const latest = Math.max(added.seenAt, ...templates.map(({ seenAt }) => seenAt));
  let chars = 0;
  return [merged[place] ?? added, ...others]
    .filter(({ seenAt }) => seenAt > latest - FORGOTTEN_MS)
    .slice(0, MAX_TEMPLATES)
    .filter((template) => {
      chars += JSON.stringify(template).length;
      return chars <= MAX_CHARS;
    });
}

/** What two answers must have alike to say the same: words and members, wherever in these the name stands. */
export function wordsOf({ members }: Template): string {
  return JSON.stringify(members.map(({ path, lines }) => [path, lines.map(textOf)]))
    .replace(NAMES, " ");
}

/** Marks of the name with what parts them from other words. */
const NAMES = /(?:<(?:domain|label)>|[\s\\"'(),/])+/g;

/** Whether a template can be kept: one that is too long for KV is no "not found". */
export function isKeepable(template: Template): boolean {
  return JSON.stringify(template).length <= MAX_CHARS;
}

/**
 * Both as one template; undefined unless they have the same members, and the same tokens but for those that vary. Of
 * words one at most may vary: "not registered" and "is available" would allow "not available", which no answer has said.
 */
function mergeTemplates(one: Template, other: Template): Template | undefined {
  if (one.members.length !== other.members.length) return undefined;
  const byPath = new Map(other.members.map((member) => [member.path, member]));
  const members = one.members.map((member) => {
    const theirs = byPath.get(member.path);
    const isNumber = member.path.endsWith(" (number)");
    const lines = theirs && pairs(member.lines, theirs.lines)
      ?.map(([one, other]) => mergeLines(one, other, isNumber));
    return lines?.every((line) => line !== undefined) ? { ...member, lines } : undefined;
  });
  if (!members.every((member) => member !== undefined)) return undefined;
  const words = members.flatMap(({ lines }) => lines.flat())
    .filter((piece) => typeof piece === "object" && "varies" in piece && hasWords(piece.varies));
  if (words.length > 1) return undefined;
  return { seenAt: Math.max(one.seenAt, other.seenAt), members };
}

function hasWords(kinds: readonly Kind[]): boolean {
  return kinds.some((kind) => kind.startsWith("="));
}

function mergeLines(
  one: readonly Piece[],
  other: readonly Piece[],
  isNumber: boolean,
): readonly Piece[] | undefined {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (isNumber) return [{ varies: ["number"] }];
  return mergePieces(one, other, tokenAt) ??
    mergePieces(one, other, opaqueOrTokenAt);
}

/** Both as one, where they have as many tokens of which each may vary. */
function mergePieces(
  one: readonly Piece[],
  other: readonly Piece[],
  tokenAt: TokenReader,
): readonly Piece[] | undefined {
  const merged = pairs(
    one.flatMap((piece) => tokensOf(piece, tokenAt)),
    other.flatMap((piece) => tokensOf(piece, tokenAt)),
  )?.map(([ours, theirs]) => mergeTokens(ours, theirs, tokenAt));
  return merged?.every((piece) => piece !== undefined) ? joinTexts(merged) : undefined;
}

/** The token at a place of a text; "" if there is none. */
type TokenReader = (text: string, at: number) => string;

/** The values at the same places; undefined if one list is longer. */
function pairs<One, Other>(
  ones: readonly One[],
  others: readonly Other[],
): [One, Other][] | undefined {
  if (ones.length !== others.length) return undefined;
  return ones.map((one, at): [One, Other] => [one, others[at]!]);
}

/** A fixed text as its tokens and the characters between them. */
function tokensOf(piece: Piece, tokenAt: TokenReader): readonly Piece[] {
  if (typeof piece !== "string") return [piece];
  const tokens: string[] = [];
  for (let at = 0; at < piece.length;) {
    const token = tokenAt(piece, at) || piece.charAt(at);
    tokens.push(token);
    at += token.length;
  }
  return tokens;
}

function mergeTokens(one: Piece, other: Piece, tokenAt: TokenReader): Piece | undefined {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  const [ours, theirs] = [kindsSeen(one, tokenAt), kindsSeen(other, tokenAt)];
  return ours === undefined || theirs === undefined
    ? undefined
    : { varies: joinKinds([...ours, ...theirs]) };
}

/** The kinds that a token was seen as; undefined for a mark, and for a character between tokens. */
function kindsSeen(piece: Piece, tokenAt: TokenReader): readonly Kind[] | undefined {
  if (typeof piece !== "string") return "varies" in piece ? piece.varies : undefined;
  return tokenAt(piece, 0) === piece ? [kindOf(piece)] : undefined;
}
