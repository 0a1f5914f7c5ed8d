/** Statistics of measured samples, and Zipf's distribution. */

/** The middle of the samples, or the mean of the two in the middle. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return middle.reduce((sum, sample) => sum + sample, 0) / middle.length;
}

/** The sample below which a share of all samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
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

/**
 * Draws ranks from 0 to `count - 1` by Zipf's law: the second half as often as the first, the third a third as often.
 * The same seed draws the same ranks.
 */
export function* zipf(count: number, seed = 1): Generator<number> {
  const sums: number[] = [];
  for (let rank = 1, sum = 0; rank <= count; rank++) sums.push(sum += 1 / rank);
  const total = sums.at(-1) ?? 0;
  for (let state = seed;;) {
    // Park and Miller's generator is good enough here.
    state = state * 48_271 % 2_147_483_647;
    const drawn = state / 2_147_483_647 * total;
    yield sums.findIndex((sum) => drawn < sum);
  }
}

/** Jain's index of fairness: 1 where all samples are equal, 1 / n where one has all. */
export function jain(samples: readonly number[]): number {
  const sum = samples.reduce((sum, sample) => sum + sample, 0);
  const squares = samples.reduce((sum, sample) => sum + sample ** 2, 0);
  return sum ** 2 / (samples.length * squares);
}
