/** Counts the names that clients ask for, and writes the counts to KV once a minute. */
import { hash } from "node:crypto";
import type { Waiter } from "../flow/cache/flight.ts";
import { createBoundedMap, memoized } from "../flow/cache/memory.ts";
import { type Alarm, startAlarm } from "../flow/deadline.ts";
import type { Report } from "../flow/report.ts";
import type { NameKind } from "../rules/popularity.ts";

/** A crash loses the counts of this time. It costs KV one commit, and none without requests. */
const FLUSH_MS = 60_000;
/** Some hundred KB. */
const MAX_COUNTED = 2_048;
/** Names whose networks are remembered: some MB. */
const MAX_ASKED = 10_000;
/** Networks whose numbers are memoized: hashing takes a twentieth of the time of a cached answer (measured). */
const MAX_SITES = 4_000;
const KINDS: readonly NameKind[] = ["domain", "ens"];

/** Creates the counter. */
export function createPopularCounter(
  { store, reportFault, now }: {
    store: {
      top(kind: NameKind, max: number): Promise<string[]>;
      add(kind: NameKind, counts: ReadonlyMap<string, number>): Promise<boolean>;
    };
    reportFault: Report;
    now: () => number;
  },
) {
  const tallies = { domain: createTally(MAX_COUNTED), ens: createTally(MAX_COUNTED) };
  const demand = createDemand({ max: MAX_ASKED, now });
  // Networks are kept as numbers that only this process can compute, and never stored.
  const secret = crypto.randomUUID();
  const numberOf = memoized((site) => hash("sha256", secret + site).slice(0, 12), MAX_SITES);
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
    /** Counts one request of a client for names; without a client's network, nothing. */
    count(kind: NameKind, names: Iterable<string>, waiter: Pick<Waiter, "site"> | undefined) {
      if (waiter?.site === undefined) return;
      const network = parseInt(numberOf(waiter.site), 16);
      for (const name of names) {
        const count = demand(`${kind} ${name}`, network);
        if (count === 0) continue;
        tallies[kind].count(name, count);
        soon();
      }
    },
    /** At most `max` popular names, the most popular first. */
    top: store.top,
    /** Writes the counts to KV. */
    flush,
    /** Writes the counts for the last time. */
    stop,
  };
}

/** How much a request for a name from a network counts. */
type Demand = (name: string, network: number) => number;

const HOUR_MS = 3_600_000;
/** How many hours a network's request is remembered. */
const REMEMBERED_HOURS = 24;
/**
 * A name counts once networks as different as a home, an office and a mobile line have asked for it within a day: one
 * stranger with any number of addresses in a /24 or /48 cannot choose what the service asks registries.
 */
const LEAST_NETWORKS = 3;
/** Of one name. If more ask within an hour, the first of them may count again. */
const MAX_NETWORKS = 8;

/**
 * Creates the rule: a name counts once a network and hour, and not until three networks have asked for it; then for each
 * of them. It remembers `max` names at most: one that is forgotten needs three networks again. Each process counts for
 * itself, as no other can recognise its networks.
 */
export function createDemand({ max, now }: { max: number; now: () => number }): Demand {
  const asked = createBoundedMap<Map<number, number>>(max);
  return (name, network) => {
    const hour = Math.floor(now() / HOUR_MS);
    const hours = asked.get(name) ?? new Map<number, number>();
    if (hours.get(network) === hour) return 0;
    for (const [other, at] of hours) {
      if (at <= hour - REMEMBERED_HOURS) hours.delete(other);
    }
    const isKnown = hours.delete(network);
    const [oldest] = hours.keys();
    if (oldest !== undefined && hours.size === MAX_NETWORKS) hours.delete(oldest);
    hours.set(network, hour);
    asked.set(name, hours);
    if (hours.size < LEAST_NETWORKS) return 0;
    return hours.size === LEAST_NETWORKS && !isKnown ? LEAST_NETWORKS : 1;
  };
}

/** Counts frequent names in bounded memory. */
export interface Tally {
  /** Counts occurrences; one if absent. */
  count(name: string, times?: number): void;
  /** Returns all counts and resets them. */
  take(): Map<string, number>;
  /** Adds back counts that could not be stored. */
  putBack(counts: ReadonlyMap<string, number>): void;
}

/**
 * Creates a tally of at most `max` names. When it is full, the less frequent half is dropped: frequent names stay, however
 * many names occur once.
 */
export function createTally(max: number): Tally {
  let counts = new Map<string, number>();

  function count(name: string, times = 1): void {
    counts.set(name, (counts.get(name) ?? 0) + times);
    if (counts.size <= max) return;
    const frequent = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, max / 2);
    counts = new Map(frequent);
  }

  return {
    count,
    take() {
      const taken = counts;
      counts = new Map();
      return taken;
    },
    putBack(taken) {
      for (const [name, times] of taken) count(name, times);
    },
  };
}

/** Creates a flusher of `write`, which must not reject: a rejection in the alarm would end the process. */
export function createFlusher(write: () => Promise<void>, everyMs: number) {
  let alarm: Alarm | undefined;
  let flushing: Promise<void> | undefined;
  let stopped = false;

  function flush(): Promise<void> {
    alarm?.stop();
    alarm = undefined;
    return flushing ??= write().finally(() => flushing = undefined);
  }

  return {
    /** Writes once the interval is over. */
    soon() {
      if (alarm === undefined && !stopped) alarm = startAlarm(flush, everyMs);
    },
    /** Writes now; a write that is under way is joined. */
    flush,
    /** Writes for the last time. */
    async stop() {
      stopped = true;
      alarm?.stop();
      await flushing;
      await flush();
    },
  };
}
