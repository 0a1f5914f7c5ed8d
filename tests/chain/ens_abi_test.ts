import { assertEquals } from "@std/assert";
import { concat, slice } from "viem";
import { decode, words } from "../../src/chain/ens_abi.ts";
import { aliasedArray } from "../lab/chain/aliased_array.ts";

const ITEMS = aliasedArray(2, 32);

Deno.test("decode() returns the items when there are as many as expected", () => {
  const item = `0x${"00".repeat(32)}` as const;
  assertEquals(decode("multicall", ITEMS, 2), [item, item]);
});

for (const items of [0, 1, 3]) {
  Deno.test(`decode() returns undefined when ${items} items are expected and two are there`, () => {
    assertEquals(decode("multicall", ITEMS, items), undefined);
  });
}

Deno.test("decode() returns undefined when the count that it reads is not that of the array", () => {
  const elsewhere = concat([words(64, 2), slice(aliasedArray(900, 32), 32)]);
  assertEquals(decode("multicall", elsewhere, 2), undefined);
});
