/** What one request may hold: the limits of denokv 0.14 (proto/limits.rs), stricter than those of a local Deno KV. */
import type { AtomicWrite, ReadRange } from "./messages.ts";

const LIMITS = {
  readRanges: 10,
  readEntries: 1_000,
  /** A range may end just behind the longest key. */
  readKeyBytes: 2_049,
  writeKeyBytes: 2_048,
  valueBytes: 65_536,
  /** A local Deno KV takes 100. */
  checks: 10,
  mutations: 1_000,
  totalBytes: 819_200,
  watchedKeys: 10,
} as const;

/** Why a read is too large, or undefined. */
export function readFault(ranges: readonly ReadRange[]): string | undefined {
  if (ranges.length > LIMITS.readRanges) return "Too many read ranges";
  if (ranges.some(({ limit }) => limit <= 0)) return "Invalid read range limit";
  const keys = ranges.flatMap(({ start, end }) => [start, end]);
  if (longest(keys) > LIMITS.readKeyBytes) return "Key too long";
  const entries = ranges.reduce((sum, { limit }) => sum + limit, 0);
  return entries > LIMITS.readEntries ? "Too many entries" : undefined;
}

/** Why a write is too large or malformed, or undefined. */
export function writeFault({ checks, mutations }: AtomicWrite): string | undefined {
  if (checks.length > LIMITS.checks) return "Too many checks";
  if (mutations.length > LIMITS.mutations) return "Too many mutations";
  if (checks.some(({ versionstamp: { length } }) => length !== 0 && length !== 10)) {
    return "Invalid versionstamp";
  }
  if (longest(checks.map(({ key }) => key)) > LIMITS.readKeyBytes) return "Key too long";
  if (longest(mutations.map(({ key }) => key)) > LIMITS.writeKeyBytes) return "Key too long";
  const values = mutations.map(({ value }) => value.data);
  if (longest(values) > LIMITS.valueBytes) return "Value too long";
  const all = [...checks, ...mutations].map(({ key }) => key).concat(values);
  const total = all.reduce((sum, { length }) => sum + length, 0);
  return total > LIMITS.totalBytes ? "Atomic write too large" : undefined;
}

/** Why a watch is too large, or undefined. */
export function watchFault(keys: readonly Uint8Array[]): string | undefined {
  if (keys.length > LIMITS.watchedKeys) return "Too many watched keys";
  return longest(keys) > LIMITS.writeKeyBytes ? "Key too long" : undefined;
}

function longest(all: readonly Uint8Array[]): number {
  return all.reduce((most, { length }) => Math.max(most, length), 0);
}
