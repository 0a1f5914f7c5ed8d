import { assert, assertEquals, assertMatch } from "@std/assert";
import { type OptionRow, OPTIONS, SHELLS } from "../../src/cli/check_options.ts";
import { runCli } from "../support/cli.ts";

const none = () => Promise.reject(new Error("the checker was opened"));
const names = Object.keys(OPTIONS);

/** Runs a program on a text; undefined where this machine does not have it. */
async function accepts(
  command: string,
  args: string[],
  text: string,
): Promise<boolean | undefined> {
  try {
    const child = new Deno.Command(command, {
      args,
      stdin: "piped",
      stdout: "null",
      stderr: "piped",
    })
      .spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
    const { success, stderr } = await child.output();
    return success && stderr.length === 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

Deno.test("--help, the man page and the completions have every option and no other", async () => {
  const prints = ["--help", "--man", ...SHELLS.map((shell) => `--completions=${shell}`)];
  for (const print of prints) {
    const { code, out } = await runCli([print], none);
    assertEquals(code, 0);
    // roff writes a hyphen as \-, and \fB starts bold text.
    const plain = out.replaceAll("\\-", "-").replaceAll("\\fB", "");
    const option = print.endsWith("fish") ? /(?<= -l )[\w-]+/g : /(?<=(?<!\w)--)[a-z][a-z-]*/g;
    const found = new Set(plain.match(option));
    assertEquals([...found].toSorted(), names.toSorted(), print);
  }
});

Deno.test("--help fits on one screen, and ends with three examples", async () => {
  const { out } = await runCli(["--help"], none);
  const lines = out.trimEnd().split("\n");
  assert(lines.length <= 40, `${lines.length} lines`);
  assertEquals(lines.filter((line) => line.length > 80), []);
  assertEquals(lines.slice(lines.indexOf("Examples:") + 1).length, 3);
});

Deno.test("--help, the man page and the completions have the short forms of options", async () => {
  const shorts = Object.entries<OptionRow>(OPTIONS)
    .flatMap(([name, { short }]) => short === undefined ? [] : [{ name, short }]);
  assertEquals(shorts.map(({ short }) => short).join(""), "tfaesvh");
  const print = async (...args: string[]) => (await runCli(args, none)).out;
  const [help, man] = [await print("--help"), await print("--man")];
  const [zsh, fish] = [await print("--completions", "zsh"), await print("--completions", "fish")];
  for (const { name, short } of shorts) {
    assert(help.includes(`\n  -${short}, --${name}`), help);
    assert(man.includes(`\\fB\\-${short}, \\-\\-${name}`), man);
    assert(zsh.includes(`-${short}[`), zsh);
    assert(fish.includes(`-l ${name} -s ${short}`), fish);
  }
});

Deno.test("the completions offer the values of an option, and their shells read them", async () => {
  const print = async (shell: string) => (await runCli(["--completions", shell], none)).out;
  const bash = await print("bash");
  assert(await accepts("bash", ["-n"], bash) !== false);
  const asked = `${bash}
COMP_WORDS=(domain-availability --sort s) COMP_CWORD=2 && _domain_availability
[ "\${COMPREPLY[*]}" = state ] || exit 1
COMP_WORDS=(domain-availability --dry) COMP_CWORD=1 && _domain_availability
[ "\${COMPREPLY[*]}" = --dry-run ]`;
  assert(await accepts("bash", [], asked) !== false);
  assert(await accepts("zsh", ["-n"], await print("zsh")) !== false);
  assert(await accepts("fish", ["-n"], await print("fish")) !== false);
  const man = (await runCli(["--man"], none)).out;
  assert(await accepts("man", ["--warnings", "-E", "UTF-8", "-l", "-"], man) !== false);
});

Deno.test("an unknown shell is an error that lists those known", async () => {
  const { code, err } = await runCli(["--completions", "tcsh"], none);
  assertEquals(code, 1);
  assertMatch(err, /^Invalid --completions: got "tcsh", expected bash, zsh, fish\n/);
});

Deno.test("the configuration file sets options that the command line does not", async () => {
  const defaults = JSON.stringify({ tld: ["com", "io"], suffix: "hq", limit: 1 });
  const domains = async (...args: string[]) =>
    (await runCli([...args, "--dry-run"], none, { defaults })).out.trim().split("\n");
  assertEquals(await domains("acme"), ["acme.com", "acme.io"]);
  assertEquals(await domains("acme", "--tld", "net", "--limit", "2"), ["acme.net", "acmehq.net"]);
  assertEquals((await domains("acme", "--preset", "popular")).length, 5);
});

Deno.test("an invalid configuration file is an error that names it", async () => {
  const errorOf = async (defaults: string) => {
    const { code, err } = await runCli(["acme", "--dry-run"], none, { defaults });
    assertEquals(code, 1);
    return err.split("\n", 1)[0];
  };
  assertEquals(await errorOf("[]"), "Invalid config.json: expected a JSON object of options");
  assertEquals(await errorOf("{"), "Invalid config.json: expected a JSON object of options");
  assertEquals(await errorOf('{"json": true}'), 'Invalid config.json: "json" cannot be set there');
  assertEquals(
    await errorOf('{"constructor": 1}'),
    'Invalid config.json: "constructor" cannot be set there',
  );
  assertEquals(
    await errorOf('{"sort": ["name", "tld"]}'),
    'Invalid config.json: "sort" is not <order>',
  );
  assertEquals(
    await errorOf('{"sort": "no"}'),
    'Invalid --sort: got "no", expected name, state, tld',
  );
});
