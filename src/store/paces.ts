/** Schedules of paced RDAP hosts: `["pace", host]` → what processes share of it, changed by compare-and-set. */
import { startAlarm } from "../flow/deadline.ts";
import type { ChangeOutcome, ChangePace } from "../flow/queue/shared_schedule.ts";
import type { SharedPace } from "../flow/queue/slots.ts";
import type { KnownEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";
import type { Kv } from "./open_kv.ts";

/** The shared schedules of all hosts. */
export interface Paces {
  /** Changes a host's record: one round trip where this process was the last to change it, else two. */
  change(host: string, next: Parameters<ChangePace>[0]): Promise<ChangeOutcome>;
}

/** A change that waits for its commit. */
interface Pending {
  readonly host: string;
  readonly next: Parameters<ChangePace>[0];
  settle(outcome: ChangeOutcome): void;
}

/** Longer than any slot is ahead, and than the longest published window, which is a day. */
const LIFETIME_MS = 25 * 3_600_000;
/**
 * How long a change waits for others, to go into one commit with them: the DNS answers of one check arrive that close
 * together, and each is followed by a request to a registry.
 */
const TOGETHER_MS = 10;
/** KV takes ten checks in a commit and ten keys in a read: Deno Deploy's limits. */
const LARGEST_COMMIT = 10;
const FAILED: ChangeOutcome = "failed";

/** Stores schedules in KV. */
export function createPaces(kv: GuardedKv): Paces {
  /** Entries as this process has written them. While another process writes too, the newest is read first. */
  const written = new Map<string, { entry: KnownEntry<SharedPace>; isNewest: boolean }>();
  let batch: Pending[] = [];

  function change(host: string, next: Parameters<ChangePace>[0]): Promise<ChangeOutcome> {
    const { promise, resolve: settle } = Promise.withResolvers<ChangeOutcome>();
    // The caller retries where a change of the host waits already: one commit cannot change an entry twice.
    if (batch.some((one) => one.host === host)) return Promise.resolve("conflict");
    batch.push({ host, next, settle });
    if (batch.length === 1) startAlarm(commitBatch, TOGETHER_MS);
    if (batch.length === LARGEST_COMMIT) void commitBatch();
    return promise;
  }

  async function commitBatch(): Promise<void> {
    const changes = batch;
    batch = [];
    if (changes.length === 0) return;
    const outcome = await kv.attempt((kv) => tryToCommit(kv, changes), FAILED);
    for (const { settle } of changes) settle(outcome);
  }

  async function tryToCommit(kv: Kv, changes: readonly Pending[]): Promise<ChangeOutcome> {
    const entries = await readEntries(kv, changes);
    const operation = kv.atomic();
    const changed: { host: string; value: SharedPace; versionstamp: string | null }[] = [];
    changes.forEach(({ host, next }, place) => {
      const { value: current = null, versionstamp = null } = entries[place] ?? {};
      const value = next(current ?? undefined);
      if (value === undefined) return;
      changed.push({ host, value, versionstamp });
      const key = ["pace", host];
      operation.check({ key, versionstamp }).set(key, value, { expireIn: LIFETIME_MS });
    });
    if (changed.length === 0) return "done";
    const result = await operation.commit();
    for (const { host, value, versionstamp } of changed) {
      const last = written.get(host);
      if (result.ok) {
        written.set(host, {
          entry: { value, versionstamp: result.versionstamp },
          isNewest: versionstamp === null || versionstamp === last?.entry.versionstamp,
        });
      } else if (last !== undefined) written.set(host, { ...last, isNewest: false });
    }
    return result.ok ? "done" : "conflict";
  }

  /** The entries of the changes, read only where another process may have written since. */
  async function readEntries(
    kv: Kv,
    changes: readonly Pending[],
  ): Promise<(KnownEntry<SharedPace> | undefined)[]> {
    const known = changes.map(({ host }) => written.get(host));
    const unknown = changes.filter((_, place) => !known[place]?.isNewest);
    const keys = unknown.map(({ host }) => ["pace", host]);
    const read = keys.length === 0 ? [] : await kv.getMany<SharedPace[]>(keys);
    return changes.map((change, place) =>
      known[place]?.isNewest ? known[place].entry : read[unknown.indexOf(change)]
    );
  }

  return { change };
}
