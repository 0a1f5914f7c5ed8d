/** Random choices that a seed repeats. */
export type Random = ReturnType<typeof createRandom>;

/** Creates random choices from a seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** A number from 0 up to, but not including, 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    /** A number from `low` up to, but not including, `high`. */
    between: (low: number, high: number) => low + next() * (high - low),
    /** One of a list that is not empty. */
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
  };
}
