/** The layouts of results: text for people, records for programs, of which CSV is safe to open in a spreadsheet. */
import { csvCell, STATE_ENTRIES } from "../../static/vocabulary.js";
import { costUsd } from "../rules/prices.ts";
import type { CheckRequest } from "./names.ts";
import {
  cellOf,
  lineOf,
  partsOf,
  reasonOf,
  recordOf,
  type Row,
  rowState,
  shownName,
} from "./row.ts";
import { CONTROL_CHARACTERS, sanitize } from "./terminal.ts";

/** Writes results as they arrive. */
export interface Formatter {
  /** Resolves when the row is written, or queued. */
  add(request: CheckRequest, row: Row): Promise<void>;
  /** Called when a request has no more rows; resolves when all of them are written. */
  finish(request: CheckRequest): Promise<void>;
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

/** A format for programs: one record for each result. */
export type RecordFormat = keyof typeof RECORD_LAYOUTS;

/** Creates a formatter for programs: one record for each row, in order of arrival; `columns` are those of CSV. */
export async function createRecordFormatter(
  format: RecordFormat,
  write: (text: string) => Promise<void>,
  columns: readonly Column[] = USUAL,
): Promise<Formatter> {
  const { of, between, tail, ...layout } = RECORD_LAYOUTS[format];
  const head = layout.head(columns);
  let gap = "";
  if (head !== "") await write(head);
  return {
    async add(_request, row) {
      const text = `${gap}${of(row, columns)}`;
      gap = between;
      await write(text);
    },
    finish: () => Promise.resolve(),
    end: () => write(tail),
  };
}

/** Control characters are escaped: programs decode them, and a terminal does not execute what a service sends. */
function jsonOf(row: Row): string {
  return JSON.stringify(recordOf(row)).replace(CONTROL_CHARACTERS, toEscapes);
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
export type Column = typeof COLUMNS[number];

/** The row as a line of CSV (RFC 4180), with its end. */
export function csvOf(row: Row, columns: readonly Column[]): string {
  const record: Readonly<Record<string, unknown>> = { ...recordOf(row), ...cellsOf(row) };
  return csvLine(columns.map((column) => record[column]));
}

/** The cells that a record lacks, or has only nested. */
function cellsOf(row: Row): Record<string, unknown> {
  const state = rowState(row);
  switch (row.kind) {
    case "failed":
      return { state, reason: row.error };
    case "domain": {
      const { reason, error, offer } = row.result;
      const { price, renewal, years } = offer ?? {};
      const cost = price === undefined ? row.cost : costUsd(price, renewal, years);
      return { state, reason: reason ?? error, ...cost };
    }
    case "eth": {
      const { eth, usdEstimate } = row.result.registrationPrice ?? {};
      const isPremium = state === "premium";
      // Each year costs the same; the estimate excludes the premium, so it would be mistaken for the price.
      const cost = isPremium || usdEstimate === undefined ? {} : costUsd(usdEstimate, usdEstimate);
      return { state, premium: isPremium, priceEth: eth, ...cost };
    }
  }
}

function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCellOf).join(",")}\r\n`;
}

/** Ignores objects: a service may send any value, and some objects cannot be converted to text. */
function csvCellOf(value: unknown): string {
  const words = [value].flat().filter((word) => typeof word !== "object");
  return csvCell(sanitize(words.join(" ")));
}

/** The rows of a name that waits until the name shown before it is finished. */
interface QueuedName {
  rows: Row[];
  finished: boolean;
  written: PromiseWithResolvers<void>;
}

/**
 * Creates a formatter for people. The rows of a name stay together: one name is shown live, the others are queued.
 * `finish` waits for its queued name, so that the queue is no longer than the names in flight.
 */
export function createTextFormatter(
  write: (text: string) => Promise<void>,
  { colour, width }: { colour: boolean; width: number },
): Formatter {
  const queue = new Map<CheckRequest, QueuedName>();
  let live: CheckRequest | undefined;
  let before: "nothing" | "line" | "group" = "nothing";

  function headOf({ label, tlds }: CheckRequest): string {
    const grouped = tlds.length > 1;
    const gap = before === "group" || (before === "line" && grouped) ? "\n" : "";
    before = grouped ? "group" : "line";
    if (!grouped) return gap;
    const name = shownName(label);
    return `${gap}${colour ? `\x1b[1m${name}\x1b[0m` : name}\n`;
  }

  function bodyOf({ label, tlds }: CheckRequest, rows: readonly Row[]): string {
    if (tlds.length === 1) return rows.map((row) => `${lineOf(row, { colour, width })}\n`).join("");
    const own = Math.max(...tlds.map((tld) => shownName(`${label}.${tld}`).length));
    return rows.map((row) => `  ${lineOf(row, { colour, width: own })}\n`).join("");
  }

  /** Removes the names from the queue and writes them in one piece, so that no other row gets between them. */
  async function release(names: readonly (readonly [CheckRequest, QueuedName])[]): Promise<void> {
    const texts = names.map(([request, { rows }]) => {
      queue.delete(request);
      return headOf(request) + bodyOf(request, rows);
    });
    if (texts.length > 0) await write(texts.join(""));
    for (const [, { written }] of names) written.resolve();
  }

  return {
    async add(request, row) {
      const queued = queue.get(request);
      if (queued !== undefined) return void queued.rows.push(row);
      if (live === request) return await write(bodyOf(request, [row]));
      if (live !== undefined) {
        const written = Promise.withResolvers<void>();
        return void queue.set(request, { rows: [row], finished: false, written });
      }
      live = request;
      await write(headOf(request) + bodyOf(request, [row]));
    },
    async finish(request) {
      const queued = queue.get(request);
      if (queued !== undefined) {
        queued.finished = true;
        return await queued.written.promise;
      }
      if (live !== request) return;
      const finished = [...queue].filter(([, { finished }]) => finished);
      const next = [...queue].find(([, { finished }]) => !finished);
      live = next?.[0];
      await release(next === undefined ? finished : [...finished, next]);
    },
    async end(summary) {
      await release([...queue]);
      await write(before === "nothing" ? `${summary}\n` : `\n${summary}\n`);
    },
  };
}

/** The cells of a name's line, in the order of its TLDs, and why some are unknown. */
interface NameLine {
  cells: string[];
  reasons: string[];
}

/**
 * Creates a formatter for people with one line for each name: its TLDs beside each other, each with the icon of its state.
 * A name with one TLD is shown as its row; unless `isJoined`, every row has its line at once.
 */
export function createNameFormatter(
  write: (text: string) => Promise<void>,
  { isJoined = true, ...layout }: { colour: boolean; width: number; isJoined?: boolean },
): Formatter {
  const waiting = new Map<CheckRequest, NameLine>();
  let isEmpty = true;

  function textOf({ label, tlds }: CheckRequest, { cells, reasons }: NameLine): string {
    // Cells that are missing, such as those that --available leaves out, keep their place.
    const line = tlds.map((tld, place) => cells[place] ?? " ".repeat(tld.length + 3)).join("  ");
    const parts = [shownName(label).padEnd(layout.width), line.trimEnd(), ...reasons];
    return `${parts.join("  ")}\n`;
  }

  return {
    async add(request, row) {
      isEmpty = false;
      if (request.tlds.length === 1 || !isJoined) return await write(`${lineOf(row, layout)}\n`);
      const line = waiting.get(request) ?? { cells: [], reasons: [] };
      waiting.set(request, line);
      const tld = row.domain.slice(request.label.length + 1);
      line.cells[request.tlds.indexOf(tld)] = cellOf(row, tld, layout);
      if (rowState(row) === "unknown") line.reasons.push(`.${tld}: ${reasonOf(row)}`);
    },
    async finish(request) {
      const line = waiting.get(request);
      waiting.delete(request);
      if (line !== undefined) await write(textOf(request, line));
    },
    async end(summary) {
      const rest = [...waiting].map(([request, line]) => textOf(request, line)).join("");
      await write(`${rest}${isEmpty ? "" : "\n"}${summary}\n`);
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
    finish: () => Promise.resolve(),
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
function sortKeyOf(row: Row, order: SortOrder): string {
  const { label: name, tld } = partsOf(row.domain);
  const keys = {
    name: [name, tld],
    // There are fewer than ten.
    state: [STATE_ORDER.indexOf(rowState(row)), name, tld],
    tld: [tld, name],
  };
  return keys[order].join("\0");
}
