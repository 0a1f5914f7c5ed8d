import type { HostPolicy } from "../../src/rules/host_policies.ts";

/** When the last question is answered, of those that are ready to be asked at these times. */
export function lastAnswerMs(
  readyMs: readonly number[],
  latencyMs: number,
  { concurrency, burst, everyMs }: HostPolicy,
): number {
  const starts: number[] = [];
  let spentUntil = 0;
  for (const ready of readyMs.toSorted((a, b) => a - b)) {
    const before = starts[starts.length - concurrency];
    const placeAt = before === undefined ? 0 : before + latencyMs;
    const start = Math.max(ready, placeAt, spentUntil - (burst - 1) * everyMs);
    spentUntil = Math.max(spentUntil, start) + everyMs;
    starts.push(start);
  }
  return Math.max(0, ...starts.map((start) => start + latencyMs));
}
