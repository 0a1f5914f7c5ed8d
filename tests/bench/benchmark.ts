/** What a benchmark is, how it measures in rounds, the statistics of its samples, and how its rows are printed. */
import { until } from "../support/until.ts";

/** A measurement beside what it is compared with. */
export interface Row {
  what: string;
  /** The measured values with their units; medians where there were several rounds. */
  measured: Readonly<Record<string, string>>;
  /** Each round's. */
  ratios?: readonly number[];
}

/** A benchmark; it yields each row once it is measured. */
export interface Benchmark {
  name: string;
  about: string;
  rows(): AsyncIterable<Row>;
}

/**
 * Measures every side once in each round, so that a slow moment of the machine slows all sides. A first round, which is
 * not counted, fills caches and wakes compilers.
 */
export async function interleave<Side extends string>(
  sides: Readonly<Record<Side, () => Promise<number>>>,
  rounds: number,
): Promise<Record<Side, number[]>> {
  const samples = {} as Record<Side, number[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name in sides) {
      const sample = await sides[name]();
      if (round > 0) (samples[name] ??= []).push(sample);
    }
  }
  return samples;
}

/** Prints a row: what was measured, the medians, and the ratio with its range. */
export function printRow({ what, measured, ratios }: Row): void {
  const numbers = Object.entries(measured).map(([side, number]) => `${side} ${number}`);
  if (ratios !== undefined) numbers.push(`ratio ${withRange(ratios)}`);
  print(`  ${what}\n    ${numbers.join("  ")}`);
}

function withRange(ratios: readonly number[]): string {
  const [middle, least, most] = [median(ratios), Math.min(...ratios), Math.max(...ratios)];
  return `${middle.toFixed(2)} [${least.toFixed(2)}–${most.toFixed(2)}]`;
}

/** Prints a line. */
export function print(line: string): void {
  // deno-lint-ignore no-console -- a benchmark prints its results
  console.log(line);
}

/** The middle of the samples, or the mean of the two in the middle. */
function median(samples: readonly number[]): number {
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

/** Settles once the service says that every TLD's registry has passed its test. */
export async function canariesPassed({ url }: { url: string }): Promise<void> {
  await until("every registry has passed its test", async () => {
    const response = await fetch(`${url}/health`);
    return (await response.json()).canaries?.length === 0;
  }, 1_500);
}
