/** Random choices that a seed repeats. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** A number from `low` up to, but not including, `high`. */
  between(low: number, high: number): number;
  /** Whether an event of this probability takes place. */
  chance(probability: number): boolean;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** All of a list, in random order (Fisher-Yates). */
  shuffled<T>(list: readonly T[]): T[];
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
    chance: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      const item = list[Math.floor(next() * list.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    shuffled<T>(list: readonly T[]): T[] {
      const items = [...list];
      for (let last = items.length - 1; last > 0; last--) {
        const place = Math.floor(next() * (last + 1));
        [items[last], items[place]] = [items[place] as T, items[last] as T];
      }
      return items;
    },
  };
}

/** A number from 0 to 2^32 - 1 that depends on the text only (FNV-1a). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place++) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  return hash >>> 0;
}
