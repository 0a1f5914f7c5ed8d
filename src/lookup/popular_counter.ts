/** Counts the names that clients ask for, and writes the counts to KV once a minute. */
import type { Waiter } from "../flow/cache/flight.ts";
import { createDailySets } from "../flow/cache/memory.ts";
import { type Alarm, startAlarm } from "../flow/deadline.ts";
import type { NameKind } from "../rules/popularity.ts";

/** A crash loses the counts of this time. It costs KV one commit, and none without requests. */
const FLUSH_MS = 60_000;
/** Some hundred KB. Further names are not counted until these are in KV. */
const MAX_COUNTED = 2_048;
/** Names whose networks are remembered: some MB. */
const MAX_ASKED = 10_000;
const KINDS: readonly NameKind[] = ["domain", "ens"];

/** Creates the counter. */
export function createPopularCounter(
  { store, flushMs = FLUSH_MS, now }: {
    store: {
      top(kind: NameKind, max: number): Promise<string[]>;
      /** Must not reject: in the alarm that would end the process. */
      add(kind: NameKind, counts: ReadonlyMap<string, number>): Promise<boolean>;
    };
    /** Tests shorten it. */
    flushMs?: number;
    now: () => number;
  },
) {
  /** What KV does not have yet. */
  const counted = { domain: new Map<string, number>(), ens: new Map<string, number>() };
  const demand = createDemand({ max: MAX_ASKED, now });
  let alarm: Alarm | undefined;
  let writing: Promise<void> | undefined;

  function add(kind: NameKind, name: string, times: number): void {
    const counts = counted[kind];
    const before = counts.get(name) ?? 0;
    if (before > 0 || counts.size < MAX_COUNTED) counts.set(name, before + times);
  }

  async function write(): Promise<void> {
    for (const kind of KINDS) {
      const counts = counted[kind];
      if (counts.size === 0) continue;
      counted[kind] = new Map();
      if (await store.add(kind, counts)) continue;
      for (const [name, times] of counts) add(kind, name, times);
    }
  }

  /** Writes the counts to KV; a write that is under way is joined. */
  function flush(): Promise<void> {
    alarm?.stop();
    alarm = undefined;
    return writing ??= write().finally(() => writing = undefined);
  }

  return {
    /** Counts one request of a client for names; clients whose network is not known are one network. */
    count(kind: NameKind, names: Iterable<string>, waiter: Pick<Waiter, "site"> | undefined) {
      for (const name of names) {
        const times = demand(`${kind} ${name}`, waiter?.site ?? "");
        if (times === 0) continue;
        add(kind, name, times);
        alarm ??= startAlarm(flush, flushMs);
      }
    },
    /** At most `max` popular names, the most popular first. */
    top: store.top,
    flush,
    /** Writes the counts for the last time. */
    async stop() {
      await writing;
      await flush();
    },
  };
}

/**
 * A name counts once networks as different as a home, an office and a mobile line have asked for it on one day: one
 * stranger with any number of addresses in a /24 or /48 cannot choose what the service asks registries.
 */
const LEAST_NETWORKS = 3;
/** Of one name. If more ask on a day, the first of them may count again. */
const MAX_NETWORKS = 8;

/**
 * Creates the rule: a name counts once a network and day, and not until three networks have asked for it; then for each
 * of them. It remembers `max` names at most: one that is forgotten needs three networks again. Each process counts for
 * itself: networks are never stored.
 */
export function createDemand(bounds: { max: number; now: () => number }) {
  const networksOf = createDailySets(bounds);
  /** How much a request for a name from a network counts. */
  return (name: string, network: string): number => {
    const networks = networksOf(name);
    if (networks.has(network)) return 0;
    const [oldest = ""] = networks;
    if (networks.size === MAX_NETWORKS) networks.delete(oldest);
    networks.add(network);
    if (networks.size < LEAST_NETWORKS) return 0;
    return networks.size === LEAST_NETWORKS ? LEAST_NETWORKS : 1;
  };
}
