/**
 * What processes share of the hosts of upstreams: `["host", name]` → the times until which its limits are spent, changed by
 * compare-and-set; and `["pauses"]` → until when each host pauses and is slowed, one value, so that a check of all TLDs reads
 * it once. All times are in ms since 1970.
 */
import { startAlarm } from "../flow/deadline.ts";
import type { Clock } from "../flow/process.ts";
import { createPolledCopy } from "../flow/cache/memory.ts";
import type { PauseFault } from "../flow/host_state.ts";
import type { SharedHosts } from "../flow/upstream_host.ts";
import { changeEntry, type GuardedKv, type KnownEntry } from "./guarded_kv.ts";
import type { Kv } from "./open_kv.ts";

type Spent = readonly number[];

/** A change of what is spent that waits for its commit. */
interface Spending {
  readonly host: string;
  readonly next: (spent: Spent | undefined) => Spent;
  settle(isDone: boolean): void;
}

/** A host that pauses or is slowed. */
interface Troubled {
  readonly fault: PauseFault;
  readonly notedAt: number;
  readonly pausedUntil: number;
  readonly slowUntil: number;
}

type AllTroubled = Readonly<Record<string, Troubled>>;

const PAUSES: Deno.KvKey = ["pauses"];
/** How long a read is good for: the longest time for which a pause of another process is not known here. */
const FRESH_MS = 3_000;
/** What was noted later than this after now was noted before a clock was set back, and could last as long as it was. */
const LARGEST_SKEW_MS = 60_000;
/** Longer than any limit is spent ahead: the longest interval is a quarter of an hour, and its burst a day. */
const LIFETIME_MS = 25 * 3_600_000;
/**
 * How long a change waits for others, to go into one commit with them: the DNS answers of one check arrive that close
 * together, and each is followed by a question to a registry.
 */
const TOGETHER_MS = 10;
/** The longest pause after a conflict: the commit may have taken long because the process stood still. */
const LONGEST_PAUSE_MS = 1_000;
/** KV takes ten checks in a commit and ten keys in a read: Deno Deploy's limits. */
const LARGEST_COMMIT = 10;

/** Creates them over KV. */
export function createSharedHosts(kv: GuardedKv, { now, monotonic }: Clock): SharedHosts {
  /** Entries as this process has read or written them, until a commit conflicts. */
  const entries = new Map<string, KnownEntry<Spent>>();
  let batch: Spending[] = [];
  let known: KnownEntry<AllTroubled> | undefined;
  const copy = createPolledCopy(readPauses, { maxAgeMs: FRESH_MS, now: monotonic });

  function commitBatch(): void {
    const changes = batch;
    batch = [];
    if (changes.length > 0) void commit(changes);
  }

  /**
   * Commits the changes. After a conflict they are tried again together, which costs one write unit; after the next each by itself,
   * so that a host which no other process asks does not wait for those that conflict. Each time as an operation of its own,
   * because several tries would use up the deadline of one, as a KV that hangs does. The pause is of random length, or the same
   * processes would collide again.
   */
  async function commit(changes: readonly Spending[], isAgain = false): Promise<void> {
    const startedAt = monotonic();
    const isDone = await kv.attempt((kv) => tryToCommit(kv, changes));
    if (isDone === false) {
      // Ends, because each conflict is another process's success.
      const mostMs = Math.min(monotonic() - startedAt, LONGEST_PAUSE_MS);
      const groups = isAgain ? changes.map((change) => [change]) : [changes];
      for (const group of groups) {
        startAlarm(() => commit(group, true), TOGETHER_MS + Math.random() * mostMs);
      }
    } else {
      for (const { settle } of changes) settle(isDone === true);
    }
  }

  /** False on a conflict. */
  async function tryToCommit(kv: Kv, changes: readonly Spending[]): Promise<boolean> {
    const byHost = Map.groupBy(changes, ({ host }) => host);
    const unread = [...byHost.keys()].filter((host) => !entries.has(host));
    const read = unread.length === 0 ? [] : await kv.getMany<Spent[]>(unread.map(keyOf));
    unread.forEach((host, n) => entries.set(host, read[n]!));
    const operation = kv.atomic();
    const values = new Map<string, Spent>();
    for (const [host, ofHost] of byHost) {
      // Another commit may have conflicted meanwhile: then this one does, and reads it.
      const { versionstamp = null, value: stored } = entries.get(host) ?? {};
      const isTimes = Array.isArray(stored) && stored.every(Number.isFinite);
      let value: Spent | undefined = isTimes ? stored : undefined;
      for (const { next } of ofHost) value = next(value);
      const key = keyOf(host);
      operation.check({ key, versionstamp }).set(key, value, { expireIn: LIFETIME_MS });
      values.set(host, value ?? []);
    }
    const result = await operation.commit();
    for (const [host, value] of values) {
      if (result.ok) entries.set(host, { value, versionstamp: result.versionstamp });
      else entries.delete(host);
    }
    return result.ok;
  }

  async function readPauses(): Promise<void> {
    const before = known;
    // A replica that is behind would break the bound of three seconds, so this read is a strong one.
    const entry = await kv.attempt((kv) => kv.get<AllTroubled>(PAUSES));
    // An entry that this process has written meanwhile is newer.
    if (entry !== undefined && known === before) known = entry;
  }

  const leftOf = (until: number): number => Math.max(0, until - now());

  const isPast = ({ notedAt }: Troubled): boolean => notedAt <= now() + LARGEST_SKEW_MS;

  function troubledOf(all: AllTroubled, host: string): Troubled | undefined {
    const troubled = Object.hasOwn(all, host) ? all[host] : undefined;
    return troubled !== undefined && isPast(troubled) ? troubled : undefined;
  }

  return {
    spend(host, next) {
      const { promise, resolve: settle } = Promise.withResolvers<boolean>();
      batch.push({ host, next, settle });
      if (batch.length === 1) startAlarm(commitBatch, TOGETHER_MS);
      if (batch.length === LARGEST_COMMIT) commitBatch();
      return promise;
    },
    async stateOf(host) {
      await copy.refresh();
      const troubled = troubledOf(known?.value ?? {}, host);
      if (troubled === undefined) return undefined;
      const pauseMs = leftOf(troubled.pausedUntil);
      const slowMs = leftOf(troubled.slowUntil);
      return pauseMs + slowMs > 0 ? { fault: troubled.fault, pauseMs, slowMs } : undefined;
    },
    async note(host, { fault, pauseMs, slowMs }) {
      // Not when KV takes it.
      const at = now();
      const isOver = ({ pausedUntil, slowUntil }: Troubled) =>
        leftOf(pausedUntil) + leftOf(slowUntil) === 0;
      const next = (all: AllTroubled = {}): AllTroubled => {
        const before = troubledOf(all, host);
        const { pausedUntil = 0, slowUntil = 0 } = before ?? {};
        const isLonger = at + pauseMs > pausedUntil;
        const troubled = {
          fault: isLonger || before === undefined ? fault : before.fault,
          notedAt: at,
          pausedUntil: Math.max(at + pauseMs, pausedUntil),
          slowUntil: Math.max(at + slowMs, slowUntil),
        };
        const others = Object.entries(all).filter(([, one]) => !isOver(one) && isPast(one));
        return { ...Object.fromEntries(others), [host]: troubled };
      };
      known = await changeEntry(kv, PAUSES, { next, known }) ?? known;
    },
  };
}

function keyOf(host: string): Deno.KvKey {
  return ["host", host];
}
