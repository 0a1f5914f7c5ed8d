import { assert, assertEquals } from "@std/assert";
import { type OptionRow, OPTIONS } from "../../src/cli/check_options.ts";
import { runCli } from "../support/cli.ts";

const none = () => Promise.reject(new Error("the checker was opened"));

Deno.test("--help has every option with its short form, and no other", async () => {
  const { code, out } = await runCli(["--help"], none);
  assertEquals(code, 0);
  const found = new Set(out.match(/(?<=(?<!\w)--)[a-z][a-z-]*/g));
  assertEquals([...found].toSorted(), Object.keys(OPTIONS).toSorted());
  for (const [name, { short }] of Object.entries<OptionRow>(OPTIONS)) {
    if (short !== undefined) assert(out.includes(`\n  -${short}, --${name}`), out);
  }
});

Deno.test("--help fits on one screen, and ends with three examples", async () => {
  const { out } = await runCli(["--help"], none);
  const lines = out.trimEnd().split("\n");
  assert(lines.length <= 40, `${lines.length} lines`);
  assertEquals(lines.filter((line) => line.length > 80), []);
  assertEquals(lines.slice(lines.indexOf("Examples:") + 1).length, 3);
});

Deno.test("deno task check rejects options that are gone as unknown", async () => {
  for (const option of ["--man", "--completions=bash", "--hack", "--pattern=a"]) {
    const { code, err } = await runCli(["acme", option], none);
    assertEquals([code, err.includes(option.split("=")[0]!)], [1, true], err);
  }
});
