/** Rows as CSV (RFC 4180), safe to open in a spreadsheet and to show on a terminal. */
import { plain } from "./plain.ts";
import { recordOf, type Row, rowState } from "./row.ts";

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
];

/** What makes a spreadsheet take a cell for a formula, in either of Unicode's widths. */
const FORMULA = /^[=+\-@＝＋－＠]/;

/** The header row. */
export const CSV_HEADER = lineOf(COLUMNS);

/** The row with its line end. */
export function csvOf(row: Row): string {
  const record: Readonly<Record<string, unknown>> = { ...recordOf(row), ...cellsOf(row) };
  return lineOf(COLUMNS.map((column) => record[column]));
}

/** What a record has not, or not on its first level. */
function cellsOf(row: Row): Record<string, unknown> {
  const state = rowState(row);
  if (row.kind !== "eth") return { state };
  const { eth, usdEstimate } = row.result.registrationPrice ?? {};
  const isPremium = state === "premium";
  // The estimate is of the price without the premium: beside it, it would look like the price.
  return {
    state,
    premium: isPremium,
    priceEth: eth,
    priceUsd: isPremium ? undefined : usdEstimate,
  };
}

function lineOf(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/** A service may have sent whatever it likes: not every object can even be made a text. */
function cellOf(value: unknown): string {
  const words = [value].flat().filter((word) => typeof word !== "object");
  const text = plain(words.join(" "));
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
