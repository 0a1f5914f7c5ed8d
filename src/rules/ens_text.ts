/** Sanitises text from the chain, which anyone can write. */

/** Tabs and line ends, which separate words. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Control and bidi characters, which a terminal or a page would obey. */
const COMMANDS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Longer than any honest record; six of them still fit into one KV value. */
const MAX_BYTES = 4_096;

/** The text without control and bidi characters, at most 4 KiB of it in UTF-8. */
export function harmlessText(text: string): string {
  // Cut first, so that a text of a megabyte is not searched as a whole; the rest is enough for 4 KiB.
  const clean = text.slice(0, 2 * MAX_BYTES).replace(BREAKS, " ").replace(COMMANDS, "")
    .toWellFormed();
  const bytes = new Uint8Array(MAX_BYTES);
  const { read } = new TextEncoder().encodeInto(clean, bytes);
  return clean.slice(0, read);
}
