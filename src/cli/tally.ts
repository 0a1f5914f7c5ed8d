/** How a run went: rows of each verdict, and lines that were no names. */
import { type Row, type RowVerdict, verdictOf, VERDICTS } from "./row.ts";

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
  const counts = new Map<RowVerdict, number>(VERDICTS.map((verdict) => [verdict, 0]));
  const of = (verdict: RowVerdict) => counts.get(verdict) ?? 0;
  let refused = 0;
  return {
    count(row) {
      const verdict = verdictOf(row);
      counts.set(verdict, of(verdict) + 1);
    },
    refuse: () => void refused++,
    exitCode() {
      if (refused > 0) return 1;
      return of("unknown") > 0 ? 2 : 0;
    },
    summary(elapsedMs) {
      const seen = VERDICTS.filter((verdict) => of(verdict) > 0);
      const sum = seen.reduce((sum, verdict) => sum + of(verdict), 0);
      const each = seen.map((verdict) => `${of(verdict)} ${verdict}`).join(", ");
      const took = `${plural(sum, "domain")} in ${(elapsedMs / 1_000).toFixed(1)} s`;
      const rest = refused > 0 ? `; ${plural(refused, "line")} not understood` : "";
      return `${took}${each && `: ${each}`}${rest}`;
    },
  };
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
