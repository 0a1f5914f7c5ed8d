/** KV Connect's messages (denoland/denokv, proto/schema/datapath.proto), without the queues, which Deno does not send. */
import {
  allBytes,
  bytesField,
  bytesOf,
  decodeFields,
  joinBytes,
  numberOf,
  packedField,
  varintField,
} from "./protobuf.ts";

/** Keys from `start` to before `end`, at most `limit`, from the end where `reverse`. */
export interface ReadRange {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly limit: number;
  readonly reverse: boolean;
}

/** A value with its encoding: 1 V8, 2 little-endian 64-bit, 3 bytes. */
export interface KvValue {
  readonly data: Uint8Array;
  readonly encoding: number;
}

/** A value under its key, with the versionstamp (10 bytes) of the commit that wrote it. */
export interface KvEntry extends KvValue {
  readonly key: Uint8Array;
  readonly versionstamp: Uint8Array;
}

/** The versionstamp that a key must have; empty: the key must be absent. */
export interface Check {
  readonly key: Uint8Array;
  readonly versionstamp: Uint8Array;
}

/** What a mutation does. */
export type MutationType = "set" | "delete" | "sum" | "max" | "min" | "set_versionstamped_key";

/** A change of one key; `expireAtMs` is in ms since 1970, 0 for never. */
export interface Mutation {
  readonly type: MutationType;
  readonly key: Uint8Array;
  readonly value: KvValue;
  readonly expireAtMs: number;
  /** Whether the sum is bounded, which Deno has no way to ask for. */
  readonly isBounded: boolean;
}

/** Checks and mutations that are applied together or not at all. */
export interface AtomicWrite {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
}

/** What became of an atomic write. */
export type WriteOutcome =
  /** `keys` are those that were written, one for each mutation. */
  | { kind: "committed"; versionstamp: Uint8Array; keys: readonly Uint8Array[] }
  /** `failedChecks` are indexes of checks. */
  | { kind: "conflict"; failedChecks: readonly number[] }
  /** A mutation does not fit the value that it finds. */
  | { kind: "refused"; why: string };

/** What a client learns of a commit or a conflict. */
export type CommitOutput =
  | { kind: "committed"; versionstamp: Uint8Array }
  | { kind: "conflict"; failedChecks: readonly number[] };

/** The encodings of values. */
export const ENCODING = { v8: 1, u64: 2, bytes: 3 } as const;

const MUTATION_TYPES: ReadonlyMap<number, MutationType> = new Map([
  [1, "set"],
  [2, "delete"],
  [3, "sum"],
  [4, "max"],
  [5, "min"],
  [9, "set_versionstamped_key"],
]);
const SUCCESS = 1;
const CHECK_FAILURE = 2;

/** Decodes `SnapshotRead`. Throws a RangeError where it is malformed, as all decoders here do. */
export function decodeRead(body: Uint8Array): ReadRange[] {
  return allBytes(decodeFields(body), 1).map((range) => {
    const fields = decodeFields(range);
    return {
      start: bytesOf(fields, 1),
      end: bytesOf(fields, 2),
      limit: numberOf(fields, 3),
      reverse: numberOf(fields, 4) !== 0,
    };
  });
}

/** Decodes `AtomicWrite`. */
export function decodeWrite(body: Uint8Array): AtomicWrite {
  const fields = decodeFields(body);
  return {
    checks: allBytes(fields, 1).map(decodeFields).map((check) => ({
      key: bytesOf(check, 1),
      versionstamp: bytesOf(check, 2),
    })),
    mutations: allBytes(fields, 2).map(decodeMutation),
  };
}

function decodeMutation(body: Uint8Array): Mutation {
  const fields = decodeFields(body);
  const value = decodeFields(bytesOf(fields, 2));
  const type = MUTATION_TYPES.get(numberOf(fields, 3));
  if (type === undefined) throw new RangeError("Cannot decode mutation: its type is unknown");
  return {
    type,
    key: bytesOf(fields, 1),
    value: { data: bytesOf(value, 1), encoding: numberOf(value, 2) },
    // -1 stands for never in some clients.
    expireAtMs: Math.max(0, numberOf(fields, 4)),
    isBounded: bytesOf(fields, 5).length > 0 || bytesOf(fields, 6).length > 0,
  };
}

/** Decodes `Watch` to its keys. */
export function decodeWatch(body: Uint8Array): Uint8Array[] {
  return allBytes(decodeFields(body), 1).map((key) => bytesOf(decodeFields(key), 1));
}

/** Encodes `SnapshotReadOutput`, one list of entries for each range. */
export function encodeReadOutput(
  ranges: readonly (readonly KvEntry[])[],
  { isStrong }: { isStrong: boolean },
): Uint8Array<ArrayBuffer> {
  return joinBytes(
    ...ranges.map((entries) =>
      bytesField(1, joinBytes(...entries.map((entry) => bytesField(1, encodeEntry(entry)))))
    ),
    varintField(4, isStrong ? 1 : 0),
    varintField(8, SUCCESS),
  );
}

/** Encodes `AtomicWriteOutput` of a commit or a conflict. */
export function encodeWriteOutput(
  outcome: CommitOutput,
): Uint8Array<ArrayBuffer> {
  switch (outcome.kind) {
    case "committed":
      return joinBytes(varintField(1, SUCCESS), bytesField(2, outcome.versionstamp));
    case "conflict":
      return joinBytes(varintField(1, CHECK_FAILURE), packedField(4, outcome.failedChecks));
  }
}

/**
 * Encodes `WatchOutput`, after its length in four bytes: all keys as they stand, as denokv sends them. Deno 2.9.6 takes a
 * key that is sent as unchanged for one that is absent.
 */
export function encodeWatchOutput(
  entries: readonly (KvEntry | undefined)[],
): Uint8Array<ArrayBuffer> {
  const outputs = entries.map((entry) => {
    const value = entry === undefined ? new Uint8Array() : bytesField(2, encodeEntry(entry));
    return bytesField(2, joinBytes(varintField(1, 1), value));
  });
  const message = joinBytes(varintField(1, SUCCESS), ...outputs);
  const framed = new Uint8Array(4 + message.length);
  new DataView(framed.buffer).setUint32(0, message.length, true);
  framed.set(message, 4);
  return framed;
}

function encodeEntry({ key, data, encoding, versionstamp }: KvEntry): Uint8Array {
  return joinBytes(
    bytesField(1, key),
    bytesField(2, data),
    varintField(3, encoding),
    bytesField(4, versionstamp),
  );
}
