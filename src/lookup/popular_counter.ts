/** Counts the names that clients ask for, and writes the counts to KV once a minute. */
import { createFlusher } from "../flow/flusher.ts";
import type { Report } from "../flow/report.ts";
import { createTally } from "../flow/tally.ts";
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
