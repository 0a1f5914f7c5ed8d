import { median } from "./median.ts";

/** The median of times, to be printed. */
export function medianMs(samples: readonly number[]): string {
  return `${Math.round(median(samples))} ms`;
}
