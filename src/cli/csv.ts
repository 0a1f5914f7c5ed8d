/** Rows as CSV (RFC 4180), safe to open in a spreadsheet and to show on a terminal. */
import { csvCell } from "../../static/csv_cell.js";
import { ethPriceOf, registrarPriceOf } from "../../static/vocabulary.js";
import { threeYearsOf } from "../rules/prices.ts";
import { recordOf, type Row, rowState } from "./row.ts";
import { sanitize } from "./terminal.ts";

/** Every column; later ones are put at the end, where they move no other. */
export const COLUMNS = [
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
  "reason",
  "tld",
  "unicode",
  "price",
  "retryAfter",
  "threeYearsUsd",
] as const;

/** A column of CSV. */
export type Column = typeof COLUMNS[number];

/** The header row. */
export function csvHeader(columns: readonly Column[] = COLUMNS): string {
  return csvLine(columns);
}

/** The row with its line end. */
export function csvOf(row: Row, columns: readonly Column[] = COLUMNS): string {
  const record: Readonly<Record<string, unknown>> = { ...recordOf(row), ...cellsOf(row) };
  return csvLine(columns.map((column) => record[column]));
}

/** The cells that a record lacks, or has only nested. */
function cellsOf(row: Row): Record<string, unknown> {
  const state = rowState(row);
  if (row.kind === "domain") {
    const { offer } = row.result;
    const threeYearsUsd = offer === undefined
      ? row.threeYearsUsd
      : threeYearsOf(offer.price, offer.renewal, offer.years ?? 1);
    return {
      state,
      priceUsd: offer?.price,
      price: offer && registrarPriceOf(offer),
      threeYearsUsd,
    };
  }
  if (row.kind !== "eth") return { state };
  const { registrationPrice } = row.result;
  const { eth, usdEstimate } = registrationPrice ?? {};
  const isPremium = state === "premium";
  // The estimate excludes the premium, so it would be mistaken for the price.
  return {
    state,
    premium: isPremium,
    priceEth: eth,
    priceUsd: isPremium ? undefined : usdEstimate,
    // Each year costs the same.
    threeYearsUsd: isPremium || usdEstimate === undefined ? undefined : 3 * usdEstimate,
    price: registrationPrice && ethPriceOf(registrationPrice),
  };
}

function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/** Ignores objects: a service may send any value, and some objects cannot be converted to text. */
function cellOf(value: unknown): string {
  const words = [value].flat().filter((word) => typeof word !== "object");
  return csvCell(sanitize(words.join(" ")));
}
