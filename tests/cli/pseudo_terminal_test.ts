import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Lab } from "../lab/lab.ts";
import { type InstalledPackage, testsOfPackage } from "../support/installed_package.ts";

/** Those of util-linux make a pseudo-terminal; others take other arguments. */
const HAS_SCRIPT = await new Deno.Command("script", { args: ["--version"] }).output()
  .then(({ stdout }) => new TextDecoder().decode(stdout).includes("util-linux"), () => false);

const CTRL_C = "\x03";
/** Erases the progress line before the next text is written. */
const CLEAR = "\r\x1b[2K";

/** Runs the package's command on a terminal of that width, and types Ctrl-C once it shows `enough`. */
async function runOnTerminal(
  { commandOf }: InstalledPackage,
  { lab, columns, args, enough }: { lab: Lab; columns: number; args: string[]; enough: string },
): Promise<{ code: number; text: string }> {
  const env = { SHELL: "/bin/sh", TERM: "xterm-256color", NO_COLOR: "" };
  const { command, args: words, ...options } = commandOf(lab, args, env);
  const line = [command, ...words].map((word) => `'${word}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qec", `stty cols ${columns} && exec ${line}`, "/dev/null"],
    ...options,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const keys = child.stdin.getWriter();
  let text = "";
  let typed = false;
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (typed || !text.includes(enough)) continue;
    typed = true;
    await keys.write(new TextEncoder().encode(CTRL_C));
  }
  await keys.close().catch(() => {});
  return { code: (await child.status).code, text };
}

const test = testsOfPackage({ ignore: !HAS_SCRIPT });

test("has colours and a progress line on terminals of any width, ends on Ctrl-C, and resumes", async ({ installed, lab }) => {
  lab.script("stuck.com", { dns: "silent", rdap: "free" });
  const enough = "2/3 checked";
  const args = ["free-name.com", "taken.com", "stuck.com"];
  for (const columns of [60, 80, 120]) {
    const { code, text } = await runOnTerminal(installed, { lab, columns, args, enough });
    assertEquals(code, 130);
    assert(text.includes("\x1b[32m✓ Available\x1b[0m  free-name.com"), text);
    assert(text.includes("\x1b[31m✗ Taken    \x1b[0m  taken.com"), text);
    const drawn = text.split(CLEAR).slice(1).map((part) => part.split(/\r|\^C/, 1)[0] ?? "");
    assert(drawn.some((line) => line.includes(enough)), text);
    // On a busy machine a result may follow an erased line, too.
    const progress = drawn.filter((line) => line.includes(" checked"));
    assertEquals(progress.filter((line) => line.length >= columns), []);
    assertMatch(text, /\r\nInterrupted: 2 domains in \d+\.\d s: 1 available, 1 taken\r\n/);
    // The runs share KV, so each after the first resumes.
    assertEquals(text.includes("from the cache"), columns > 60);
  }
});
