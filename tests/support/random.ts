/** Random choices that a seed repeats. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** A number from `low` up to, but not including, `high`. */
  between(low: number, high: number): number;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
}

/** Creates random choices from a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick<T>(list: readonly T[]): T {
      const item = list[Math.floor(next() * list.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
  };
}
