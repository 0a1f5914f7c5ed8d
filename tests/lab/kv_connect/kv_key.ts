/** Keys of Deno KV as their bytes hold them: the tuple layer of FoundationDB, as far as Deno uses it. */

const BYTES = 0x01;
const STRING = 0x02;
const INT_ZERO = 0x14;
const DOUBLE = 0x21;
const FALSE = 0x26;
const TRUE = 0x27;
const ESCAPE = 0xff;
/** Integers of up to eight bytes have their length in the tag; longer ones, which no test here uses, do not. */
const INT_LONGEST = 8;

/** Decodes a key. Throws a RangeError where it is malformed or holds an integer of more than 64 bits. */
export function decodeKey(key: Uint8Array): Deno.KvKey {
  const parts: Deno.KvKeyPart[] = [];
  let at = 0;

  function take(length: number): Uint8Array {
    if (at + length > key.length) throw new RangeError("Cannot decode key: it is cut short");
    at += length;
    return key.subarray(at - length, at);
  }

  function takeEscaped(): Uint8Array {
    const bytes: number[] = [];
    for (;;) {
      const [byte = 0] = take(1);
      // A zero ends the part, but where 0xff follows it is a zero of the part.
      if (byte === 0 && key[at] !== ESCAPE) return Uint8Array.from(bytes);
      if (byte === 0) at++;
      bytes.push(byte);
    }
  }

  function takeInt(length: number): bigint {
    const size = Math.abs(length);
    const raw = take(size).reduce((sum, byte) => sum << 8n | BigInt(byte), 0n);
    return length < 0 ? raw - ((1n << BigInt(8 * size)) - 1n) : raw;
  }

  function takeDouble(): number {
    const bytes = take(8).slice();
    // Stored so that bytes sort as numbers do: positive ones with the sign bit set, negative ones inverted.
    if ((bytes[0] ?? 0) & 0x80) bytes[0] = (bytes[0] ?? 0) ^ 0x80;
    else bytes.forEach((byte, n) => void (bytes[n] = byte ^ 0xff));
    return new DataView(bytes.buffer).getFloat64(0);
  }

  while (at < key.length) {
    const [tag = 0] = take(1);
    if (tag === BYTES) parts.push(takeEscaped());
    else if (tag === STRING) parts.push(new TextDecoder().decode(takeEscaped()));
    else if (Math.abs(tag - INT_ZERO) <= INT_LONGEST) parts.push(takeInt(tag - INT_ZERO));
    else if (tag === DOUBLE) parts.push(takeDouble());
    else if (tag === FALSE || tag === TRUE) parts.push(tag === TRUE);
    else throw new RangeError(`Cannot decode key: tag ${tag} is unknown`);
  }
  return parts;
}
