import { assertEquals, assertStringIncludes } from "@std/assert";
import { cliScreens } from "./cli_screens.ts";
import { terminalSvg } from "./terminal_svg.ts";

/** The texts of a picture, without durations. */
function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = ""]) =>
    text.replace(/\d+ ms$/, "… ms").replace(/in \d+\.\d s/, "in … s")
  );
}

Deno.test("terminalSvg() keeps columns and colours, and escapes markup", () => {
  const svg = terminalSvg(
    "\x1b[31m✗ taken \x1b[0m  a.com  <b> & c\n\n  \x1b[1mname\x1b[0m\n",
    "A & B",
  );
  assertStringIncludes(svg, "<title>A &amp; B</title>");
  assertEquals([...svg.matchAll(/<text .*/g)].map(([text]) => text), [
    '<text x="18.0" y="33" class="red">✗ taken</text>',
    '<text x="102.5" y="33">a.com</text>',
    '<text x="161.6" y="33">&lt;b&gt; &amp; c</text>',
    '<text x="34.9" y="75" class="bold">name</text>',
  ]);
});

Deno.test("the picture of the command line is up to date", async () => {
  const shown = await Deno.readTextFile(new URL("../../.github/pictures/cli.svg", import.meta.url));
  const today = terminalSvg(await cliScreens(), "");
  // Rows arrive in any order.
  assertEquals(
    textsOf(shown).toSorted(),
    textsOf(today).toSorted(),
    "run deno task picture:cli and look at the picture",
  );
});
