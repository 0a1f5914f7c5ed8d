/** ABI encodings that are small as bytes and large once decoded. */
import { type Hex, numberToHex } from "viem";

/** One word, without `0x`. */
export function wordOf(value: number): string {
  return numberToHex(value, { size: 32 }).slice(2);
}

/** A `bytes[]`, `string[]` or `(bool, bytes)[]` whose offsets all point at one element, or `step` bytes further each. */
export function aliasedArray(items: number, itemSize: number, step = 0): Hex {
  const words = [32, items, ...Array.from({ length: items }, (_, n) => 32 * items + step * n)];
  const element = wordOf(itemSize) + "00".repeat(itemSize + 32);
  return `0x${words.map(wordOf).join("")}${element}`;
}
