/** The names in a list: one a line, blank lines and what follows a # left out. */
import { lines } from "../flow/lines.ts";

/** A name as it stands in a list, and in which line. */
export interface Entry {
  text: string;
  line: number;
}

/** No name is as long; a line that is needs no more than this to be refused. */
const LONGEST_LINE = 1_000;

/** Yields the names of a list. */
export async function* readEntries(list: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  let line = 0;
  for await (const whole of lines(list, { most: LONGEST_LINE })) {
    line++;
    const text = whole.replace(/#.*/, "").trim();
    if (text !== "") yield { text, line };
  }
}
