import { assertEquals } from "@std/assert";
import { concat, type Hex, slice } from "viem";
import { contenthashText, decode, words } from "../../src/chain/ens_abi.ts";
import { aliasedArray } from "../lab/chain/ens_abi.ts";

Deno.test("decode() returns the items only when there are as many as expected", () => {
  const two = aliasedArray(2, 32);
  const item = `0x${"00".repeat(32)}` as const;
  assertEquals(decode("multicall", two, 2), [item, item]);
  for (const items of [0, 1, 3]) assertEquals(decode("multicall", two, items), undefined);
  const elsewhere = concat([words(64, 2), slice(aliasedArray(900, 32), 32)]);
  assertEquals(decode("multicall", elsewhere, 2), undefined, "the count is not the array's");
});

const TEXTS: [what: string, contenthash: Hex, text: string][] = [
  // "a", ESC, RIGHT-TO-LEFT OVERRIDE, "b" as the name.
  ["an IPNS name with control characters", "0xe50101700006611be280ae62", "ipns://ab"],
  ["an onion address with control characters", "0xbc03611b62", "onion://ab"],
  ["none", "0x", ""],
  ["one that is too long", `0xe301${"00".repeat(2_000)}`, ""],
  ["an IPNS name of names", "0xe5010170000568656c6c6f", "ipns://hello"],
  ["an IPNS name of keys", "0xe5010172000568656c6c6f", "ipns://hello"],
  ["an IPNS name of raw bytes", "0xe5010155000568656c6c6f", "ipns://hello"],
  ["an IPNS name in the version before", "0xe5010070000568656c6c6f", "ipns://hello"],
  ["an IPNS name longer than need be", "0xe581008100f2008000850068656c6c6f", "ipns://hello"],
];

Deno.test("contenthashText() returns a harmless text, without a warning of the library", () => {
  const warnings: unknown[] = [];
  const { warn } = console;
  Object.assign(console, { warn: (...words: unknown[]) => warnings.push(words) });
  try {
    for (const [what, contenthash, text] of TEXTS) {
      assertEquals(contenthashText(contenthash), text, what);
    }
  } finally {
    Object.assign(console, { warn });
  }
  assertEquals(warnings, []);
});
