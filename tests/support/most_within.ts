/** The most of the times (ms) that lie in any `ms`. */
export function mostWithin(times: readonly number[], ms: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  let first = 0;
  let most = 0;
  for (const [last, time] of sorted.entries()) {
    while (time - (sorted[first] ?? time) >= ms) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
