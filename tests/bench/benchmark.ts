/** How benchmarks measure in rounds, the statistics of their samples, and how rows are printed. */
import { until } from "../support/until.ts";

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

/** Prints what was measured, with units, and the median of the rounds' ratios with its range. */
export function printRow(
  what: string,
  measured: Readonly<Record<string, string>>,
  ratios: readonly number[],
): void {
  const numbers = Object.entries(measured).map(([side, number]) => `${side} ${number}`);
  const found = [median(ratios), Math.min(...ratios), Math.max(...ratios)];
  const [middle = "", least = "", most = ""] = found.map((ratio) => ratio.toFixed(2));
  print(`  ${what}\n    ${numbers.join("  ")}  ratio ${middle} [${least}–${most}]`);
}

/** Prints a line. */
export function print(line: string): void {
  // deno-lint-ignore no-console -- a benchmark prints its results
  console.log(line);
}

/** The middle of the samples, or the mean of the two in the middle. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return middle.reduce((sum, sample) => sum + sample, 0) / middle.length;
}

/** Settles once the service says that every TLD's registry has passed its test. */
export async function canariesPassed({ url }: { url: string }): Promise<void> {
  await until("every registry has passed its test", async () => {
    const response = await fetch(`${url}/health`);
    return (await response.json()).canaries?.length === 0;
  }, 1_500);
}
