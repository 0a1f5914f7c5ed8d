/**
 * The logs of watched names: `["watch", domain]` → the steps that were seen, and when a feed with the name was last read, by
 * the hour, so that the names of feeds that are read can be kept warm. Nothing about the readers.
 */
import { type Change, type Observation, withObservation } from "../rules/watch_log.ts";
import { changeEntry } from "./stored_value.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** The log of a name. */
interface WatchLog {
  readonly changes: readonly Change[];
  /** In ms since 1970. */
  readonly readAt: number;
}

/** One KiB each; a run of the job that keeps them warm reads all. */
export const MAX_LOGS = 2_000;
const HOUR_MS = 3_600_000;
/** A log that no feed shows any more is deleted after this time. */
const UNREAD_MS = 90 * 24 * HOUR_MS;
/** How exactly the last reading is known: each write costs KV a unit. */
const READ_MS = 6 * HOUR_MS;
const NONE: WatchLog = { changes: [], readAt: 0 };

/** Stores the logs, each in an entry of its own. Changes are appended by compare-and-set: each is in the log once. */
export function createWatchLogs(kv: GuardedKv, { now }: { now: () => number }) {
  return {
    /**
     * Adds what was seen, if it is news, and returns the log, without changes if there is none; undefined where KV failed.
     * Only a reader begins a log, and makes it last.
     */
    async add(domain: string, seen: Observation | undefined, { isRead }: { isRead: boolean }) {
      const next = (stored: WatchLog | undefined): WatchLog | undefined => {
        if (stored === undefined && !isRead) return undefined;
        const { changes, readAt } = stored ?? NONE;
        const found = withObservation(changes, seen, now());
        // A clock that was set back must not keep a log from lasting.
        const isDue = isRead && Math.abs(now() - readAt) >= READ_MS;
        if (found.length === 0 || (found === changes && !isDue)) return stored;
        return { changes: found, readAt: isDue ? toHour(now()) : readAt };
      };
      const lifetimeMs = ({ readAt }: WatchLog) => readAt + UNREAD_MS - now();
      const entry = await changeEntry<WatchLog>(kv, ["watch", domain], { next, lifetimeMs });
      return entry === undefined ? undefined : entry.value ?? NONE;
    },
    /** At most `MAX_LOGS` names, those first that were read last; logs beyond that number are deleted, the newest first. */
    async listed(since: number): Promise<string[]> {
      const entries = await kv.attempt(
        (kv) => Array.fromAsync(kv.list<WatchLog>({ prefix: ["watch"] })),
        [],
      );
      const byAge = entries.toSorted((a, b) => bornAt(a.value) - bornAt(b.value));
      for (const { key } of byAge.slice(MAX_LOGS)) {
        await kv.attempt((kv) => kv.delete(key), undefined);
      }
      return byAge.slice(0, MAX_LOGS)
        .filter(({ value }) => value.readAt >= since)
        .toSorted((a, b) => b.value.readAt - a.value.readAt)
        .map(({ key }) => String(key[1]));
    },
  };
}

function bornAt({ changes }: WatchLog): number {
  return changes[0]?.at ?? 0;
}

function toHour(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS;
}
