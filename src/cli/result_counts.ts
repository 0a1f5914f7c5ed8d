/** The outcome of a run: results by verdict, and invalid lines. */
import { type Row, type RowVerdict, verdictOfRow, VERDICTS } from "./row.ts";

/** Counts results. */
export interface ResultCounts {
  add(row: Row): void;
  /** Counts an invalid line, or an unreadable list. */
  addInvalid(): void;
  /** 1 when a line was invalid, 2 when a result is unknown, else 0. */
  exitCode(): 0 | 1 | 2;
  /** One line for the user. */
  summary(elapsedMs: number): string;
}

/** Creates the counts, all 0. */
export function createResultCounts(): ResultCounts {
  const counts = new Map<RowVerdict, number>(VERDICTS.map((verdict) => [verdict, 0]));
  const of = (verdict: RowVerdict) => counts.get(verdict) ?? 0;
  let invalid = 0;
  return {
    add(row) {
      const verdict = verdictOfRow(row);
      counts.set(verdict, of(verdict) + 1);
    },
    addInvalid: () => void invalid++,
    exitCode() {
      if (invalid > 0) return 1;
      return of("unknown") > 0 ? 2 : 0;
    },
    summary(elapsedMs) {
      const seen = VERDICTS.filter((verdict) => of(verdict) > 0);
      const sum = seen.reduce((sum, verdict) => sum + of(verdict), 0);
      const each = seen.map((verdict) => `${of(verdict)} ${verdict}`).join(", ");
      const took = `${plural(sum, "domain")} in ${(elapsedMs / 1_000).toFixed(1)} s`;
      const rest = invalid > 0 ? `; ${plural(invalid, "invalid line")} skipped` : "";
      return `${took}${each && `: ${each}`}${rest}`;
    },
  };
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
