/**
 * Protocol Buffers on the wire, as far as KV Connect needs them (protobuf.dev/programming-guides/encoding). Own code: a
 * package in deno.json would be downloaded by each first start of the service.
 */
import { Buffer } from "node:buffer";

/** A message as it came: for each field number its values, varints as unsigned numbers. */
export type Fields = ReadonlyMap<number, readonly (bigint | Uint8Array)[]>;

const VARINT = 0;
const LENGTH_DELIMITED = 2;
const LAST_SEVEN_BITS = 0x7fn;
const MORE_FOLLOW = 0x80;

/** Decodes a message. Throws a RangeError where it is cut short or holds a type that KV Connect does not use. */
export function decodeFields(bytes: Uint8Array): Fields {
  const fields = new Map<number, (bigint | Uint8Array)[]>();
  let at = 0;

  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n;; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError("Cannot decode message: it ends in a varint");
      value |= (BigInt(byte) & LAST_SEVEN_BITS) << shift;
      if (byte < MORE_FOLLOW) return value;
    }
  }

  function delimited(): Uint8Array {
    const length = Number(varint());
    const value = bytes.subarray(at, at + length);
    if (value.length < length) throw new RangeError("Cannot decode message: it ends in a field");
    at += length;
    return value;
  }

  while (at < bytes.length) {
    const tag = Number(varint());
    const type = tag & 7;
    if (type !== VARINT && type !== LENGTH_DELIMITED) {
      throw new RangeError(`Cannot decode message: wire type ${type} is not expected`);
    }
    const values = fields.get(tag >>> 3) ?? [];
    fields.set(tag >>> 3, values);
    values.push(type === VARINT ? varint() : delimited());
  }
  return fields;
}

/** All messages or byte strings of a repeated field. */
export function allBytes(fields: Fields, number: number): Uint8Array[] {
  return (fields.get(number) ?? []).filter((value) => value instanceof Uint8Array);
}

/** A byte string; empty where the field is absent, as proto3 has it. */
export function bytesOf(fields: Fields, number: number): Uint8Array {
  return allBytes(fields, number).at(-1) ?? new Uint8Array();
}

/** An int32, int64, enum or bool; 0 where the field is absent. */
export function numberOf(fields: Fields, number: number): number {
  const value = fields.get(number)?.at(-1) ?? 0n;
  return typeof value === "bigint" ? Number(BigInt.asIntN(64, value)) : 0;
}

/** Encodes an unsigned number, an enum or a bool. */
export function varintField(number: number, value: number): Uint8Array {
  return joinBytes(varint(number << 3 | VARINT), varint(value));
}

/** Encodes a message or a byte string. */
export function bytesField(number: number, value: Uint8Array): Uint8Array {
  return joinBytes(varint(number << 3 | LENGTH_DELIMITED), varint(value.length), value);
}

/** Encodes a packed repeated unsigned number. */
export function packedField(number: number, values: readonly number[]): Uint8Array {
  return bytesField(number, joinBytes(...values.map(varint)));
}

/** Joins encoded fields to a message. */
export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left >= MORE_FOLLOW; left = Math.floor(left / MORE_FOLLOW)) {
    bytes.push(left % MORE_FOLLOW | MORE_FOLLOW);
  }
  return Uint8Array.from([...bytes, left]);
}
