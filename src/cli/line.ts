/** One row as a line for a person. */
import { domainToUnicode } from "node:url";
import {
  ethPriceOf,
  explain,
  explainEth,
  likelyEntryOf,
  registrarPriceOf,
  STATE_ENTRIES,
} from "../../static/vocabulary.js";
import { describeDetails } from "../rules/describe_details.ts";
import { describeEntry } from "../rules/evidence.ts";
import { toAsciiName } from "../rules/name.ts";
import { type Row, rowState } from "./row.ts";
import { sanitize } from "./terminal.ts";

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
  const details = row.kind === "failed" ? undefined : row.details;
  return [
    `${mark}  ${shownName(row.domain).padEnd(width)}  ${why}`,
    ...evidence.map((entry) => `      ${sanitize(describeEntry(entry))}`),
    ...describeDetails(details ?? {}).map((line) => `      ${sanitize(line)}`),
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
