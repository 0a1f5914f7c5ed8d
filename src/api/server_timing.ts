/** The Server-Timing header (W3C): how the time of an answer was spent. It contains no checked name. */
import type { Spent } from "../flow/cache/flight.ts";

/** The parts of a look-up's time, in their order. */
const PARTS = ["dns", "gate", "rdap", "trust"] as const;

/**
 * The header of an answer, by the sources of its rows: the parts of a single look-up; for several, which ran in parallel,
 * only the number of cache hits.
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
