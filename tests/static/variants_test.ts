import { assert, assertEquals } from "@std/assert";
import { domainOf, parseInput } from "../../static/parse_input.js";
import { variantsOf } from "../../static/variants.js";

const variants = (name: string, tlds: string[] = [], max?: number) =>
  variantsOf(name, tlds, max).map(domainOf);

Deno.test("variantsOf() completes the word by a TLD first, the longest one before others", () => {
  const first = variants("riverstone", ["com", "ne", "one"], 3);
  assertEquals(first, ["riverst.one", "riversto.ne", "river-stone"]);
  // What is left before the TLD would be too short, or end in a hyphen.
  for (const name of ["aio", "io", "studi-io"]) {
    assertEquals(variants(name, ["io"]).filter((variant) => variant.endsWith(".io")), []);
  }
});

Deno.test("variantsOf() sets a hyphen before a known word, and has none of a name with one", () => {
  assertEquals(variants("riverstone")[0], "river-stone");
  assertEquals(variants("river-stone"), []);
  assertEquals(variants("acme").filter((variant) => variant.includes("-")), []);
  assertEquals(variants("mystone").includes("my-stone"), false);
});

Deno.test("variantsOf() forms the plural, or the singular of a plural", () => {
  // deno-fmt-ignore -- a table
  const cases = [
    ["acme", "acmes"], ["acmes", "acme"], ["box", "boxes"], ["boxes", "box"],
    ["city", "cities"], ["day", "days"], ["glass", "glasses"],
  ] as const;
  for (const [name, expected] of cases) assert(variants(name).includes(expected), name);
});

Deno.test("variantsOf() has prefixes and suffixes in turn, each variant once, eight at most", () => {
  const inTurn = "acmes getacme acmeapp tryacme acmehq useacme acmelabs myacme";
  assertEquals(variants("acme").join(" "), inTurn);
  assertEquals(variants("acme", [], 100).length, new Set(variants("acme", [], 100)).size);
});

Deno.test("variantsOf() has only names that can be checked, and none for an encoded label", () => {
  for (const name of ["a", "a-b", "x".repeat(62), "x".repeat(63)]) {
    for (const variant of variants(name, ["com"])) {
      assertEquals(parseInput(variant).kind, "name", variant);
    }
  }
  assertEquals(variants("xn--caf-dma", ["ma"]), []);
});
