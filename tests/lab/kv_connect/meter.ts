/** What the KV Connect server was asked for, and what Deno Deploy would bill. */
import { decodeKey } from "./kv_key.ts";
import type { Operation } from "./faults.ts";
import type { AtomicWrite, KvEntry, ReadRange } from "./messages.ts";

/** Reads and mutations of keys that begin alike. */
export interface KeyUse {
  /** Ranges read: a `get`, a key of a `getMany`, a batch of a `list`. */
  reads: number;
  mutations: number;
}

/** Counts since the last reset. */
export interface Readings {
  /** Requests that arrived, with those that failed or were tried again. */
  requests: Record<Operation, number>;
  readUnits: number;
  writeUnits: number;
  /** Writes that were applied. */
  commits: number;
  /** Writes of which a check failed. */
  conflicts: number;
  /** By the first part of the key, as text; of a commit that was refused, nothing. */
  byFirstPart: Record<string, KeyUse>;
}

/** Counts what the server does. */
export interface Meter {
  readings(): Readings;
  reset(): void;
  countRequest(operation: Operation): void;
  countRead(ranges: readonly ReadRange[], found: readonly (readonly KvEntry[])[]): void;
  countCommit(write: AtomicWrite): void;
  countConflict(): void;
}

/**
 * KiB, not kB (denoland/deploy_feedback#669). A list of ten entries of 3 kB together is one unit; of `getMany` the stored
 * sources say nothing, so each of its keys counts as one: the bill cannot be higher.
 */
const READ_UNIT_BYTES = 4_096;
/** For the keys and values of a whole commit together, rounded up once (denoland/deploy_feedback#502). */
const WRITE_UNIT_BYTES = 1_024;

/** Creates a meter at zero. */
export function createMeter(): Meter {
  let now = zero();

  function useOf(key: Uint8Array): KeyUse {
    const first = firstPart(key);
    return now.byFirstPart[first] ??= { reads: 0, mutations: 0 };
  }

  return {
    readings: () => structuredClone(now),
    reset: () => void (now = zero()),
    countRequest: (operation) => void now.requests[operation]++,
    countRead(ranges, found) {
      ranges.forEach(({ start }, n) => {
        useOf(start).reads++;
        now.readUnits += unitsOf(sizeOf(found[n] ?? []), READ_UNIT_BYTES);
      });
    },
    countCommit({ mutations }) {
      now.commits++;
      for (const { key } of mutations) useOf(key).mutations++;
      const written = mutations.map(({ key, value }) => ({ key, data: value.data }));
      now.writeUnits += unitsOf(sizeOf(written), WRITE_UNIT_BYTES);
    },
    countConflict: () => void now.conflicts++,
  };
}

function zero(): Readings {
  return {
    requests: { metadata: 0, read: 0, write: 0, watch: 0 },
    readUnits: 0,
    writeUnits: 0,
    commits: 0,
    conflicts: 0,
    byFirstPart: {},
  };
}

/** Even what finds nothing costs a unit. */
function unitsOf(bytes: number, unitBytes: number): number {
  return Math.max(1, Math.ceil(bytes / unitBytes));
}

function sizeOf(entries: readonly { key: Uint8Array; data: Uint8Array }[]): number {
  return entries.reduce((sum, { key, data }) => sum + key.length + data.length, 0);
}

/** The start of a list may be a prefix with a byte behind it that is no key part. */
function firstPart(key: Uint8Array): string {
  try {
    return String(decodeKey(key)[0] ?? "");
  } catch {
    return String(decodeKey(key.subarray(0, -1))[0] ?? "");
  }
}
