import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runKeys } from "../../src/cli/keys.ts";
import { createKeys } from "../../src/store/keys.ts";

/** Runs commands on one KV, as a person would. */
async function openShell() {
  const kv = await Deno.openKv(":memory:");
  let opened = 0;
  async function run(...args: string[]) {
    let out = "";
    let err = "";
    const terminal = {
      out: (text: string) => void (out += text),
      err: (text: string) => void (err += text),
    };
    const exitCode = await runKeys(args, terminal, () => {
      opened++;
      return Promise.resolve(createKeys(kv, { now: () => Date.UTC(2026, 10, 21) }));
    });
    return { exitCode, out, err };
  }
  return { run, opened: () => opened, [Symbol.dispose]: () => kv.close() };
}

Deno.test("keys create prints the key alone on stdout, once", async () => {
  using shell = await openShell();
  const made = await shell.run("create", "--label", "Ann's lab", "--limit", "600");
  assertEquals(made.exitCode, 0);
  assertMatch(made.out, /^das_[\w-]{43}\n$/);
  assertMatch(made.err, /^Made [0-9a-f]{12} {2}2026-11-21 {2}600 a minute {8}Ann's lab\n/);
  const listed = await shell.run("list");
  assertEquals(`Made ${listed.out}`, made.err.split("\n", 1)[0] + "\n");
});

Deno.test("keys list names the default limit and is empty without keys", async () => {
  using shell = await openShell();
  assertEquals(await shell.run("list"), { exitCode: 0, out: "", err: "" });
  await shell.run("create", "--label", "x");
  assertStringIncludes((await shell.run("list")).out, "default limit");
});

Deno.test("keys revoke takes the id that list shows", async () => {
  using shell = await openShell();
  await shell.run("create", "--label", "x");
  const { out } = await shell.run("list");
  const revoked = await shell.run("revoke", out.slice(0, 12));
  assertEquals(revoked, { exitCode: 0, out: `Revoked ${out}`, err: "" });
  const again = await shell.run("revoke", out.slice(0, 12));
  assertEquals(again, { exitCode: 1, out: "", err: "No key has this id\n" });
});

Deno.test("keys revoke refuses the beginning of several ids", async () => {
  using shell = await openShell();
  // With 17 keys two ids begin alike.
  for (let n = 0; n < 17; n++) await shell.run("create", "--label", "x");
  const firsts = (await shell.run("list")).out.split("\n").map((line) => line.slice(0, 1));
  const shared = firsts.find((first, n) => first !== "" && firsts.indexOf(first) !== n) ?? "";
  const { exitCode, err } = await shell.run("revoke", shared);
  assertEquals(exitCode, 1);
  assertMatch(err, /^\d+ keys have an id that begins so/);
});

Deno.test("keys --help tells how it is used", async () => {
  using shell = await openShell();
  const { exitCode, out } = await shell.run("--help");
  assertEquals([exitCode, shell.opened()], [0, 0]);
  assertMatch(out, /^Usage: deno task keys create/);
});

const WRONG: [why: string, ...args: string[]][] = [
  ["Give create, list or revoke <id>"],
  ["Give create, list or revoke <id>", "destroy"],
  ["Give create, list or revoke <id>", "list", "all"],
  ["Give create, list or revoke <id>", "revoke"],
  ["Give create, list or revoke <id>", "revoke", ""],
  ["Give create, list or revoke <id>", "revoke", "a", "b"],
  ["Give create, list or revoke <id>", "create", "x"],
  ["Only create takes options", "list", "--label", "x"],
  ["Only create takes options", "revoke", "a", "--limit", "5"],
  ["Give a --label", "create"],
  ["Give a --label", "create", "--label", " "],
  ["Give a --label", "create", "--label", "a\x1b[2J"],
  ["Give a --label", "create", "--label", "x".repeat(101)],
  ["Give a --limit from 1 to 1000000", "create", "--label", "x", "--limit", "0"],
  ["Give a --limit from 1 to 1000000", "create", "--label", "x", "--limit", "1000001"],
  ["Give a --limit from 1 to 1000000", "create", "--label", "x", "--limit", "1e3"],
  ["Unknown option '--lable'", "create", "--lable", "x"],
];

Deno.test("keys refuses a wrong use with the reason and the usage, and opens nothing", async () => {
  using shell = await openShell();
  for (const [why, ...args] of WRONG) {
    const { exitCode, out, err } = await shell.run(...args);
    assertEquals([args, exitCode, out], [args, 1, ""]);
    assertStringIncludes(err, why);
    assertStringIncludes(err, "Usage: deno task keys");
  }
  assertEquals(shell.opened(), 0);
});
