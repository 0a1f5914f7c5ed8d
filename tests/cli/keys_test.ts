import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runKeys } from "../../src/cli/keys.ts";
import { createKeys, type Keys } from "../../src/store/keys.ts";
import { recordedTerminal } from "../support/cli.ts";
import { FakeTime } from "../support/fake_time.ts";

/** Runs commands on one KV. */
async function openShell() {
  const kv = await Deno.openKv(":memory:");
  let opened = 0;
  async function run(...args: string[]) {
    const { written, ...terminal } = recordedTerminal();
    const exitCode = await runKeys(args, terminal, () => {
      opened++;
      return Promise.resolve(createKeys(kv, { now: () => Date.UTC(2026, 10, 21) }));
    });
    return { exitCode, ...written };
  }
  return { run, opened: () => opened, [Symbol.dispose]: () => kv.close() };
}

Deno.test("keys create prints only the key on stdout, once, list prints each key, and revoke revokes the id that it shows", async () => {
  using shell = await openShell();
  const nothing = { exitCode: 0, out: "", err: "" };
  assertEquals(await shell.run("list"), nothing);
  const made = await shell.run("create", "--label", "Ann's lab", "--limit", "600");
  assertEquals(made.exitCode, 0);
  assertMatch(made.out, /^das_[\w-]{43}\n$/);
  assertMatch(made.err, /^Created [0-9a-f]{12} {2}2026-11-21 {2}600 per minute {6}Ann's lab\n/);
  const { out: first } = await shell.run("list");
  assertEquals(`Created ${first}`, made.err.split("\n", 1)[0] + "\n");
  await shell.run("create", "--label", "x");
  const listed = (await shell.run("list")).out.split(/(?<=\n)/);
  const [other = ""] = listed.filter((line) => line !== first);
  assertEquals(listed.length, 2);
  assertMatch(other, /^[0-9a-f]{12} {2}2026-11-21 {2}default limit {7}x\n$/);
  const id = other.slice(0, 12);
  assertEquals(await shell.run("revoke", id), { ...nothing, out: `Revoked ${other}` });
  const unknown = { exitCode: 1, out: "", err: "No key has this id\n" };
  assertEquals(await shell.run("revoke", id), unknown);
});

Deno.test("keys revoke refuses a prefix of several ids", async () => {
  const { written, ...terminal } = recordedTerminal();
  const revoke = () => Promise.resolve({ kind: "ambiguous", count: 2 } as const);
  const open = () => Promise.resolve({ revoke } as unknown as Keys);
  assertEquals(await runKeys(["revoke", "7"], terminal, open), 1);
  assertMatch(written.err, /^2 keys have an id with this prefix/);
});

const INVALID: [message: string, ...args: string[]][] = [
  ["Expected create, list or revoke <id>"],
  ["Expected create, list or revoke <id>", "destroy"],
  ["Expected create, list or revoke <id>", "list", "all"],
  ["Expected create, list or revoke <id>", "revoke"],
  ["Expected create, list or revoke <id>", "revoke", ""],
  ["Expected create, list or revoke <id>", "revoke", "a", "b"],
  ["Expected create --label", "create", "x", "--limit", "5"],
  ["--label and --limit require create", "list", "--label", ""],
  ["--label and --limit require create", "revoke", "a", "--limit", "5"],
  ["Expected create --label <1 to 100", "create"],
  ["Expected create --label <1 to 100", "create", "--label", " "],
  ["Expected create --label <1 to 100", "create", "--label", "a\x1b[2J"],
  ["Expected create --label <1 to 100", "create", "--label", "x".repeat(101)],
  ['Invalid --limit: got "0", expected 1 to 1000000', "create", "--label", "x", "--limit", "0"],
  ['Invalid --limit: got "1000001"', "create", "--label", "x", "--limit", "1000001"],
  ['Invalid --limit: got "1e3"', "create", "--label", "x", "--limit", "1e3"],
  ["Unknown option '--lable'", "create", "--lable", "x"],
];

Deno.test("keys prints the usage for --help, with a message for invalid arguments, without opening KV", async () => {
  using shell = await openShell();
  const help = await shell.run("--help");
  assertEquals([help.exitCode, help.err], [0, ""]);
  assertMatch(help.out, /^Usage: deno task keys create/);
  for (const [message, ...args] of INVALID) {
    const { exitCode, out, err } = await shell.run(...args);
    assertEquals([args, exitCode, out], [args, 1, ""]);
    assertStringIncludes(err, message);
    assertStringIncludes(err, "Usage: deno task keys");
  }
  assertEquals(shell.opened(), 0);
});

Deno.test("keys list gives KV half a minute, and its reader any time", async () => {
  using time = new FakeTime(0);
  const slow = { list: () => Promise.resolve([]) } as unknown as Keys;
  const write = () => new Promise<void>((resolve) => setTimeout(resolve, 600_000));
  const terminal = { write, err() {} };
  const running = runKeys(["list"], terminal, () => Promise.resolve(slow));
  await time.runAll();
  assertEquals(await running, 0);
});

Deno.test("keys prints one line and exits 1 when KV cannot be opened, or fails once it is open", async () => {
  const fail = () => Promise.reject(new Error("the server is gone"));
  const failing: Keys = { create: fail, list: fail, revoke: fail };
  for (const openKeys of [fail, () => Promise.resolve(failing)]) {
    const { written, ...terminal } = recordedTerminal();
    assertEquals(await runKeys(["list"], terminal, openKeys), 1);
    assertEquals(written, { out: "", err: "KV failed: the server is gone\n" });
  }
});
