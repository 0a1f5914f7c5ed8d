import type { Pace } from "../../src/rules/tables/hosts.ts";

/**
 * By how many the starts (ms) exceed a pace: in any time W it allows burst + W / everyMs. 0 or less where they keep it.
 */
export function overPace(
  starts: readonly number[],
  { burst, everyMs }: Pick<Pace, "burst" | "everyMs">,
): number {
  const sorted = starts.toSorted((a, b) => a - b);
  let most = -Infinity;
  for (const [last, end] of sorted.entries()) {
    for (const [first, start] of sorted.slice(0, last + 1).entries()) {
      most = Math.max(most, last - first + 1 - burst - (end - start) / everyMs);
    }
  }
  return most;
}
