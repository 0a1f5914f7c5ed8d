import { assert, assertEquals, assertNotMatch } from "@std/assert";
import fc from "fast-check";
import { harmlessText } from "../../src/rules/ens.ts";

Deno.test("harmlessText() keeps words of every script and emoji", () => {
  for (const text of ["", "plain", "Grüße, 世界", "שלום عليكم", "👩‍🚀🏳️‍🌈", "a\u00a0b"]) {
    assertEquals(harmlessText(text), text);
  }
});

Deno.test("harmlessText() drops control and bidi characters", () => {
  assertEquals(harmlessText("a\u0000b\u001b[31mc\u202Ed\u2066e\u200Ff\u009bg"), "ab[31mcdefg");
});

Deno.test("harmlessText() joins lines with spaces", () => {
  assertEquals(harmlessText("one\r\ntwo\u2028three\tfour"), "one two three four");
  assertEquals(harmlessText("V\vVI\fVII\u0085VIII\u2029IX"), "V VI VII VIII IX");
});

Deno.test("harmlessText() cuts a megabyte to 4 KiB, never within a character", () => {
  assertEquals(harmlessText("x".repeat(1_048_576)), "x".repeat(4_096));
  assertEquals(harmlessText("€".repeat(9_999)), "€".repeat(1_365));
  assertEquals(harmlessText("a" + "😀".repeat(9_999)), "a" + "😀".repeat(1_023));
  assertEquals(harmlessText(`${"\u0000".repeat(8_191)}ab`), "a", "8 KiB are searched, no more");
});

Deno.test("harmlessText() returns no control character for any input", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 9_000 }), (text) => {
    const shown = harmlessText(text);
    assertNotMatch(shown, /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
    assert(shown.isWellFormed());
    assert(new TextEncoder().encode(shown).length <= 4_096);
  }));
});
