// @ts-check
/**
 * Finds the names in what people paste, send or pipe: words, lists, spreadsheets, URLs, e-mail addresses, zone files and records of
 * WHOIS. The page, the API, MCP and the command line share it. It takes off what stands around a name and changes nothing in it but
 * what UTS #46 calls the same: no name comes out that does not stand in the text.
 */

/** Of a text for one name, no more is read: the longest host with room for the beginning of a URL. */
const MOST = 280;

/** Signs without a shape, but those that join letters within a name (RFC 5892, appendix A.1 and A.2). */
const UNSEEN = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** The dots of UTS #46, section 4, besides ".". */
const DOTS = /[\u3002\uff0e\uff61]/g;
const HYPHENS = /[\u2010-\u2013\u2212]/g;
const AROUND = /[\s"'`*~<>()[\]{}|«»“”„‘’‚‹›「」『』•·‣◦▪…,;:!?¿¡、，；\u200c\u200d]/;

/**
 * The name that a text stands for: without quotes, brackets and marks around it, of a URL the host, of an e-mail address the
 * domain; "" if it holds none.
 * @param {string} text
 */
export function nameIn(text) {
  const seen = stripped(text.trim().replace(/^\*\./, "")).slice(0, MOST).replaceAll(UNSEEN, "")
    .replaceAll(DOTS, ".");
  const bare = stripped(seen.replace(/\]\([^]*/, "")).replace(/^_([^_]*)_$/, "$1");
  const plain = bare.normalize("NFKC").replaceAll(HYPHENS, "-").replace(/\.$/, "");
  const address = plain.replace(/^(?:mailto:|[a-z][a-z0-9+.-]*:\/\/)/i, "");
  const [authority = ""] = address.split(/[/?#\\]/, 1);
  const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, "");
  // "and/or" is no address.
  if (address === plain && !host.includes(".")) return plain;
  return host.replace(/^www\.(?=.*\.)/i, "").replace(/\.$/, "");
}

/** A text without the signs around it. Not by an expression: its time would grow with the square. @param {string} text */
function stripped(text) {
  let start = 0;
  let end = text.length;
  while (start < end && AROUND.test(text[start] ?? "")) start++;
  while (end > start && AROUND.test(text[end - 1] ?? "")) end--;
  return text.slice(start, end);
}

/** A TLD is no number, so that neither a date nor an amount is a domain. */
const TLD = /^(?:\p{L}[\p{L}\p{M}\u200c\u200d]+|xn--[a-z0-9-]+)$/iu;

/** What no name has. */
const OTHER = /[^\p{L}\p{M}\p{N}\p{So}_·\u200c\u200d\ufe0f.-]/u;

/** Whether a text is one domain. @param {string} text */
function isDomain(text) {
  const bare = stripped(text);
  // Neither the e-mail address of another cell nor what follows a URL is part of a name.
  const [user = ""] = /^[^/?#]*@/.exec(bare) ?? [];
  const name = /[\s|]/.test(bare) || /[,;]/.test(user) ? "" : nameIn(text);
  const labels = name.split(".");
  return !OTHER.test(name) && labels.length > 1 && labels[0] !== "" &&
    TLD.test(labels.at(-1) ?? "");
}

const MARK = /^\s*(?:(?:[-*+•‣◦▪–—]|\(?\d{1,3}[.)])\s+)?(?:\[[ x]?\]\s+)?/i;
/** A line without names; "----+----" is one between those of a table, "# | Name" its header. Linear: it begins at the start. */
const COMMENT = /^\s*(?:#(?! *[\t|;,].*(?:[Nn]ame|[Dd]omain))|\/\/|;|\$TTL\s)|^[\s|+=_:-]+$/;
/** A link of a chat program: its address, then what is shown. */
const LINK = /<([^<>|]*)\|[^<>]*>/g;
/** A line of a zone file: the owner, then perhaps a TTL and a class, and the type. */
const ZONE =
  /^\S+\s+(?:\d+[smhdw]?\s+)?(?:IN\s+)?(?:A|AAAA|CAA|CNAME|DNSKEY|DS|MX|NS|SOA|SRV|TXT)\s/i;
const ADDRESS = /^\s*(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]+)\s+/i;
/** The line of a record, or of a zone file, that names the domain of all its lines. */
const RECORD = /^(?:\**\s*(?:domain(?: name)?|domainname)\.{0,40}:|\$ORIGIN\s)\s*(\S+)$/i;
/** A registrar that is called as its domain. */
const COMPANY = /\b[\w-]{1,63}\.[a-z]{2,63}, (?:LLC|Inc|Ltd)\b\.?/gi;
const DESCRIPTION = /\s[-–—](?:\s[^]*|$)|\s\([^]*|:\s[^]*/;

/** What stands above a list of domains. */
const TITLE = /^(?:domains?(?:[ _]?names?)?|fqdn)$/i;
/** What stands above a column with names, the surest first. */
const HEADERS = [TITLE, /^(?:names?|host(?:name)?s?)$/i, /^(?:websites?|urls?)$/i];

/**
 * Reads a text line by line: the names of each, as they stand there. A name in several words stays one text, because it may be
 * meant as one.
 * @param {{ hasMore?: boolean }} [options] `hasMore`: whether the text may have more lines than one
 */
export function createLineReader({ hasMore = true } = {}) {
  let isFirst = hasMore;
  /** @type {ReturnType<typeof tableUnder>} */
  let table;
  let isRecord = false;

  /** @param {string} whole @returns {readonly string[]} */
  return (whole) => {
    const isTitle = isFirst && TITLE.test(stripped(whole));
    isFirst = isFirst && stripped(whole) === "";
    if (isTitle) return [];
    const record = RECORD.exec(whole.trim())?.[1];
    if (record !== undefined && isDomain(record)) {
      isRecord = true;
      return [nameIn(record)];
    }
    if (isRecord) return [];
    const list = listIn(whole);
    if (list !== undefined) return found(list);
    const cell = table && parted(whole, table.sign)[table.column];
    if (cell !== undefined && whole.includes(table?.sign ?? "")) {
      return found([cell.trim().replace(DESCRIPTION, "")]);
    }
    if (hasMore && COMMENT.test(whole)) return [];
    if (hasMore && table === undefined) {
      table = tableUnder(whole);
      if (table !== undefined) return [];
    }
    const line = whole.replace(MARK, "").replace(/\s#[^]*/, "").replaceAll(LINK, "$1")
      .replaceAll(COMPANY, "");
    if (ZONE.test(line)) return [line.split(/\s/, 1)[0] ?? ""].filter(isDomain).map(nameIn);
    const hosts = line.replace(ADDRESS, "");
    if (hosts !== line) return hosts.split(/\s+/).filter(isDomain).map(nameIn);
    const { cells, isRow } = cellsOf(line, hasMore);
    const isMarked = MARK.exec(whole)?.[0].trim() !== "";
    return namesOf(cells, { isRow, isMarked, hasMore, line });
  };
}

/**
 * @param {readonly string[]} cells
 * @param {{ isRow: boolean, isMarked: boolean, hasMore: boolean, line: string }} place
 */
function namesOf(cells, { isRow, isMarked, hasMore, line }) {
  // What is said of a name after a dash, in brackets or behind a mark is no further name.
  const about = line.trim().replace(DESCRIPTION, "");
  const isDescribed = about !== "" && about !== line.trim();
  const plain = cells.filter(isPlainDomain);
  const words = line.trim().split(/\s+/);
  const named = words.filter(isDomain);
  const others = words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length - named.length;
  const isAlone = named.length < 2 || cells.length === 1 && others > 0;
  if (isAlone && isDomain(about) && !(about.includes("/") && plain.length > 0)) {
    return [nameIn(about)];
  }
  if (isMarked && isDescribed && named.length === 0) return found([about]);
  const areCells = cells.length > 1 && (named.length !== 1 || cells.some(isDomain));
  if (areCells) return found(namesOfCells(isRow ? cells : cells.flatMap(domainsIn), isRow));
  // Of a line among others and of a question, the words beside a domain say something of it.
  const areAbout = isMarked || hasMore || others === 0 || line.trim().endsWith("?");
  return found(named.length > 0 && areAbout ? named : cells);
}

/** The domains of a cell, "beta.io and gamma.dev"; else the cell. @param {string} cell */
function domainsIn(cell) {
  const domains = isDomain(cell) ? [] : cell.split(/\s+/).filter(isDomain);
  return domains.length > 0 ? domains : [cell];
}

/** The cells that are names. @param {readonly string[]} cells @param {boolean} isRow */
function namesOfCells(cells, isRow) {
  const domains = cells.filter(isDomain);
  // The number of a row is none.
  const first = /^\d{1,2}$/.test(cells[0] ?? "") && cells.length > 1 ? 1 : 0;
  if (domains.length === 0) return isRow ? cells.slice(first, first + 1) : cells;
  const plain = cells.filter(isPlainDomain);
  const surest = plain.length > 0 ? plain : domains;
  if (isRow && plain.length < cells.length) return surest.slice(0, 1);
  if (!cells.every((cell) => isDomain(cell) || WORD.test(stripped(cell)))) return surest;
  return cells.filter((cell) => plain.length === 0 || !cell.includes("@"));
}

/** A domain by itself: the e-mail addresses and URLs of a row may be others'. @param {string} cell */
function isPlainDomain(cell) {
  return isDomain(cell) && !/[@/]/.test(cell);
}

/** A label among domains, but no amount and no date. */
const WORD = /^(?=.*\p{L})[\p{L}\p{M}\p{N}-]+$/u;

/** @param {readonly string[]} texts */
function found(texts) {
  return texts.map((text) => /\s/.test(stripped(text)) ? stripped(text) : nameIn(text))
    .filter((name) => !/^(?:\p{M}|[-=_]*$)/u.test(name));
}

const SPACES = "  ";

/** The cells of a line, also the empty ones; what stands in quotes is one. @param {string} line @param {string} sign */
function parted(line, sign) {
  if (sign === SPACES) return line.trim().split(/ {2,}/);
  const cells = [""];
  let isQuoted = false;
  for (const part of line.split(/(["\t|;,])/)) {
    if (part === '"') isQuoted = !isQuoted;
    if (part === sign && !isQuoted) cells.push("");
    else cells.push(`${cells.pop()}${part}`);
  }
  return cells;
}

/** The table under a line that names its columns: the sign between its cells, and the place of its names. @param {string} line */
function tableUnder(line) {
  const sign = ["\t", "|", ";", ",", SPACES].find((sign) => line.trim().includes(sign)) ?? "";
  const cells = parted(line, sign).map(stripped);
  const column = HEADERS.map((header) => cells.findIndex((cell) => header.test(cell)))
    .find((place) => place >= 0);
  if (column !== undefined && cells.length > 1 && !cells.some(isDomain)) return { sign, column };
}

/**
 * The cells of a line: by tabs, bars or spaces of a table, or commas and semicolons outside of quotes; and whether they are a row,
 * of which one cell is the name. A tab behind a comma is a space.
 * @param {string} line
 * @param {boolean} hasMore
 */
function cellsOf(line, hasMore) {
  const columns = hasMore ? line.trim().split(/ {2,}/) : [];
  const isTable = columns.length > 1 && columns.some(isDomain);
  const [cells, isRow] = /[^,;\s]\t|^\t/.test(line)
    ? [line.split("\t"), true]
    : line.includes("|")
    ? [line.split("|"), hasMore || /^\s*\|/.test(line)]
    : isTable
    ? [columns, true]
    : [line.match(/(?:"[^"]*"|[^",;、，；])+/g) ?? [], hasMore && line.includes('"')];
  return { cells: cells.filter((cell) => stripped(cell) !== ""), isRow };
}

/**
 * The names of a whole text, each as it stands there.
 * @param {string} text
 */
export function namesIn(text) {
  const lines = text.split(/[\r\n\u2028]+/);
  const read = createLineReader({ hasMore: lines.length > 1 });
  return lines.flatMap((line) => read(line));
}

/**
 * The names of a line of JSON: the texts of a list, or the member of each object that has one; undefined if it is none.
 * @param {string} text
 * @returns {string[] | undefined}
 */
function listIn(text) {
  if (!/^\s*(?:\[\s*["{]|\{\s*")/.test(text)) return undefined;
  try {
    const names = [JSON.parse(text.replace(/,\s*$/, ""))].flat().flatMap(nameOfItem);
    return names.every((name) => name !== undefined) ? names : undefined;
  } catch {
    return undefined;
  }
}

/** @param {unknown} item @returns {string | undefined | (string | undefined)[]} */
function nameOfItem(item) {
  if (typeof item === "string") return item;
  const named = Object.entries(item ?? {})
    .flatMap(([key, value]) => HEADERS.some((header) => header.test(key)) ? [value] : []);
  const [list] = named.filter(Array.isArray);
  if (list !== undefined) return list.map(nameOfItem).flat();
  const texts = named.filter((value) => typeof value === "string");
  return texts.find(isDomain) ?? texts[0];
}
