/** Whoever answers: the look-ups of this process, or a running service. */
import type { Question } from "./question.ts";
import type { Row } from "./row.ts";

/** Answers questions. */
export interface Checker {
  /** The TLDs that it can check. */
  tlds: readonly string[];
  /** Names that are worth having under way at once. */
  atOnce: number;
  /** Yields a row for each TLD as it settles. */
  ask(question: Question): AsyncIterable<Row>;
}
