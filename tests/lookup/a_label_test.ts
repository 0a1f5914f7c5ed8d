import { assertEquals } from "@std/assert";
import { isALabel } from "../../src/lookup/a_label.ts";

const LABELS: [string, boolean, string][] = [
  ["xn--bcher-kva", true, "bücher"],
  ["xn--fa-hia", true, "faß, which older rules wrote as fass"],
  ["xn--55qx5d", true, "Chinese"],
  ["xn--zckzah", true, "Japanese"],
  ["xn--mgbh0fb", true, "Arabic, from right to left"],
  ["xn--p1ai", true, "Cyrillic"],
  ["xn--f9dt7l", true, "Cherokee, in its capitals"],
  ["xn--mgbh6dsab", false, "Arabic that is drawn out"],
  ["xn--ypd", false, "an old jamo"],
  ["xn--a-gda1s", false, "a middle dot between other letters than l"],
  ["xn--a-jib", false, "a Greek sign before Latin"],
  ["xn--4db3e", false, "a Hebrew sign in the first place"],
  ["xn--ab-3n4a", false, "a Japanese dot without Japanese"],
  ["xn--ls8h", false, "an emoji"],
  ["xn--n3h", false, "a symbol"],
  ["xn--xn---epa", false, "xn--é: hyphens at the third and the fourth place"],
  ["xn--a", false, "no Punycode"],
  ["xn--", false, "nothing"],
  ["xn--abc-", false, "nothing but ASCII"],
  ["xn--0", false, "no Punycode either"],
  ["xn--1ugb", false, "joiners that join nothing"],
  ["xn--bcher-KVA", false, "upper case, which a label never is by now"],
];

for (const [label, isValid, what] of LABELS) {
  Deno.test(`isALabel() ${isValid ? "knows" : "refuses"} ${label}: ${what}`, () => {
    assertEquals(isALabel(label), isValid);
  });
}
