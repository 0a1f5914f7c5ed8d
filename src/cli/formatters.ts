/** The layouts of results: text for people, records for programs, of which CSV is safe to open in a spreadsheet. */
import { csvCell, STATE_ENTRIES } from "../../static/vocabulary.js";
import { toDomain } from "../rules/name.ts";
import { cellOf, type CheckRequest, lineOf, type Row, shownName } from "./row.ts";
import { CONTROL_CHARACTERS, sanitize } from "./terminal.ts";

/** Writes results as they arrive. */
export interface Formatter {
  /** Resolves when the row is written, or queued. */
  add(request: CheckRequest, row: Row): Promise<void>;
  /** Called when a request has no more rows; resolves when all of them are written. */
  finish?(request: CheckRequest): Promise<void>;
  /** Writes queued rows and the end of the document; the summary only in text. */
  end(summary: string): Promise<void>;
}

/** How each record is written, and what stands before, between and after them. */
const RECORD_LAYOUTS = {
  // One document, each line of which is usable on arrival.
  json: { head: () => "[\n", of: jsonOf, between: ",\n", tail: "\n]\n" },
  ndjson: { head: () => "", of: (row: Row) => `${jsonOf(row)}\n`, between: "", tail: "" },
  csv: { head: csvLine, of: csvOf, between: "", tail: "" },
};

/** The formats for programs: one record for each result. */
export const RECORD_FORMATS = ["json", "ndjson", "csv"] as const;

/** Creates a formatter for programs: one record for each row, in order of arrival; `columns` are those of CSV. */
export function createRecordFormatter(
  format: typeof RECORD_FORMATS[number],
  write: (text: string) => Promise<void>,
  columns: readonly Column[] = USUAL,
): Formatter {
  const { head, of, between, tail } = RECORD_LAYOUTS[format];
  let before = head(columns);
  return {
    async add(_request, row) {
      const text = `${before}${of(row, columns)}`;
      before = between;
      await write(text);
    },
    end: () => write(`${before === between ? "" : before}${tail}`),
  };
}

/** Control characters are escaped: programs decode them, and a terminal does not execute what a service sends. */
function jsonOf(row: Row): string {
  return JSON.stringify(row.record).replace(CONTROL_CHARACTERS, toEscapes);
}

function toEscapes(character: string): string {
  const hex = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, "0");
  return character.split("").map((unit) => `\\u${hex(unit)}`).join("");
}

/** What most readers of a list want; `reason` is also why a row is unknown. */
const USUAL = [
  "domain",
  "state",
  "reason",
  "firstYearUsd",
  "renewalUsd",
  "threeYearsUsd",
  "checkedAt",
] as const;

/** Every column. */
export const COLUMNS = [
  ...USUAL,
  "tld",
  "unicode",
  "available",
  "status",
  "premium",
  "source",
  "responseMs",
  "likely",
  "retryAfter",
  "owner",
  "priceEth",
] as const;

/** A column of CSV. */
type Column = typeof COLUMNS[number];

/** The row as a line of CSV (RFC 4180), with its end. */
export function csvOf(row: Row, columns: readonly Column[]): string {
  const record: Readonly<Record<string, unknown>> = { ...row.record, ...row.cells };
  return csvLine(columns.map((column) => record[column]));
}

function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCellOf).join(",")}\r\n`;
}

/** Ignores objects: a service may send any value, and some objects cannot be converted to text. */
function csvCellOf(value: unknown): string {
  const words = [value].flat().filter((word) => typeof word !== "object");
  return csvCell(sanitize(words.join(" ")));
}

/** `rows`: each row is a line at once. Of a name with several TLDs, `groups`: its rows together; `names`: one line. */
export type TextLayout = "rows" | "groups" | "names";

/** How wide the longest domain of a request is. */
function domainWidth({ label, tlds }: CheckRequest): number {
  return Math.max(...tlds.map((tld) => shownName(`${label}.${tld}`).length));
}

/** Fits most names: what stands beside longer ones moves to the right from there on. */
const NAME_WIDTH = 24;

/** Creates a formatter for people; what is shown together is written once it is whole. */
export function createTextFormatter(
  write: (text: string) => Promise<void>,
  { colour, layout, now }: { colour: boolean; layout: TextLayout; now: () => number },
): Required<Formatter> {
  let width = NAME_WIDTH;
  const waiting = new Map<CheckRequest, Row[]>();
  let isEmpty = true;

  function groupOf(request: CheckRequest, rows: readonly Row[]): string {
    const name = shownName(request.label);
    const shape = { colour, width: domainWidth(request), now: now() };
    const lines = rows.map((row) => `  ${lineOf(row, shape)}\n`).join("");
    return `${isEmpty ? "" : "\n"}${colour ? `\x1b[1m${name}\x1b[0m` : name}\n${lines}`;
  }

  /** The TLDs beside each other, each with the icon of its state, and why some are unknown. */
  function nameLineOf({ label, tlds }: CheckRequest, rows: readonly Row[]): string {
    const cells = tlds.map((tld) => {
      const row = rows.find(({ domain }) => domain === `${label}.${tld}`);
      // Cells that are missing, such as those that --available leaves out, keep their place.
      return row === undefined ? " ".repeat(tld.length + 3) : cellOf(row, tld, { colour });
    });
    const reasons = rows.filter(({ state }) => state === "unknown")
      .map(({ domain, facts: [why = ""] }) => `.${toDomain(domain).tld}: ${sanitize(why)}`);
    width = Math.max(width, shownName(label).length);
    const parts = [shownName(label).padEnd(width), cells.join("  ").trimEnd(), ...reasons];
    return `${parts.join("  ")}\n`;
  }

  async function writeOut(text: string): Promise<void> {
    isEmpty = false;
    await write(text);
  }

  async function finish(request: CheckRequest): Promise<void> {
    const rows = waiting.get(request);
    waiting.delete(request);
    if (rows !== undefined) {
      await writeOut((layout === "names" ? nameLineOf : groupOf)(request, rows));
    }
  }

  return {
    async add(request, row) {
      if (layout === "rows" || request.tlds.length === 1) {
        width = Math.max(width, domainWidth(request));
        return await writeOut(`${lineOf(row, { colour, width, now: now() })}\n`);
      }
      const rows = waiting.get(request);
      if (rows === undefined) waiting.set(request, [row]);
      else rows.push(row);
    },
    finish,
    async end(summary) {
      for (const request of waiting.keys()) await finish(request);
      await write(`${isEmpty ? "" : "\n"}${summary}\n`);
    },
  };
}

/** What results can be sorted by, once all are there. */
export const SORT_ORDERS = ["name", "state", "tld"] as const;

type SortOrder = typeof SORT_ORDERS[number];

/** Wraps a formatter so that it gets all rows at the end, in order. */
export function createSortedFormatter(formatter: Formatter, order: SortOrder): Formatter {
  const results: { request: CheckRequest; row: Row; key: string }[] = [];
  return {
    add(request, row) {
      results.push({ request, row, key: sortKeyOf(row, order) });
      return Promise.resolve();
    },
    async end(summary) {
      // Not by locale, so that every machine sorts alike.
      const sorted = results.toSorted((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
      for (const { request, row } of sorted) await formatter.add(request, row);
      await formatter.end(summary);
    },
  };
}

const STATE_ORDER = Object.keys(STATE_ENTRIES);

/** What a row is sorted by, joined by the lowest character, so that "a" comes before "ab". */
function sortKeyOf({ domain, state }: Row, order: SortOrder): string {
  const { label: name, tld } = toDomain(domain);
  const keys = {
    name: [name, tld],
    // There are fewer than ten.
    state: [STATE_ORDER.indexOf(state), name, tld],
    tld: [tld, name],
  };
  return keys[order].join("\0");
}
