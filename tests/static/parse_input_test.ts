import { assert, assertEquals, assertMatch } from "@std/assert";
import { domainOf, MAX_NAMES, noticeOf, parseInput } from "../../static/parse_input.js";

/** What the text is parsed as, in short. */
function parsed(text: string): string {
  const input = parseInput(text);
  const shown = ({ name, tld }: { name: string; tld: string }) => tld ? `${name}|${tld}` : name;
  switch (input.kind) {
    case "name":
      return shown(input);
    case "names":
      return [...input.names.map(shown), ...input.skipped.map((one) => `-${one}`)].join(" ");
    case "choice":
      return `${input.typed}? ${input.twice ? `(twice ${input.twice}) ` : ""}${
        input.options.map(shown).join(" ")
      }`;
    case "invalid":
      return `! ${input.message}`;
    case "empty":
      return "";
  }
}

/** What texts are parsed as. */
// deno-fmt-ignore -- a table
const TEXTS: readonly (readonly [text: string, parsed: string])[] = [
  // Names, domains and URLs.
  ["my-name", "my-name"],
  ["name.com", "name|com"],
  ["name.eth", "name|eth"],
  ["www.com", "www|com"],
  ["a.name.com", "a|name.com"],
  ["com.com", "com|com"],
  ["foo.akita.akita.jp", "foo|akita.akita.jp"],
  ["x".repeat(63), "x".repeat(63)],
  ["", ""],
  [" , ", ""],
  ["https://", ""],
  // Names by spaces, commas and line breaks, each once.
  ["My Cool Name", "my cool name"],
  ["acme,\tAcme.dev;acme\n wick.io ", "acme acme|dev wick|io"],
  ["acme, acme", "acme"],
  ["café a_b foo.com", "xn--caf-dma foo|com -a_b"],
  ["acme .com &&", "acme -.com -&&"],
  [".com &&", "! Type names, such as acme acme.dev."],
  // What can be checked in place of what cannot be.
  ["Café.dev", "café? cafe|dev xn--caf-dma|dev"],
  ["bücher", "bücher? bucher buecher xn--bcher-kva"],
  ["straße", "straße? strasse xn--strae-oqa"],
  ["foo_bar", "foo_bar? foobar foo-bar"],
  ["foo&bar", "foo&bar? foobar foo-bar"],
  ["-lead", "-lead? lead"],
  ["ab--cd", "ab--cd? ab-cd"],
  ["name..com", "name..com? name|com"],
  ["name...co..uk.", "name...co..uk? name|co.uk"],
  ["foo.com.com", "foo.com.com? (twice com) foo|com"],
  ["https://Foo.co.uk.co.uk/x", "foo.co.uk.co.uk? (twice co.uk) foo|co.uk"],
  ["😀", "😀? xn--e28h"],
  ["日本語.com", "xn--wgv71a119e|com"],
  ["日本語..com", "日本語..com? xn--wgv71a119e|com"],
  ["&&", "! Use letters a–z, digits and hyphens only."],
  [".com", "! Type the name before the dot."],
  // No word that is longer than a host, and a thousand words.
  ...["x".repeat(64), "x".repeat(265), "é".repeat(60_000), `a${"-".repeat(60_000)}b`]
    .map((text) => [text, "! A name has at most 63 characters."] as const),
  [`${"& ".repeat(1_000)}name`, "! Type names, such as acme acme.dev."],
];

Deno.test("parseInput() reads names, domains and URLs, each once, or offers what can be checked instead", () => {
  for (const [text, expected] of TEXTS) assertEquals(parsed(text), expected, text.slice(0, 99));
});

Deno.test("parseInput() reads a thousand words, and 200 names of them", () => {
  const words = Array.from({ length: 1_002 }, (_, n) => `n${n}`);
  const input = parseInput([...words, "n0"].join(" "));
  assert(input.kind === "names");
  assertEquals([input.names.length, input.skipped], [MAX_NAMES, [...words.slice(MAX_NAMES), "n0"]]);
  assertMatch(noticeOf(input), /^Not checked: n200, n201, n202, n203, n204 and \d{3} more$/);
});

Deno.test("parseInput() joins a few words to one name, but not those of a list", () => {
  const joined = (text: string) => {
    const input = parseInput(text);
    return input.kind === "names" ? input.joined.map(({ name }) => name) : undefined;
  };
  assertEquals(joined("My Cool Name"), ["mycoolname", "my-cool-name"]);
  for (const text of ["river,stone", "river\nstone", "river stone.com", "a b c d", "a_b c"]) {
    assertEquals(joined(text), [], text);
  }
  assertEquals(joined(`${"x".repeat(32)} ${"x".repeat(31)}`)?.length, 1);
});

Deno.test("parseInput() checks no words of a sentence beside a list, and says so", () => {
  const parsed = parseInput(
    "Here are some ideas:\n1. **Lumora.com**\n2. NovaNest\n\nTell me which you like!",
  );
  assert(parsed.kind === "names");
  assertEquals(parsed.names.map(domainOf), ["lumora.com", "novanest"]);
  assertEquals(parsed.skipped, ["Here are some ideas", "Tell me which you like"]);
});
