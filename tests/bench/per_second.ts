import { median } from "./median.ts";

/** The median of rates, with its unit. */
export function perSecond(samples: readonly number[]): string {
  return `${Math.round(median(samples)).toLocaleString("en")}/s`;
}
