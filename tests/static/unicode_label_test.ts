import { assertEquals } from "@std/assert";
import { readableBehind, toALabel, toPlainLetters, toULabel } from "../../static/unicode_label.js";

Deno.test("toALabel() and toULabel() convert a label there and back, and have none for what is no such form", () => {
  // deno-fmt-ignore -- a table
  const cases = [
    ["café", "xn--caf-dma"], ["bücher", "xn--bcher-kva"], ["日本語", "xn--wgv71a119e"],
    ["пример", "xn--e1afmkfd"], ["مثال", "xn--mgbh0fb"], ["i♥ny", "xn--iny-zx5a"],
    ["😀", "xn--e28h"],
  ] as const;
  for (const [unicode, ascii] of cases) {
    assertEquals([toALabel(unicode), toULabel(ascii)], [ascii, unicode]);
  }
  // What a URL would read as something else.
  for (const text of ["a/b", "a@b", "a:1", "é?", "é#", "a_é", "", "\u200d"]) {
    assertEquals(toALabel(text), undefined, text);
  }
  assertEquals(toALabel("１２"), "12");
  const names = ["xn--caf-dma", "xn--e1afmkfd.xn--p1ai", "cafe.com"];
  assertEquals(names.map(readableBehind), [" (café)", " (пример.рф)", ""]);
  // "xn--a-" is the text "a", "xn--Caf-dma" is not in lower case, and "xn--km63r" is beyond the last character.
  const labels = ["cafe", "xn--", "xn--a-", "xn--99999999999", "xn--a!", "xn--Caf-dma", "xn--zz"];
  for (const label of [...labels, "xn--km63r"]) assertEquals(toULabel(label), undefined, label);
});

Deno.test("toPlainLetters() takes marks off, and spells out letters that have none", () => {
  assertEquals(toPlainLetters("crème brûlée"), "creme brulee");
  assertEquals(toPlainLetters("søren straße łódź æon"), "soren strasse lodz aeon");
  assertEquals(toPlainLetters("日本"), "日本");
});
