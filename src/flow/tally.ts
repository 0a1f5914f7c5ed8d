/** Counts frequent names in bounded memory. */
export interface Tally {
  /** Counts an occurrence; after many, only a sample. */
  count(name: string): void;
  /** Returns all counts and resets them. */
  take(): Map<string, number>;
  /** Adds back counts that could not be stored. */
  putBack(counts: ReadonlyMap<string, number>): void;
  readonly size: number;
}

/** Occurrences counted exactly until the next `take`. */
const EXACT = 4_096;
/** After that, one in 16 is counted, as 16. */
const SAMPLE = 16;

/**
 * Creates a tally of at most `max` names. When it is full, the less frequent half is dropped: frequent names stay, however
 * many names occur once.
 */
export function createTally(
  { max, random }: { max: number; random: () => number },
): Tally {
  let counts = new Map<string, number>();
  let seen = 0;

  function add(name: string, count: number): void {
    counts.set(name, (counts.get(name) ?? 0) + count);
    if (counts.size <= max) return;
    const frequent = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, max / 2);
    counts = new Map(frequent);
  }

  return {
    count(name) {
      if (seen < EXACT) {
        seen++;
        add(name, 1);
      } else if (random() * SAMPLE < 1) add(name, SAMPLE);
    },
    take() {
      const taken = counts;
      counts = new Map();
      seen = 0;
      return taken;
    },
    putBack(taken) {
      for (const [name, count] of taken) add(name, count);
    },
    get size() {
      return counts.size;
    },
  };
}
