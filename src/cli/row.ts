/** The result for one domain, from either checker: for programs a record, for a person a line. */
import { domainToUnicode } from "node:url";
import { detailRows, type Details } from "../../static/detail_rows.js";
import {
  ethPriceOf,
  ethStateOf,
  explain,
  explainEth,
  likelyEntryOf,
  registrarPriceOf,
  STATE_ENTRIES,
  wordsOfEntry,
} from "../../static/vocabulary.js";
import type { DomainResult } from "../lookup/check_domain.ts";
import type { EnsCheckResult } from "../lookup/ens_lookups.ts";
import type { EvidenceEntry } from "../rules/evidence.ts";
import { toAsciiName, toDomain } from "../rules/name.ts";
import { costOf, costUsd, type Quote } from "../rules/prices.ts";
import type { Likely, State } from "../rules/verdict.ts";
import { sanitize } from "./terminal.ts";

/** A label to check under TLDs that the checker supports. */
export interface CheckRequest {
  label: string;
  tlds: readonly string[];
}

/** The result for one domain, however it was checked. */
export interface Row {
  domain: string;
  state: State;
  /** What an unknown name most likely is. */
  likely?: Likely | undefined;
  /** For programs: the API's fields, always with domain and TLD. */
  record: object;
  /** The columns of CSV that the record lacks, or has only nested. */
  cells: object;
  /** For people: how the state is known, the price, and the time that it took. */
  facts: readonly string[];
  evidence?: readonly EvidenceEntry[] | undefined;
  details?: Details;
}

/** The row of a domain; `quote` is that of its TLD. */
export function domainRow(result: DomainResult, quote?: Quote): Row {
  const { domain, state, likely, evidence, reason, error, offer } = result;
  const further = [...(offer === undefined ? [] : [registrarPriceOf(offer)]), timeOf(result)];
  return {
    domain,
    state,
    likely,
    evidence,
    record: result,
    cells: { reason: reason ?? error, ...costOf({ state, offer }, quote) },
    facts: [explain(result), ...(state === "unknown" ? [] : further)],
  };
}

/** The row of an ENS name. */
export function ethRow(domain: string, result: EnsCheckResult): Row {
  const state = ethStateOf(result);
  const { registrationPrice: price } = result;
  const isPremium = state === "premium";
  // Each year costs the same; the estimate excludes the premium, so it would be mistaken for the price.
  const usd = isPremium ? undefined : price?.usdEstimate;
  const cost = usd === undefined ? {} : costUsd(usd, usd);
  return {
    domain,
    state,
    record: { domain, tld: toDomain(domain).tld, state, ...result },
    cells: { premium: isPremium, priceEth: price?.eth, ...cost },
    facts: [
      explainEth(result),
      ...(price === undefined ? [] : [ethPriceOf(price)]),
      timeOf(result),
    ],
  };
}

/** The row of a name that could not be checked; the error is for the user. */
export function failedRow(domain: string, error: string): Row {
  const state = "unknown";
  const unknown = { state, available: false, status: [state], premium: false };
  return {
    domain,
    state,
    record: { domain, tld: toDomain(domain).tld, ...unknown, error },
    cells: { reason: error },
    facts: [error],
  };
}

function timeOf({ source, responseMs }: { source: string; responseMs: number }): string {
  return source.endsWith("+cache") ? "from the cache" : `${responseMs} ms`;
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
 * each entry of the evidence and each detail, if the row has any. `now`: in ms since 1970.
 */
export function lineOf(
  row: Row,
  { colour, width, now }: { colour: boolean; width: number; now: number },
): string {
  const { domain, facts, evidence = [], details = {} } = row;
  const { icon, word } = entryOf(row);
  const mark = coloured(row, `${icon} ${word.padEnd(WORD_WIDTH)}`, colour);
  const below = [
    ...evidence.map((entry) => wordsOf(entry, now)),
    ...detailRows(details).map((detail) => detail.join(": ")),
  ];
  return [
    `${mark}  ${shownName(domain).padEnd(width)}  ${sanitize(facts.join(" · "))}`,
    ...below.map((line) => `      ${sanitize(line)}`),
  ].join("\n");
}

function wordsOf(entry: EvidenceEntry, now: number): string {
  const { who, meaning, about } = wordsOfEntry(entry, now);
  const said = entry.said === "" ? "" : `, "${entry.said.replaceAll('"', "'")}"`;
  // What a registry says comes last: a line that is too long is cut.
  return `${who}: ${meaning} (${about})${said}`;
}

/** The row among others of its name: the icon of the state and the TLD. */
export function cellOf(row: Row, tld: string, { colour }: { colour: boolean }): string {
  return coloured(row, `${entryOf(row).icon} .${tld}`, colour);
}

function coloured(row: Row, text: string, colour: boolean): string {
  return colour ? `\x1b[${entryOf(row).sgr}m${text}\x1b[0m` : text;
}

/** Word, icon and colour of a row: of what an unknown name most likely is, or else of its state. */
function entryOf(row: Row) {
  return likelyEntryOf(row) ?? STATE_ENTRIES[row.state];
}
