import type { Benchmark, Row } from "./benchmark.ts";
import { median } from "./median.ts";

/** Prints what the next rows are about. */
export function printTitle({ name, about }: Benchmark): void {
  print(`\n${name}: ${about}`);
}

/** Prints a row: what, the medians, the ratio with its range, and the target beside it. */
export function printRow({ what, measured, ratios, target }: Row): void {
  const numbers = Object.entries(measured).map(([side, number]) => `${side} ${number}`);
  if (ratios !== undefined) numbers.push(`ratio ${inWords(ratios)}`);
  const aim = target === undefined ? "" : `  (target ${target})`;
  print(`  ${what}\n    ${numbers.join("  ")}${aim}`);
}

function inWords(ratios: readonly number[]): string {
  const [middle, least, most] = [median(ratios), Math.min(...ratios), Math.max(...ratios)];
  return `${middle.toFixed(2)} [${least.toFixed(2)}–${most.toFixed(2)}]`;
}

/** Prints a line. */
export function print(line: string): void {
  // deno-lint-ignore no-console -- a benchmark is there to print
  console.log(line);
}
