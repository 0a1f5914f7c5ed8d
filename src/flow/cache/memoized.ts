import { createBoundedMap } from "./bounded_map.ts";

/** In characters. The result of a longer text is not kept: clients could fill the memory with such texts. */
const LONGEST_TEXT = 256;

/**
 * Wraps a pure function of a text so that it keeps its results, of at least the `max / 2` texts used last. Errors are not
 * kept. All callers get the same result, so none may change it.
 */
export function memoized<Result extends object | string | boolean>(
  read: (text: string) => Result,
  max: number,
): (text: string) => Result {
  const results = createBoundedMap<Result>(max);
  return (text) => {
    const kept = results.get(text);
    if (kept !== undefined) return kept;
    const result = read(text);
    if (text.length <= LONGEST_TEXT) results.set(text, result);
    return result;
  };
}
