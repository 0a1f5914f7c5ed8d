import { assertEquals } from "@std/assert";
import { contenthashText } from "../../src/chain/contenthash.ts";

Deno.test("contenthashText() gives the name in an IPNS contenthash without what a terminal would obey", () => {
  // "a", ESC, RIGHT-TO-LEFT OVERRIDE, "b" as the name.
  assertEquals(
    contenthashText("0xe501017000" + "06" + "611be280ae62" as `0x${string}`),
    "ipns://ab",
  );
});

Deno.test("contenthashText() does so with an onion address too", () => {
  assertEquals(contenthashText("0xbc03611b62"), "onion://ab");
});

Deno.test("contenthashText() has nothing to say of no contenthash, nor of one that is absurdly long", () => {
  assertEquals(contenthashText("0x"), "");
  assertEquals(contenthashText(`0xe301${"00".repeat(2_000)}`), "");
});
