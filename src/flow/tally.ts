/** Counts of what occurs often, in bounded memory. */
export interface Tally {
  /** Counts an occurrence, or lets one that is counted stand for many when there are many. */
  count(name: string): void;
  /** Takes all counts out. */
  take(): Map<string, number>;
  /** Puts counts back that could not be used. */
  putBack(counts: ReadonlyMap<string, number>): void;
  readonly size: number;
}

/** Occurrences until `take` that are counted one by one. */
const EXACT = 4_096;
/** Beyond them one in so many is counted, for that many. */
const SAMPLE = 16;

/**
 * Creates a tally of at most `max` names. When it is full, the half that occurred least is dropped: what is frequent
 * stays, however many there are that occur once.
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
