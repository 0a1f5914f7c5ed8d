import { assertEquals } from "@std/assert";
import { parseInput } from "../../static/parse_input.js";

Deno.test("parseInput() reads names, domains and URLs", () => {
  // deno-fmt-ignore -- a table
  const cases: [string, { name: string; tld: string } | undefined][] = [
    ["my-name", { name: "my-name", tld: "" }],
    ["  My Cool Name ", { name: "mycoolname", tld: "" }],
    ["name.com", { name: "name", tld: "com" }],
    ["name.co.uk.", { name: "name", tld: "co.uk" }],
    ["https://www.name.com/path?x=1#y", { name: "name", tld: "com" }],
    ["name.eth", { name: "name", tld: "eth" }],
    ["", undefined],
    ["   ", undefined],
    ["bücher", undefined],
    ["a_b", undefined],
    [".com", undefined],
    ["x".repeat(64), undefined],
  ];
  for (const [text, expected] of cases) {
    const parsed = parseInput(text);
    const name = parsed.kind === "name" ? { name: parsed.name, tld: parsed.tld } : undefined;
    assertEquals(name, expected, text);
  }
});
