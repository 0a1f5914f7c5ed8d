/** The results of canaries as this process knows them, which is as KV had them a moment ago. */
import type { Canary } from "../rules/answer.ts";
import { admitLate, type CanaryRecord, follow, isBelieved, recordCanary } from "../rules/canary.ts";
import type { TldRow } from "../rules/tlds.ts";

/** Results by TLD. */
export interface CanaryRecords {
  /** The result in force for the row's base. */
  inForce(row: TldRow): Promise<Canary | undefined>;
  /** Takes note of a result, for all processes. */
  note(row: TldRow, canary: Canary): Promise<void>;
  /** Whether what others have noted is known well enough to be told without asking KV. */
  isFresh(): boolean;
  /** Reads what others have noted, unless that was done a moment ago. */
  refresh(): Promise<void>;
  /** Whether an "available" that was found out at `checkedAt` may still be told, as far as is known here. */
  believes(tld: string, checkedAt: string): boolean;
  /** TLDs whose registry failed its last test. */
  failing(): string[];
}

type Next = (kept: CanaryRecord | undefined) => CanaryRecord;

/** The longest that this process believes a registry which another one has found lying. */
const FRESH_MS = 30_000;

/** Creates the records over what KV keeps. */
export function createCanaryRecords(
  { store, now }: {
    store: {
      list(): Promise<ReadonlyMap<string, CanaryRecord> | undefined>;
      /** What KV has after the change; undefined where it does not answer. */
      change(tld: string, next: Next): Promise<CanaryRecord | undefined>;
    };
    now: () => number;
  },
): CanaryRecords {
  const records = new Map<string, CanaryRecord>();
  /** Results of which KV may not know. */
  const unwritten = new Map<string, CanaryRecord>();
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  // A clock that was set back must not keep what others find out from being read.
  const isFresh = () => Math.abs(now() - readAt) < FRESH_MS;

  async function write(tld: string, record: CanaryRecord, next: Next): Promise<void> {
    const kept = await store.change(tld, next);
    // A newer result of this process is on its way itself.
    if (kept === undefined || unwritten.get(tld) !== record) return;
    unwritten.delete(tld);
    records.set(tld, kept);
  }

  async function read(): Promise<void> {
    for (const [tld, record] of unwritten) {
      await write(tld, record, (kept) => admitLate(kept, record));
    }
    const before = new Map(records);
    // Whatever the clocks say: what KV has is what somebody found out last, but for what was noted meanwhile.
    for (const [tld, record] of await store.list() ?? []) {
      const isNewer = unwritten.has(tld) || records.get(tld) !== before.get(tld);
      if (!isNewer) records.set(tld, record);
    }
    // A KV that fails is not asked again at once either: what is known here must do meanwhile.
    readAt = now();
  }

  async function refresh(): Promise<void> {
    if (isFresh()) return;
    await (reading ??= read().finally(() => reading = undefined));
  }

  return {
    isFresh,
    refresh,
    async inForce({ tld, rdapBase }) {
      await refresh();
      const record = records.get(tld);
      return record?.base === rdapBase && record.expiresAt > now() ? record.canary : undefined;
    },
    async note({ tld, rdapBase: base }, canary) {
      const found = recordCanary({ base, canary, at: now() });
      if (found === undefined) return;
      const record = follow(records.get(tld), found);
      records.set(tld, record);
      // Before it is written, so that what is read meanwhile, which may be from before, does not replace it.
      unwritten.set(tld, record);
      await write(tld, record, (kept) => follow(kept, record));
    },
    believes: (tld, checkedAt) => isBelieved(records.get(tld), checkedAt),
    failing: () => [...records].filter(([, r]) => r.canary.kind === "failed").map(([tld]) => tld),
  };
}
