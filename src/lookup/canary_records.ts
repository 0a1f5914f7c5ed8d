/** The results of canaries as this process knows them, which is as KV had them a moment ago. */
import type { Canary } from "../rules/answer.ts";
import {
  type CanaryRecord,
  isCurrentRecord,
  isTrusted,
  mergeCanaryRecords,
  mergeLateRecord,
  recordCanary,
} from "../rules/canary.ts";
import type { TldRow } from "../rules/tlds.ts";

/** Results by TLD. */
export interface CanaryRecords {
  /** The result in force for the row's base. */
  inForce(row: TldRow): Promise<Canary | undefined>;
  /** Takes note of a result, for all processes. */
  note(row: TldRow, canary: Canary): Promise<void>;
  /**
   * Whether what other processes have noted was read within the last three seconds, so that no question to KV is needed.
   * Starts to read it again in the background where that will soon be too long ago.
   */
  isFresh(): boolean;
  /** Reads what other processes have noted, unless that was done within the last three seconds. */
  refresh(): Promise<void>;
  /** Whether an "available" that was found out at `checkedAt` may still be answered, as far as is known here. */
  trusts(tld: string, checkedAt: string): boolean;
  /** TLDs whose registry did not pass its last test. */
  failing(): string[];
  /** By TLD, what its last test came to. */
  states(): { tld: string; state: Canary["kind"] }[];
}

type Next = (kept: CanaryRecord | undefined) => CanaryRecord;

/** The longest that this process trusts a registry which another one has found to deny registered names. */
const FRESH_MS = 3_000;

/** Creates the records over what KV keeps; `monotonic` is a clock in ms that is never set back. */
export function createCanaryRecords(
  { store, now, monotonic }: {
    store: {
      /** Changes with every change of a record, of any process; undefined where KV does not answer. */
      version(): Promise<string | undefined>;
      list(): Promise<ReadonlyMap<string, CanaryRecord> | undefined>;
      /** What KV has after the change; undefined where it does not answer. */
      change(tld: string, next: Next): Promise<CanaryRecord | undefined>;
    };
    now: () => number;
    monotonic: () => number;
  },
): CanaryRecords {
  const records = new Map<string, CanaryRecord>();
  /** Results that KV may not have. */
  const unwritten = new Map<string, CanaryRecord>();
  let readAt = -Infinity;
  let readVersion: string | undefined;
  let reading: Promise<void> | undefined;

  const age = () => monotonic() - readAt;

  async function write(tld: string, record: CanaryRecord, next: Next): Promise<void> {
    const kept = await store.change(tld, next);
    // A newer result of this process is on its way itself.
    if (kept === undefined || unwritten.get(tld) !== record) return;
    unwritten.delete(tld);
    records.set(tld, kept);
  }

  async function read(): Promise<void> {
    for (const [tld, record] of unwritten) {
      await write(tld, record, (kept) => mergeLateRecord(kept, record));
    }
    const version = await store.version();
    if (version !== undefined && version !== readVersion) await readRecords(version);
    // A KV that fails is not asked again at once either: what is known here must do meanwhile.
    readAt = monotonic();
  }

  async function readRecords(version: string): Promise<void> {
    const before = new Map(records);
    const found = await store.list();
    if (found === undefined) return;
    readVersion = version;
    // Regardless of the clocks, what KV has is the last result, but for what was noted here meanwhile.
    for (const [tld, record] of found) {
      const isNewer = unwritten.has(tld) || records.get(tld) !== before.get(tld);
      if (!isNewer) records.set(tld, record);
    }
  }

  function readNow(): Promise<void> {
    return reading ??= read().finally(() => reading = undefined);
  }

  async function refresh(): Promise<void> {
    if (age() >= FRESH_MS) await readNow();
  }

  return {
    isFresh() {
      const ageMs = age();
      if (ageMs >= FRESH_MS / 2) void readNow();
      return ageMs < FRESH_MS;
    },
    refresh,
    async inForce({ tld, rdapBase }) {
      await refresh();
      const record = records.get(tld);
      if (record === undefined) return undefined;
      return isCurrentRecord(record, { rdapBase, now: now() }) ? record.canary : undefined;
    },
    async note({ tld, rdapBase: base }, canary) {
      const found = recordCanary({ base, canary, at: now() });
      if (found === undefined) return;
      const record = mergeCanaryRecords(records.get(tld), found);
      records.set(tld, record);
      // Before it is written, so that what is read meanwhile, which may be from before, does not replace it.
      unwritten.set(tld, record);
      await write(tld, record, (kept) => mergeCanaryRecords(kept, record));
    },
    trusts: (tld, checkedAt) => isTrusted(records.get(tld), checkedAt),
    failing: () => [...records].filter(([, r]) => r.canary.kind !== "passed").map(([tld]) => tld),
    states: () => [...records].map(([tld, { canary: { kind: state } }]) => ({ tld, state })),
  };
}
