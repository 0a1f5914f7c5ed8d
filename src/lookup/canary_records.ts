/** This process's copy of the canary results in KV, at most three seconds old. */
import type { Clock } from "../flow/clock.ts";
import type { Cache } from "../flow/cache/cached.ts";
import { createPolledCopy } from "../flow/cache/polled_copy.ts";
import type { Canary } from "../rules/answer.ts";
import {
  type CanaryRecord,
  isCurrentRecord,
  isTakenTrusted,
  isTrusted,
  mergeCanaryRecords,
  mergeLateRecord,
  recordCanary,
  teachRecord,
} from "../rules/canary.ts";
import type { Finding } from "../rules/evidence.ts";
import type { TldRow } from "../rules/tables/tlds.ts";
import { describeTemplate, type Template } from "../rules/readers/templates.ts";
import { stateOf } from "../rules/verdict.ts";

/** Results by TLD. */
export interface CanaryRecords {
  /** The result in force for the row's base. */
  inForce(row: TldRow): Promise<Canary | undefined>;
  /** Records a result for all processes. */
  note(row: TldRow, canary: Canary): Promise<void>;
  /** Adds a registry's 404 for a random name to the result in force, if that is a pass. */
  teach(row: TldRow, template: Template): Promise<void>;
  /**
   * Whether the results of other processes were read from KV within the last three seconds. Starts a read in the
   * background when half of that time is over.
   */
  isFresh(): boolean;
  /** Reads the results of other processes, unless that was done within the last three seconds. */
  refresh(): Promise<void>;
  /** When the last test was made (ISO 8601), if its result is of this kind. */
  testedAt(tld: string, kind: Canary["kind"]): string | undefined;
  /** Whether an "available" of `checkedAt` may still be answered, by the results in this copy. */
  trusts(tld: string, checkedAt: string): boolean;
  /** The same for a "taken" that rests on the registry's record. */
  trustsTaken(tld: string, checkedAt: string): boolean;
  /** TLDs whose registry did not pass its last test. */
  failing(): string[];
  /** The results of the last tests, and the TLDs of `wanted` without one. */
  states(wanted: readonly string[]): CanaryState[];
}

/** The result of a TLD's last test; `untested`: none is in force. */
export interface CanaryState {
  tld: string;
  state: Canary["kind"] | "untested";
  /** ISO 8601; empty if it never was. */
  testedAt: string;
  /** What the registry says of a made-up name; empty unless it passed. */
  wordings: readonly (readonly string[])[];
}

type Next = (stored: CanaryRecord | undefined) => CanaryRecord;

/** The longest time for which this process trusts a registry that failed the test of another process. */
const FRESH_MS = 3_000;

/** Creates the records over those in KV; `monotonic` is a clock in ms that is never set back. */
export function createCanaryRecords(
  { store, now, monotonic }: {
    store: {
      /** Grows with every change of a record by any process; undefined if KV fails. */
      version(): Promise<string | undefined>;
      list(): Promise<ReadonlyMap<string, CanaryRecord> | undefined>;
      /** The record after the change; undefined if KV fails. */
      change(tld: string, next: Next): Promise<CanaryRecord | undefined>;
    };
  } & Clock,
): CanaryRecords {
  const records = new Map<string, CanaryRecord>();
  /** Results that KV has not taken yet. */
  const unwritten = new Map<string, CanaryRecord>();
  let readVersion = "";
  const copy = createPolledCopy(read, { maxAgeMs: FRESH_MS, now: monotonic });

  async function write(tld: string, record: CanaryRecord, next: Next): Promise<void> {
    const stored = await store.change(tld, next);
    // Keeps a newer result of this process, which has its own write.
    if (stored === undefined || unwritten.get(tld) !== record) return;
    unwritten.delete(tld);
    records.set(tld, stored);
  }

  async function keep(tld: string, record: CanaryRecord, next: Next): Promise<void> {
    records.set(tld, record);
    // Before the write: a read that runs meanwhile may return an older record, which must not replace this one.
    unwritten.set(tld, record);
    await write(tld, record, next);
  }

  async function read(): Promise<void> {
    for (const [tld, record] of unwritten) {
      await write(tld, record, (stored) => mergeLateRecord(stored, record));
    }
    const version = await store.version();
    if (version !== undefined && version !== readVersion) await readRecords(version);
  }

  async function readRecords(version: string): Promise<void> {
    const before = new Map(records);
    const found = await store.list();
    if (found === undefined) return;
    readVersion = version;
    for (const [tld, record] of found) {
      // Not what this process has recorded meanwhile.
      if (!unwritten.has(tld) && records.get(tld) === before.get(tld)) records.set(tld, record);
    }
  }

  return {
    isFresh() {
      const ageMs = copy.ageMs();
      if (ageMs >= FRESH_MS / 2) void copy.read();
      return ageMs < FRESH_MS;
    },
    refresh: copy.refresh,
    async inForce({ tld, rdapBase }) {
      await copy.refresh();
      const record = records.get(tld);
      return record && isCurrentRecord(record, { rdapBase, now: now() })
        ? record.canary
        : undefined;
    },
    async note({ tld, rdapBase: base }, canary) {
      const found = recordCanary({ base, canary, at: now() });
      if (found === undefined) return;
      const before = records.get(tld);
      const record = mergeCanaryRecords(before, found);
      records.set(tld, record);
      await keep(tld, record, (stored) => mergeCanaryRecords(stored, record));
    },
    async teach({ tld, rdapBase: base }, template) {
      const before = records.get(tld);
      if (before === undefined) return;
      const teach = (record: CanaryRecord) => teachRecord(record, { base, template });
      const record = teach(before);
      await keep(tld, record, (stored) => stored === undefined ? record : teach(stored));
    },
    testedAt(tld, kind) {
      const record = records.get(tld);
      return record?.canary.kind === kind ? record.testedAt : undefined;
    },
    trusts: (tld, checkedAt) => isTrusted(records.get(tld), checkedAt),
    trustsTaken: (tld, checkedAt) => isTakenTrusted(records.get(tld), { checkedAt, now: now() }),
    failing: () => [...records].filter(([, r]) => r.canary.kind !== "passed").map(([tld]) => tld),
    states(wanted) {
      const known = [...records].map(([tld, { canary, testedAt, expiresAt }]): CanaryState => ({
        tld,
        state: expiresAt > now() ? canary.kind : "untested",
        testedAt,
        wordings: canary.kind === "passed" ? canary.templates.map(describeTemplate) : [],
      }));
      const untested = wanted.filter((tld) => !records.has(tld)).map((tld): CanaryState => (
        { tld, state: "untested", testedAt: "", wordings: [] }
      ));
      return [...known, ...untested];
    },
  };
}

/**
 * Treats an "available", and a "taken" by the registry's record, as a cache miss if a later canary test of the registry
 * shows that such answers of it prove nothing. All other findings cost a comparison or two.
 */
export function dropDistrusted(
  cache: Cache<Finding>,
  records: CanaryRecords,
): Cache<Finding> {
  function isTrusted(key: string, { available, checkedAt }: Finding): boolean {
    const tld = key.slice(key.indexOf(".") + 1);
    return available ? records.trusts(tld, checkedAt) : records.trustsTaken(tld, checkedAt);
  }

  return {
    ...cache,
    peek(key) {
      const entry = cache.peek(key);
      if (entry === undefined || !restsOnRegistry(entry.value)) return entry;
      return records.isFresh() && isTrusted(key, entry.value) ? entry : undefined;
    },
    async get(key) {
      const entry = await cache.get(key);
      if (entry === undefined || !restsOnRegistry(entry.value)) return entry;
      await records.refresh();
      return isTrusted(key, entry.value) ? entry : undefined;
    },
  };
}

/** Whether the finding rests on an answer of the registry's RDAP server that a canary test can refute. */
function restsOnRegistry(finding: Finding): boolean {
  return finding.available || (finding.source === "rdap" && stateOf(finding) === "taken");
}
