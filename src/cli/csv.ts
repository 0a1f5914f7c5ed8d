/** Rows as CSV (RFC 4180), safe to open in a spreadsheet and to show on a terminal. */
import { recordOf, type Row, rowState } from "./row.ts";
import { sanitize } from "./terminal.ts";

const COLUMNS = [
  "domain",
  "state",
  "available",
  "status",
  "premium",
  "source",
  "checkedAt",
  "responseMs",
  "owner",
  "priceEth",
  "priceUsd",
  "error",
  "likely",
];

/** The first characters of a spreadsheet formula, also in their full-width forms. */
const FORMULA = /^[=+\-@＝＋－＠]/;

/** The header row. */
export const CSV_HEADER = csvLine(COLUMNS);

/** The row with its line end. */
export function csvOf(row: Row): string {
  const record: Readonly<Record<string, unknown>> = { ...recordOf(row), ...cellsOf(row) };
  return csvLine(COLUMNS.map((column) => record[column]));
}

/** The cells that a record lacks, or has only nested. */
function cellsOf(row: Row): Record<string, unknown> {
  const state = rowState(row);
  if (row.kind === "domain") return { state, priceUsd: row.result.offer?.price };
  if (row.kind !== "eth") return { state };
  const { eth, usdEstimate } = row.result.registrationPrice ?? {};
  const isPremium = state === "premium";
  // The estimate excludes the premium, so it would be mistaken for the price.
  return {
    state,
    premium: isPremium,
    priceEth: eth,
    priceUsd: isPremium ? undefined : usdEstimate,
  };
}

function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/** Ignores objects: a service may send any value, and some objects cannot be converted to text. */
function cellOf(value: unknown): string {
  const words = [value].flat().filter((word) => typeof word !== "object");
  const text = sanitize(words.join(" "));
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
