/** What an answer's time went to, as the header Server-Timing (W3C). No name is in it. */
import type { Spent } from "../flow/flight.ts";

/** The parts of a look-up's time, in the order in which it spends them. */
const PARTS = ["dns", "gate", "rdap", "trust"] as const;

/**
 * The header of an answer by the sources of its rows. The parts of one look-up are given; those of several ran side by
 * side, so that of them only the number of cache hits means something.
 */
export function serverTiming(
  sources: readonly string[],
  { spent, totalMs }: { spent: Spent | undefined; totalMs: number },
): string {
  if (sources.length === 1 && sources[0]!.endsWith("+cache")) {
    return `cache;desc=hit, total;dur=${totalMs}`;
  }
  const hits = sources.filter((source) => source.endsWith("+cache")).length;
  const total = `total;dur=${totalMs}`;
  if (sources.length !== 1) return `cache;desc="${hits} of ${sources.length}", ${total}`;
  const durations = PARTS.flatMap((part) => {
    const ms = spent?.[part] ?? 0;
    return ms === 0 ? [] : [`${part};dur=${ms.toFixed(1)}`];
  });
  return ["cache;desc=miss", ...durations, total].join(", ");
}
