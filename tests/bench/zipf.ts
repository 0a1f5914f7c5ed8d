/**
 * Draws ranks from 0 to `count - 1` as people ask for names: the second half as often as the first, the third a third
 * as often. The same seed draws the same.
 */
export function* zipf(count: number, seed = 1): Generator<number> {
  const sums: number[] = [];
  for (let rank = 1, sum = 0; rank <= count; rank++) sums.push(sum += 1 / rank);
  const total = sums.at(-1) ?? 0;
  for (let state = seed;;) {
    // Park and Miller's generator: nothing here needs a better one.
    state = state * 48_271 % 2_147_483_647;
    const drawn = state / 2_147_483_647 * total;
    yield sums.findIndex((sum) => drawn < sum);
  }
}
