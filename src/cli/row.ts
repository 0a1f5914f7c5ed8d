/** The result for one domain, from either checker: for programs a record, for a person a line. */
import { domainToUnicode } from "node:url";
import {
  ethPriceOf,
  ethStateOf,
  explain,
  explainEth,
  likelyEntryOf,
  registrarPriceOf,
  STATE_ENTRIES,
} from "../../static/vocabulary.js";
import type { DomainResult } from "../lookup/check_domain.ts";
import type { EnsCheckResult } from "../lookup/ens_lookups.ts";
import { type DescribedDetails, describeDetails } from "../rules/describe_details.ts";
import { describeEntry } from "../rules/evidence.ts";
import { toAsciiName } from "../rules/name.ts";
import type { CostUsd } from "../rules/prices.ts";
import { type State, stateOf } from "../rules/verdict.ts";
import type { CheckRequest, SupportedTlds } from "./names.ts";
import { sanitize } from "./terminal.ts";

/** Checks names. */
export interface Checker extends SupportedTlds {
  /** How many requests may be in flight, in sizes of requests. */
  readonly inFlight: { readonly most: number; sizeOf(request: CheckRequest): number };
  /** Yields a row for each TLD as it settles. */
  check(request: CheckRequest): AsyncIterable<Row>;
}

/** What rows have besides the verdict. */
export interface RowWishes {
  /** Whether each result shows what each witness said. */
  explain: boolean;
  /** Whether each taken result shows its registrar, its dates and when it could drop. */
  details: boolean;
}

/** A result as the API returns it, or the error message when there is none. */
export type Row =
  & { domain: string; details?: DescribedDetails }
  & (
    | {
      kind: "domain";
      result: DomainResult;
      /** The estimate of an available name at the priced registrar. */
      cost?: CostUsd | undefined;
    }
    | { kind: "eth"; result: EnsCheckResult }
    | { kind: "failed"; error: string }
  );

/** The row's state. A service's own word for it is not trusted: it may be of another version. */
export function rowState(row: Row): State {
  switch (row.kind) {
    case "domain":
      return stateOf(row.result);
    case "eth":
      return ethStateOf(row.result);
    case "failed":
      return "unknown";
  }
}

/** Whether the name can be registered. */
export function isAvailable(row: Row): boolean {
  return STATE_ENTRIES[rowState(row)].isAvailable;
}

/** The row as a record for programs: the API's fields, always with domain and TLD. */
export function recordOf(row: Row): Readonly<Record<string, unknown>> {
  const details = row.details && { details: row.details };
  if (row.kind === "domain") return { ...row.result, ...details };
  const { domain } = row;
  const { tld } = partsOf(domain);
  if (row.kind === "eth") return { domain, tld, ...row.result, ...details };
  const unknown = { state: "unknown", available: false, status: ["unknown"], premium: false };
  return { domain, tld, ...unknown, error: row.error };
}

/** A domain's label, which has no dot, and what it is registered under. */
export function partsOf(domain: string): { label: string; tld: string } {
  const dot = domain.indexOf(".");
  return { label: domain.slice(0, dot), tld: domain.slice(dot + 1) };
}

/** The row with its details if it is taken, without what it says itself; `find` gets the name. */
export async function withDetails(
  row: Row,
  find: (
    domain: string,
  ) => Promise<DescribedDetails & { domain?: string; state?: string; available?: boolean }>,
): Promise<Row> {
  if (rowState(row) !== "taken") return row;
  const { domain: _, state: __, available: ___, ...details } = await find(row.domain);
  return { ...row, details };
}

const WORD_WIDTH = Math.max(...Object.values(STATE_ENTRIES).map(({ word }) => word.length));

/** A label or a domain as it is shown: of an internationalised one both forms, such as `café.com (xn--caf-dma.com)`. */
export function shownName(name: string): string {
  if (!name.includes("xn--")) return name;
  const unicode = domainToUnicode(name);
  // What does not convert back is no A-label.
  return unicode !== name && toAsciiName(unicode) === name
    ? `${sanitize(unicode)} (${name})`
    : name;
}

/**
 * The line: icon and word of the state, the domain padded to `width`, and how the state is known. Below it, a line for
 * each entry of the evidence and each group of details, if the row has any.
 */
export function lineOf(row: Row, { colour, width }: { colour: boolean; width: number }): string {
  const { icon, word } = entryOf(row);
  const mark = coloured(row, `${icon} ${word.padEnd(WORD_WIDTH)}`, colour);
  const why = sanitize(explanationOf(row).join(" · "));
  const { evidence = [] } = row.kind === "domain" ? row.result : {};
  return [
    `${mark}  ${shownName(row.domain).padEnd(width)}  ${why}`,
    ...evidence.map((entry) => `      ${sanitize(describeEntry(entry))}`),
    ...describeDetails(row.details ?? {}).map((line) => `      ${sanitize(line)}`),
  ].join("\n");
}

/** The row among others of its name: the icon of the state and the TLD. */
export function cellOf(row: Row, tld: string, { colour }: { colour: boolean }): string {
  return coloured(row, `${entryOf(row).icon} .${tld}`, colour);
}

/** Why the row is unknown. */
export function reasonOf(row: Row): string {
  const [reason = ""] = explanationOf(row);
  return sanitize(reason);
}

function coloured(row: Row, text: string, colour: boolean): string {
  return colour ? `\x1b[${entryOf(row).sgr}m${text}\x1b[0m` : text;
}

/** Word, icon and colour of a row: of what an unknown name most likely is, or else of its state. */
function entryOf(row: Row) {
  const state = rowState(row);
  const { likely } = row.kind === "domain" ? row.result : {};
  return likelyEntryOf({ state, likely }) ?? STATE_ENTRIES[state];
}

function explanationOf(row: Row): string[] {
  if (row.kind === "failed") return [row.error];
  const { result } = row;
  const time = result.source.endsWith("+cache") ? "from the cache" : `${result.responseMs} ms`;
  if (row.kind === "eth") {
    const { registrationPrice: price } = row.result;
    return [explainEth(row.result), ...(price === undefined ? [] : [ethPriceOf(price)]), time];
  }
  const state = rowState(row);
  const explanation = explain({ ...row.result, state });
  if (state === "unknown") return [explanation];
  const { offer } = row.result;
  return [explanation, ...(offer === undefined ? [] : [registrarPriceOf(offer)]), time];
}
