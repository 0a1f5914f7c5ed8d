import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  numberToHex,
  parseAbiParameters,
  size,
} from "viem";
import { readAbi } from "../../src/chain/read_abi.ts";
import { aliasedArray } from "../lab/chain/aliased_array.ts";

const MOST_ITEMS = 8;

/** The supported types, with values that viem can encode. */
const SHAPES: { parameters: readonly AbiParameter[]; values: fc.Arbitrary<unknown[]> }[] = [
  ["(bool success, bytes returnData)[]", [
    list(fc.record({ success: fc.boolean(), returnData: bytes() })),
  ]],
  ["bytes, address", [bytes(), address()]],
  ["bytes[]", [list(bytes())]],
  ["string", [fc.string({ unit: "binary" })]],
  ["address, string[], bytes, bytes4, bytes", [
    address(),
    list(fc.string({ unit: "binary" })),
    bytes(),
    fixedBytes(4),
    bytes(),
  ]],
  ["(address sender, string[] urls, bytes data)[]", [
    list(fc.record({ sender: address(), urls: list(fc.string()), data: bytes() })),
  ]],
  ["bool[], bytes[]", [list(fc.boolean()), list(bytes())]],
  ["(uint256 base, uint256 premium), bool", [
    fc.record({ base: word(), premium: word() }),
    fc.boolean(),
  ]],
].map(([types, values]) => ({
  parameters: parseAbiParameters(types as string),
  values: fc.tuple(...values as fc.Arbitrary<unknown>[]),
}));

function bytes() {
  return fc.uint8Array({ maxLength: 600, size: "max" }).map((content): Hex =>
    `0x${content.toHex()}`
  );
}

function fixedBytes(length: number) {
  return fc.uint8Array({ minLength: length, maxLength: length })
    .map((content): Hex => `0x${content.toHex()}`);
}

function address() {
  return fixedBytes(20);
}

function word() {
  return fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
}

function list<T>(item: fc.Arbitrary<T>) {
  return fc.array(item, { maxLength: MOST_ITEMS });
}

for (const { parameters, values } of SHAPES) {
  const types = parameters.map(({ type }) => type).join(", ");

  Deno.test(`readAbi() reads what viem decodes when viem has encoded ${types}`, () => {
    fc.assert(fc.property(values, (encoded) => {
      const data = encodeAbiParameters(parameters, encoded);
      const read = readAbi(parameters, data, { mostItems: MOST_ITEMS });
      assertEquals(read, decodeAbiParameters(parameters, data));
    }));
  });

  Deno.test(`readAbi() returns at most as many bytes as its input when words of ${types} change`, () => {
    const changes = fc.array(fc.oneof(newWord(), copiedWord()), { maxLength: 4 });
    fc.assert(
      fc.property(values, changes, (encoded, changed) => {
        const data = changed.reduce(
          (data, change) => change(data),
          encodeAbiParameters(parameters, encoded),
        );
        const read = readAbi(parameters, data, { mostItems: MOST_ITEMS });
        if (read === undefined) return;
        assert(bytesIn(read) <= size(data), `${bytesIn(read)} of ${size(data)} bytes`);
        // Reads changed words as viem does.
        assertEquals(read, decodeAbiParameters(parameters, data));
      }),
      { numRuns: 1_000, seed: 7 },
    );
  });
}

/** Positions of words at the start of the data, where most offsets are. */
const PLACES = fc.nat(16);

type Change = (data: Hex) => Hex;

/** Writes an offset, a length or another number at one position. */
function newWord(): fc.Arbitrary<Change> {
  const value = fc.oneof(
    fc.nat(40).map((words) => BigInt(words) * 32n),
    fc.nat(600).map(BigInt),
    word(),
  );
  return fc.tuple(PLACES, value).map(([place, value]) => (data) =>
    putWord(data, place, numberToHex(value, { size: 32 }).slice(2))
  );
}

/** Copies the word of one position to others: offsets then share their target. */
function copiedWord(): fc.Arbitrary<Change> {
  return fc.tuple(PLACES, PLACES, fc.nat(8)).map(([from, to, times]) => (data) => {
    const copied = data.slice(2 + 64 * from, 2 + 64 * from + 64);
    const places = Array.from({ length: times }, (_, n) => to + n);
    return copied.length < 64 ? data : places.reduce((d, place) => putWord(d, place, copied), data);
  });
}

/** The data with another word at a position, if it is long enough. */
function putWord(data: Hex, place: number, digits: string): Hex {
  const at = 2 + 64 * place;
  return at + 64 > data.length ? data : `0x${data.slice(2, at)}${digits}${data.slice(at + 64)}`;
}

/** The memory of values: text at its minimum, a number or a flag as a word. */
function bytesIn(value: unknown): number {
  if (typeof value === "string") return value.startsWith("0x") ? size(value as Hex) : value.length;
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + bytesIn(one), 0);
}

const BYTES_ARRAY = parseAbiParameters("bytes[]");

for (const items of [2, 8, 8_000]) {
  Deno.test(`readAbi() refuses ${items} offsets to one element before it takes the second slice`, () => {
    const { data, slices } = countSlices(aliasedArray(items, 400_000));
    assertEquals(readAbi(BYTES_ARRAY, data, { mostItems: 100_000 }), undefined);
    // At most all words and the one element.
    assert(slices() <= 2 * size(data), `${slices()} digits were copied`);
  });
}

Deno.test("readAbi() refuses an array with more than mostItems items before it reads one", () => {
  const { data, slices } = countSlices(aliasedArray(9, 32));
  assertEquals(readAbi(BYTES_ARRAY, data, { mostItems: 8 }), undefined);
  assertEquals(slices(), 2 * 64, "the array's offset and its length");
});

Deno.test("readAbi() refuses elements that overlap without being the same", () => {
  assertEquals(readAbi(BYTES_ARRAY, aliasedArray(8, 64, 32), { mostItems: 8 }), undefined);
});

for (const data of ["0x", "0x0", "0x00", `0x${"ff".repeat(96)}`, `0x${"zz".repeat(96)}`] as const) {
  Deno.test(`readAbi() returns undefined when the data is ${data.slice(0, 6)}, ${data.length} long`, () => {
    assertEquals(readAbi(BYTES_ARRAY, data, { mostItems: 8 }), undefined);
  });
}

/** The data, and the number of digits sliced from it. */
function countSlices(data: Hex): { data: Hex; slices: () => number } {
  let taken = 0;
  const digits = {
    length: data.length - 2,
    slice(from: number, to: number) {
      const part = data.slice(2 + from, 2 + to);
      taken += part.length;
      return part;
    },
  };
  const counting = { length: data.length, slice: () => digits };
  return { data: counting as unknown as Hex, slices: () => taken };
}
