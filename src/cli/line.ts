/** One row as a line for a person. */
import { ethPriceOf, explain, explainEth, STATE_ENTRIES } from "../../static/vocabulary.js";
import { describeEntry } from "../rules/evidence.ts";
import { type Row, rowState } from "./row.ts";
import { sanitize } from "./terminal.ts";

const WORD_WIDTH = Math.max(...Object.values(STATE_ENTRIES).map(({ word }) => word.length));

/**
 * The line: icon and word of the state, the domain padded to `width`, and how the state is known. Below it, a line for
 * each entry of the evidence, if the row has any.
 */
export function lineOf(row: Row, { colour, width }: { colour: boolean; width: number }): string {
  const { icon, word, sgr } = STATE_ENTRIES[rowState(row)];
  const mark = `${icon} ${word.padEnd(WORD_WIDTH)}`;
  const shown = colour ? `\x1b[${sgr}m${mark}\x1b[0m` : mark;
  const line = `${shown}  ${row.domain.padEnd(width)}  ${sanitize(explanationOf(row).join(" · "))}`;
  const { evidence = [] } = row.kind === "domain" ? row.result : {};
  return [line, ...evidence.map((entry) => `      ${sanitize(describeEntry(entry))}`)].join("\n");
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
  return state === "unknown" ? [explanation] : [explanation, time];
}
