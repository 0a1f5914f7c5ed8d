import { assertEquals } from "@std/assert";
import { contenthashText } from "../../src/chain/contenthash.ts";

Deno.test("contenthashText() removes control characters from the name in an IPNS contenthash", () => {
  // "a", ESC, RIGHT-TO-LEFT OVERRIDE, "b" as the name.
  assertEquals(
    contenthashText("0xe501017000" + "06" + "611be280ae62" as `0x${string}`),
    "ipns://ab",
  );
});

Deno.test("contenthashText() removes control characters from an onion address", () => {
  assertEquals(contenthashText("0xbc03611b62"), "onion://ab");
});

Deno.test("contenthashText() returns an empty text without a contenthash, and for one that is too long", () => {
  assertEquals(contenthashText("0x"), "");
  assertEquals(contenthashText(`0xe301${"00".repeat(2_000)}`), "");
});

const IPNS_NAMES: [codec: string, contenthash: `0x${string}`][] = [
  ["of names", "0xe5010170000568656c6c6f"],
  ["of keys", "0xe5010172000568656c6c6f"],
  ["of raw bytes", "0xe5010155000568656c6c6f"],
  ["of names, in the version before", "0xe5010070000568656c6c6f"],
  ["written longer than need be", "0xe581008100f2008000850068656c6c6f"],
];

for (const [codec, contenthash] of IPNS_NAMES) {
  Deno.test(`contenthashText() reads an IPNS name with a codec ${codec} without a warning`, () => {
    const warnings: unknown[] = [];
    const { warn } = console;
    Object.assign(console, { warn: (...words: unknown[]) => warnings.push(words) });
    try {
      assertEquals(contenthashText(contenthash), "ipns://hello");
    } finally {
      Object.assign(console, { warn });
    }
    assertEquals(warnings, []);
  });
}
