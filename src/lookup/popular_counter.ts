/** Counts the names that clients ask for, and writes the counts to KV once a minute. */
import { createFlusher } from "./flusher.ts";
import type { Report } from "../flow/report.ts";
import type { NameKind } from "../rules/popularity.ts";

/** Counts the names that clients ask for. */
export interface PopularCounter {
  /** Counts one request for a name. */
  count(kind: NameKind, name: string): void;
  /** At most `max` popular names, the most popular first. */
  top(kind: NameKind, max: number): Promise<string[]>;
  /** Writes the counts to KV. */
  flush(): Promise<void>;
  /** Writes the counts for the last time. */
  stop(): Promise<void>;
}

/** The store of the counts. */
export interface CountStore {
  top(kind: NameKind, max: number): Promise<string[]>;
  add(kind: NameKind, counts: ReadonlyMap<string, number>): Promise<boolean>;
}

/** A crash loses the counts of this time. It costs KV one commit, and none without requests. */
const FLUSH_MS = 60_000;
/** Some hundred KB. */
const MAX_COUNTED = 2_048;
const KINDS: readonly NameKind[] = ["domain", "ens"];

/** Creates the counter. */
export function createPopularCounter(
  { store, reportFault }: {
    store: CountStore;
    reportFault: Report;
  },
): PopularCounter {
  const tallies = {
    domain: createTally({ max: MAX_COUNTED, random: Math.random }),
    ens: createTally({ max: MAX_COUNTED, random: Math.random }),
  };
  const { soon, flush, stop } = createFlusher(write, FLUSH_MS);

  async function write(): Promise<void> {
    for (const kind of KINDS) {
      const counts = tallies[kind].take();
      if (counts.size === 0) continue;
      if (!await add(kind, counts)) tallies[kind].putBack(counts);
    }
  }

  /** Never rejects, as the flusher requires. */
  async function add(kind: NameKind, counts: ReadonlyMap<string, number>): Promise<boolean> {
    try {
      return await store.add(kind, counts);
    } catch (error) {
      reportFault("popular.failed", { error: `${error}` });
      return false;
    }
  }

  return {
    count(kind, name) {
      tallies[kind].count(name);
      soon();
    },
    top: store.top,
    flush,
    stop,
  };
}

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
