/** Statistics of measured samples. */

/** The middle of the samples, or the mean of the two in the middle. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return middle.reduce((sum, sample) => sum + sample, 0) / middle.length;
}

/** `a / b`, round by round: a slow moment of the machine slows both sides of its round. */
export function pairedRatios(a: readonly number[], b: readonly number[]): number[] {
  return a.map((sample, round) => sample / (b[round] ?? NaN));
}

/** The median of times, as text. */
export function medianMs(samples: readonly number[]): string {
  return `${Math.round(median(samples))} ms`;
}

/** The median of rates, as text. */
export function perSecond(samples: readonly number[]): string {
  return `${Math.round(median(samples)).toLocaleString("en")}/s`;
}
