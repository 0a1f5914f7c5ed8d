/** How a run went: rows of each state, and lines that were no names. */
import { countsInWords } from "../../static/vocabulary.js";
import type { State } from "../rules/verdict.ts";
import { type Row, rowState } from "./row.ts";

/** Counts, and tells the sum. */
export interface Tally {
  count(row: Row): void;
  /** Counts a line that is no name. */
  refuse(): void;
  /** 1 where a line was no name, 2 where something is unknown, else 0. */
  exitCode(): 0 | 1 | 2;
  /** One line for a person. */
  summary(elapsedMs: number): string;
}

/** Starts counting. */
export function createTally(): Tally {
  const counts = new Map<State, number>();
  const of = (state: State) => counts.get(state) ?? 0;
  let refused = 0;
  return {
    count(row) {
      const state = rowState(row);
      counts.set(state, of(state) + 1);
    },
    refuse: () => void refused++,
    exitCode() {
      if (refused > 0) return 1;
      return of("unknown") > 0 ? 2 : 0;
    },
    summary(elapsedMs) {
      const sum = counts.values().reduce((sum, count) => sum + count, 0);
      const each = countsInWords(of);
      const took = `${plural(sum, "domain")} in ${(elapsedMs / 1_000).toFixed(1)} s`;
      const rest = refused > 0 ? `; ${plural(refused, "line")} not understood` : "";
      return `${took}${each && `: ${each}`}${rest}`;
    },
  };
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
