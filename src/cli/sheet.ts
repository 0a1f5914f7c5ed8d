/** How results are laid out. */
import type { Question } from "./question.ts";
import type { Row } from "./row.ts";

/** What results are written on, one by one as they arrive. */
export interface Sheet {
  /** Settles once the row was written, or is kept for its turn. */
  add(question: Question, row: Row): Promise<void>;
  /** Told that the question has no more rows; settles once all of them were written. */
  finish(question: Question): Promise<void>;
  /** Writes what is still kept, and whatever ends the sheet; the summary only where people read it. */
  end(summary: string): Promise<void>;
}
