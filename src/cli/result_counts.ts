/** The outcome of a run: results by state, and invalid lines. */
import { countsInWords } from "../../static/vocabulary.js";
import type { State } from "../rules/verdict.ts";
import { type Row, rowState } from "./row.ts";

/** Creates the counts, all 0. */
export function createResultCounts() {
  const counts = new Map<State, number>();
  const of = (state: State) => counts.get(state) ?? 0;
  let invalid = 0;
  return {
    add(row: Row): void {
      const state = rowState(row);
      counts.set(state, of(state) + 1);
    },
    /** Counts an invalid line, or an unreadable list. */
    addInvalid: () => void invalid++,
    /** 1 when a line was invalid, 2 when a result is unknown, else 0. */
    exitCode(): 0 | 1 | 2 {
      if (invalid > 0) return 1;
      return of("unknown") > 0 ? 2 : 0;
    },
    /** One line for the user. */
    summary(elapsedMs: number): string {
      const sum = counts.values().reduce((sum, count) => sum + count, 0);
      const each = countsInWords(of);
      const took = `${plural(sum, "domain")} in ${(elapsedMs / 1_000).toFixed(1)} s`;
      const rest = invalid > 0 ? `; ${plural(invalid, "invalid line")} skipped` : "";
      return `${took}${each && `: ${each}`}${rest}`;
    },
  };
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
