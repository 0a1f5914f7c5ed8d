/** Which names people ask for: counted where they ask, and put together in KV now and then. */
import { type Alarm, startAlarm } from "../flow/alarm.ts";
import type { Report } from "../flow/report.ts";
import { createTally } from "../flow/tally.ts";
import type { NameKind } from "../rules/popularity.ts";

/** The count of what people ask for. */
export interface PopularCounter {
  /** Counts that somebody asked for a name. */
  count(kind: NameKind, name: string): void;
  /** At most `max` names that are worth being kept warm, the most popular first. */
  top(kind: NameKind, max: number): Promise<string[]>;
  /** Writes down what was counted. */
  flush(): Promise<void>;
  /** Writes it down for the last time. */
  stop(): Promise<void>;
}

/** Where popular names are kept. */
export interface CountStore {
  top(kind: NameKind, max: number): Promise<string[]>;
  add(kind: NameKind, counts: ReadonlyMap<string, number>): Promise<boolean>;
}

/** What a crash may cost, and all that counting costs KV: one commit in this time, and none while nobody asks. */
const FLUSH_MS = 60_000;
/** Some hundred KB. */
const MAX_COUNTED = 2_048;
const KINDS: readonly NameKind[] = ["domain", "ens"];

/** Creates the count. */
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
  let alarm: Alarm | undefined;
  let flushing: Promise<void> | undefined;
  let stopped = false;

  async function write(): Promise<void> {
    alarm?.stop();
    alarm = undefined;
    for (const kind of KINDS) {
      const counts = tallies[kind].take();
      if (counts.size === 0) continue;
      if (!await add(kind, counts)) tallies[kind].putBack(counts);
    }
  }

  /** Never rejects: an alarm has nobody to tell, and a count is not worth a process. */
  async function add(kind: NameKind, counts: ReadonlyMap<string, number>): Promise<boolean> {
    try {
      return await store.add(kind, counts);
    } catch (error) {
      reportFault("popular.failed", { error: `${error}` });
      return false;
    }
  }

  function flush(): Promise<void> {
    return flushing ??= write().finally(() => flushing = undefined);
  }

  return {
    count(kind, name) {
      tallies[kind].count(name);
      if (alarm === undefined && !stopped) alarm = startAlarm(flush, FLUSH_MS);
    },
    top: store.top,
    flush,
    async stop() {
      stopped = true;
      alarm?.stop();
      await flushing;
      await flush();
    },
  };
}
