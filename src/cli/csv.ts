/** Rows as CSV (RFC 4180), safe to open in a spreadsheet and to show on a terminal. */
import { csvCell } from "../../static/csv_cell.js";
import { costUsd } from "../rules/prices.ts";
import { recordOf, type Row, rowState } from "./row.ts";
import { sanitize } from "./terminal.ts";

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

/** The header row. */
export function csvHeader(columns: readonly Column[] = USUAL): string {
  return csvLine(columns);
}

/** The row with its line end. */
export function csvOf(row: Row, columns: readonly Column[] = USUAL): string {
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
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/** Ignores objects: a service may send any value, and some objects cannot be converted to text. */
function cellOf(value: unknown): string {
  const words = [value].flat().filter((word) => typeof word !== "object");
  return csvCell(sanitize(words.join(" ")));
}
