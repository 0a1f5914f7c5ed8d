/**
 * KV Connect on the wire, as far as Deno's client uses it here: messages (denoland/denokv, proto/schema/datapath.proto) in
 * Protocol Buffers, and keys in FoundationDB's tuple layer. Own code: a package in deno.json would be downloaded by each first
 * start of the service.
 */
import { Buffer } from "node:buffer";

/** Keys from `start` to before `end`, at most `limit`, from the end where `reverse`. */
export interface ReadRange {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly limit: number;
  readonly reverse: boolean;
}

/** A value under its key, with the versionstamp (10 bytes) of the commit that wrote it. */
export interface KvEntry {
  readonly key: Uint8Array;
  readonly data: Uint8Array;
  readonly encoding: number;
  readonly versionstamp: Uint8Array;
}

/** A change of one key; `expireAtMs` is in ms since 1970, 0 for never. */
export interface Mutation extends Omit<KvEntry, "versionstamp"> {
  readonly type: "set" | "delete";
  readonly expireAtMs: number;
}

/** Checks and mutations that are applied together or not at all. An empty versionstamp: the key must be absent. */
export interface AtomicWrite {
  readonly checks: readonly Pick<KvEntry, "key" | "versionstamp">[];
  readonly mutations: readonly Mutation[];
}

/** A message as it came: for each field number its values. */
type Fields = ReadonlyMap<number, readonly (bigint | Uint8Array)[]>;

const SUCCESS = 1;
const CHECK_FAILURE = 2;

/** Decodes `SnapshotRead`. */
export function decodeRead(body: Uint8Array): ReadRange[] {
  return bytesIn(decodeFields(body), 1).map(decodeFields).map((range) => ({
    start: bytesOf(range, 1),
    end: bytesOf(range, 2),
    limit: numberOf(range, 3),
    reverse: numberOf(range, 4) !== 0,
  }));
}

/** Decodes `AtomicWrite`. Throws a RangeError for a mutation other than set and delete, which the service does not send. */
export function decodeWrite(body: Uint8Array): AtomicWrite {
  const fields = decodeFields(body);
  return {
    checks: bytesIn(fields, 1).map(decodeFields).map((check) => ({
      key: bytesOf(check, 1),
      versionstamp: bytesOf(check, 2),
    })),
    mutations: bytesIn(fields, 2).map(decodeFields).map((mutation) => {
      const value = decodeFields(bytesOf(mutation, 2));
      const type = ([, "set", "delete"] as const)[numberOf(mutation, 3)];
      if (type === undefined) throw new RangeError("This server of the lab knows set and delete");
      return {
        type,
        key: bytesOf(mutation, 1),
        data: bytesOf(value, 1),
        encoding: numberOf(value, 2),
        // -1 stands for never in some clients.
        expireAtMs: Math.max(0, numberOf(mutation, 4)),
      };
    }),
  };
}

/** Encodes `SnapshotReadOutput`, one list of entries for each range. */
export function encodeReadOutput(ranges: readonly (readonly KvEntry[])[]): Uint8Array<ArrayBuffer> {
  return join(
    ...ranges.map((entries) =>
      bytesField(1, join(...entries.map((entry) => bytesField(1, encodeEntry(entry)))))
    ),
    numberField(4, 1),
    numberField(8, SUCCESS),
  );
}

/** Encodes `AtomicWriteOutput` of a commit, or of a conflict where there is no versionstamp. */
export function encodeWriteOutput(versionstamp: Uint8Array | undefined): Uint8Array<ArrayBuffer> {
  return versionstamp === undefined
    ? numberField(1, CHECK_FAILURE)
    : join(numberField(1, SUCCESS), bytesField(2, versionstamp));
}

function encodeEntry({ key, data, encoding, versionstamp }: KvEntry): Uint8Array {
  return join(
    bytesField(1, key),
    bytesField(2, data),
    numberField(3, encoding),
    bytesField(4, versionstamp),
  );
}

function decodeFields(bytes: Uint8Array): Fields {
  const fields = new Map<number, (bigint | Uint8Array)[]>();
  let at = 0;

  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n;; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  while (at < bytes.length) {
    const tag = Number(varint());
    const values = fields.get(tag >>> 3) ?? [];
    fields.set(tag >>> 3, values);
    if ((tag & 7) === 0) values.push(varint());
    else {
      const length = Number(varint());
      values.push(bytes.subarray(at, at += length));
    }
  }
  return fields;
}

function bytesIn(fields: Fields, number: number): Uint8Array[] {
  return (fields.get(number) ?? []).filter((value) => value instanceof Uint8Array);
}

function bytesOf(fields: Fields, number: number): Uint8Array {
  return bytesIn(fields, number).at(-1) ?? new Uint8Array();
}

function numberOf(fields: Fields, number: number): number {
  const value = fields.get(number)?.at(-1) ?? 0n;
  return typeof value === "bigint" ? Number(BigInt.asIntN(64, value)) : 0;
}

function numberField(number: number, value: number): Uint8Array<ArrayBuffer> {
  return join(varint(number << 3), varint(value));
}

function bytesField(number: number, value: Uint8Array): Uint8Array {
  return join(varint(number << 3 | 2), varint(value.length), value);
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push(left % 0x80 | 0x80);
  return Uint8Array.from([...bytes, left]);
}

const STRING = 0x02;
const DOUBLE = 0x21;

/** The strings and numbers of a key; a prefix may end with a byte that is no part. */
export function decodeKey(key: Uint8Array): (string | number)[] {
  const parts: (string | number)[] = [];
  for (let at = 0; at < key.length;) {
    const tag = key[at++];
    if (tag === DOUBLE) {
      // Stored so that bytes sort as numbers do; none is negative here.
      const bytes = key.slice(at, at += 8);
      bytes[0] = (bytes[0] ?? 0) ^ 0x80;
      parts.push(new DataView(bytes.buffer).getFloat64(0));
    } else if (tag === STRING) {
      const end = key.indexOf(0, at);
      parts.push(new TextDecoder().decode(key.subarray(at, end)));
      at = end + 1;
    } else break;
  }
  return parts;
}
