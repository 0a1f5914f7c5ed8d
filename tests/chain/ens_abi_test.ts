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

// deno-fmt-ignore -- one row a line
const TEXTS: [what: string, contenthash: Hex, text: string][] = [
  ["an IPNS key", "0xe501017200240801122029f2d17be6139079dc48696d1f582a8530eb9805b561eda517e22a892c7e3f1f", "ipns://k51qzi5uqu5dh887mvidx1r2ltrmvd6mbis4tgnni81yy5frxmgnrlez8866n3"],
  ["an IPNS name", "0xe5010170000f6170702e756e69737761702e6f7267", "ipns://app.uniswap.org"],
  ["an onion address", "0xbc037a71746b6c776934666563766f367269", "onion://zqtklwi4fecvo6ri"],
  ["a long onion address", "0xbd037035336c663537716f7679757677736336786e72707079706c79337674716d376c3670636f626b6d797173696f6679657a6e667535757164", "onion3://p53lf57qovyuvwsc6xnrppyply3vtqm7l6pcobkmyqsiofyeznfu5uqd"],
  ["Skynet", "0x90b2c60508004007fd43b74149b31aacbbf2784e874d09b086bed15fd54cacff7120cce95372", "sia://CABAB_1Dt0FJsxqsu_J4TodNCbCGvtFf1Uys_3EgzOlTcg"],
  ["Swarm", "0xe40101fa011b20d1de9994b4d039f6548d191eb26786769f580809256b4685ef316805265ea162", "bzz://d1de9994b4d039f6548d191eb26786769f580809256b4685ef316805265ea162"],
  // Shown as hexadecimal.
  ["an unknown codec", "0xfe0100deadbeef", "0xfe0100deadbeef"],
  ["no contenthash", "0xdeadbeef", "0xdeadbeef"],
  ["one that is cut off", "0xe301017012", "0xe301017012"],
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
