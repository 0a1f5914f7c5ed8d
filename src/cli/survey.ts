/** A look at all questions before the first is asked. */
import type { Question } from "./question.ts";

/** How much is to come, and how wide it is. */
export interface Survey {
  /** Domains to check; undefined where a list can be read only once. */
  total: number | undefined;
  /** Of the longest domain that has a line of its own. */
  width: number;
}

/** Wide enough for most names, where nobody can tell. */
export const UNSURVEYED: Survey = { total: undefined, width: 24 };

/** Counts and measures the questions; gives up once `stop` is aborted. */
export async function survey(
  questions: AsyncIterable<Question>,
  stop: AbortSignal,
): Promise<Survey> {
  let total = 0;
  let width = 0;
  for await (const { label, tlds } of questions) {
    if (stop.aborted) return UNSURVEYED;
    total += tlds.length;
    const [tld = ""] = tlds;
    if (tlds.length === 1) width = Math.max(width, label.length + 1 + tld.length);
  }
  return { total, width };
}
