/** Deno KV in memory: ordered keys, versionstamps, atomic writes. One process holds it, so each call is atomic. */
import { deserialize, serialize } from "node:v8";
import { Buffer } from "node:buffer";
import {
  type AtomicWrite,
  ENCODING,
  type KvEntry,
  type KvValue,
  type Mutation,
  type ReadRange,
  type WriteOutcome,
} from "./messages.ts";
import { joinBytes } from "./protobuf.ts";

/** An entry with its expiry, in ms since 1970; 0 for never. */
export interface StoredEntry extends KvEntry {
  readonly expireAtMs: number;
}

/** The values of one database. */
export interface MemoryStore {
  get(key: Uint8Array): StoredEntry | undefined;
  /** All ranges as they stand at one moment. */
  read(ranges: readonly ReadRange[]): StoredEntry[][];
  /** Applies all or nothing. A Deno KV in SQLite keeps what was set before a mutation that it refuses. */
  write(write: AtomicWrite): WriteOutcome;
  /**
   * Deletes what has expired by then, and counts it. Until then reads show it: denokv and a local Deno KV collect once a
   * minute at most, and their reads do not look at the expiry.
   */
  collectExpired(nowMs: number): number;
  /** How many keys there are. */
  readonly size: number;
}

/** Versions have gaps, as denokv's have: code must not compute the next one. */
const VERSION_STEP = 5n;
const VERSIONSTAMP_BYTES = 10;
/** Tag and end of a string in a key. */
const STRING_START = Uint8Array.of(2);
const STRING_END = Uint8Array.of(0);

/** A mutation that does not fit the value that it finds. */
class Unfit extends Error {}

/** Creates an empty store. */
export function createMemoryStore(): MemoryStore {
  // By the key in hex, which sorts as the bytes do.
  const entries = new Map<string, StoredEntry>();
  let sorted: string[] | undefined;
  let version = 0n;

  function read({ start, end, limit, reverse }: ReadRange): StoredEntry[] {
    const [from, to] = [hexOf(start), hexOf(end)];
    // A single key, as Deno asks for it: sorting thousands of keys for it would be slow.
    if (to === `${from}00`) return [entries.get(from)].filter((entry) => entry !== undefined);
    sorted ??= [...entries.keys()].sort();
    const keys = sorted.filter((key) => key >= from && key < to);
    if (reverse) keys.reverse();
    return keys.slice(0, limit).flatMap((key) => entries.get(key) ?? []);
  }

  function write({ checks, mutations }: AtomicWrite): WriteOutcome {
    const failedChecks = checks.flatMap(({ key, versionstamp }, n) => {
      const stored = entries.get(hexOf(key))?.versionstamp ?? new Uint8Array();
      return hexOf(stored) === hexOf(versionstamp) ? [] : [n];
    });
    if (failedChecks.length > 0) return { kind: "conflict", failedChecks };
    const versionstamp = stampOf(version + VERSION_STEP);
    const changes = new Map<string, StoredEntry | undefined>();
    const keys = mutations.map((mutation) => keyOf(mutation, versionstamp));
    try {
      mutations.forEach((mutation, n) =>
        apply(mutation, { key: keys[n] ?? mutation.key, versionstamp, changes })
      );
    } catch (error) {
      if (error instanceof Unfit) return { kind: "refused", why: error.message };
      throw error;
    }
    version += VERSION_STEP;
    for (const [key, entry] of changes) put(key, entry);
    return { kind: "committed", versionstamp, keys };
  }

  function apply(
    mutation: Mutation,
    { key, versionstamp, changes }: {
      key: Uint8Array;
      versionstamp: Uint8Array;
      /** What this commit has changed so far, which its later mutations see. */
      changes: Map<string, StoredEntry | undefined>;
    },
  ): void {
    const { type, value, expireAtMs } = mutation;
    const id = hexOf(key);
    const old = changes.has(id) ? changes.get(id) : entries.get(id);
    switch (type) {
      case "set":
      case "set_versionstamped_key":
        changes.set(id, { key, ...value, versionstamp, expireAtMs });
        return;
      case "delete":
        changes.set(id, undefined);
        return;
      case "sum":
      case "min":
      case "max":
        // These lose the expiry of the value that they change, on denokv too.
        changes.set(id, { key, ...combine(type, mutation, old), versionstamp, expireAtMs: 0 });
        return;
      default:
        throw new Error(`No such mutation: ${type satisfies never}`);
    }
  }

  function put(key: string, entry: StoredEntry | undefined): void {
    if (entry === undefined || !entries.has(key)) sorted = undefined;
    if (entry === undefined) entries.delete(key);
    else entries.set(key, entry);
  }

  return {
    get: (key) => entries.get(hexOf(key)),
    read: (ranges) => ranges.map(read),
    write,
    collectExpired(nowMs) {
      const expired = [...entries].filter(([, { expireAtMs }]) =>
        expireAtMs > 0 && expireAtMs <= nowMs
      );
      for (const [key] of expired) put(key, undefined);
      return expired.length;
    },
    get size() {
      return entries.size;
    },
  };
}

type Combining = "sum" | "min" | "max";

const COMBINE: Readonly<Record<Combining, (stored: bigint, operand: bigint) => bigint>> = {
  sum: (stored, operand) => BigInt.asUintN(64, stored + operand),
  min: (stored, operand) => stored < operand ? stored : operand,
  max: (stored, operand) => stored > operand ? stored : operand,
};

/** The value of a key after sum, min or max. */
function combine(
  type: Combining,
  { value, isBounded }: Mutation,
  old: StoredEntry | undefined,
): KvValue {
  if (isBounded) throw new Unfit("This server of the lab knows no bounds of a sum");
  if (type === "sum" && value.encoding === ENCODING.v8) return sumOfV8(value, old);
  if (value.encoding !== ENCODING.u64) {
    throw new Unfit(`Failed to perform '${type}' mutation on a non-U64 operand`);
  }
  if (old === undefined) return value;
  if (old.encoding !== ENCODING.u64) {
    throw new Unfit(`Failed to perform '${type}' mutation on a non-U64 value in the database`);
  }
  const data = new Uint8Array(8);
  const combined = COMBINE[type](u64Of(old.data), u64Of(value.data));
  new DataView(data.buffer).setBigUint64(0, combined, true);
  return { data, encoding: ENCODING.u64 };
}

/** The sum of two numbers, or of two bigints, as JavaScript adds them. */
function sumOfV8(value: KvValue, old: StoredEntry | undefined): KvValue {
  if (old === undefined) return value;
  const operand = deserialize(Buffer.from(value.data));
  const stored = old.encoding === ENCODING.v8 ? deserialize(Buffer.from(old.data)) : undefined;
  if (typeof stored !== typeof operand || !["number", "bigint"].includes(typeof operand)) {
    throw new Unfit(`Cannot sum ${typeof stored} with ${typeof operand}`);
  }
  return { data: new Uint8Array(serialize(stored + operand)), encoding: ENCODING.v8 };
}

function u64Of(data: Uint8Array): bigint {
  if (data.length !== 8) throw new Unfit("A 64-bit value must have 8 bytes");
  return new DataView(data.buffer, data.byteOffset, 8).getBigUint64(0, true);
}

/** The key that a mutation writes, to which it may ask to have the versionstamp appended. */
function keyOf({ type, key }: Mutation, versionstamp: Uint8Array): Uint8Array {
  if (type !== "set_versionstamped_key") return key;
  return joinBytes(key, STRING_START, asciiOf(hexOf(versionstamp)), STRING_END);
}

function stampOf(version: bigint): Uint8Array {
  const stamp = new Uint8Array(VERSIONSTAMP_BYTES);
  new DataView(stamp.buffer).setBigUint64(0, version);
  return stamp;
}

/** Bytes in hex, as Deno writes a versionstamp. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

function asciiOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
