import { assertEquals } from "@std/assert";
import { encodeFunctionResult } from "viem";
import { ABI } from "../../src/chain/abi.ts";
import { decode, decodeAggregate } from "../../src/chain/aggregate.ts";
import { aliasedArray } from "../lab/chain/aliased_array.ts";

const RETURNED = encodeFunctionResult({
  abi: ABI,
  functionName: "aggregate3",
  result: [
    { success: true, returnData: "0x0102" },
    { success: false, returnData: "0x" },
  ],
});

Deno.test("decodeAggregate() returns one result for each call, in order", () => {
  assertEquals(decodeAggregate(RETURNED, 2), [
    { success: true, data: "0x0102" },
    { success: false, data: "0x" },
  ]);
});

for (const count of [0, 1, 3, 100]) {
  Deno.test(`decodeAggregate() returns undefined when ${count} calls get two results`, () => {
    assertEquals(decodeAggregate(RETURNED, count), undefined);
  });
}

Deno.test("decodeAggregate() returns undefined when results share their bytes", () => {
  assertEquals(decodeAggregate(aliasedArray(9, 64), 9), undefined);
});

Deno.test("decode() returns undefined for an array of a function that returns none", () => {
  assertEquals(decode("multicall", aliasedArray(1, 32)), undefined);
});
