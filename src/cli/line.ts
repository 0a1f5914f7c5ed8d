/** One row as a line for a person. */
import {
  ethPriceOf,
  explain,
  explainEth,
  registrarPriceOf,
  STATE_ENTRIES,
} from "../../static/vocabulary.js";
import { type Row, rowState } from "./row.ts";
import { shownName } from "./shown_name.ts";
import { sanitize } from "./terminal.ts";

const WORD_WIDTH = Math.max(...Object.values(STATE_ENTRIES).map(({ word }) => word.length));

/** The line: icon and word of the state, the domain padded to `width`, and how the state is known. */
export function lineOf(row: Row, { colour, width }: { colour: boolean; width: number }): string {
  const { icon, word, sgr } = STATE_ENTRIES[rowState(row)];
  const mark = `${icon} ${word.padEnd(WORD_WIDTH)}`;
  const shown = colour ? `\x1b[${sgr}m${mark}\x1b[0m` : mark;
  return `${shown}  ${shownName(row.domain).padEnd(width)}  ${
    sanitize(evidenceOf(row).join(" · "))
  }`;
}

function evidenceOf(row: Row): string[] {
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
