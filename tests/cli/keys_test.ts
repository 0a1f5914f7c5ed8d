import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runKeys } from "../../src/cli/keys.ts";
import { createKeys, type Keys } from "../../src/store/keys.ts";
import { recordedTerminal } from "../support/cli.ts";
import { FakeTime } from "../support/fake_time.ts";

/** Runs a command with the keys that `open` opens. */
async function run(open: () => Promise<Keys>, ...args: string[]) {
  const { written, ...terminal } = recordedTerminal();
  return { exitCode: await runKeys(args, terminal, open), ...written };
}

Deno.test("keys create prints only the key on stdout, once, list prints each key, and revoke revokes the id that it shows", async () => {
  using kv = await Deno.openKv(":memory:");
  const keys = createKeys(kv, { now: () => Date.UTC(2026, 10, 21) });
  const runOnKv = (...args: string[]) => run(() => Promise.resolve(keys), ...args);
  const nothing = { exitCode: 0, out: "", err: "" };
  assertEquals(await runOnKv("list"), nothing);
  const made = await runOnKv("create", "--label", "Ann's lab", "--limit", "600");
  assertEquals(made.exitCode, 0);
  assertMatch(made.out, /^das_[\w-]{43}\n$/);
  assertMatch(made.err, /^Created [0-9a-f]{12} {2}2026-11-21 {2}600 per minute {6}Ann's lab\n/);
  const { out: first } = await runOnKv("list");
  assertEquals(`Created ${first}`, made.err.split("\n", 1)[0] + "\n");
  await runOnKv("create", "--label", "x");
  const listed = (await runOnKv("list")).out.split(/(?<=\n)/);
  const [other = ""] = listed.filter((line) => line !== first);
  assertEquals(listed.length, 2);
  assertMatch(other, /^[0-9a-f]{12} {2}2026-11-21 {2}default limit {7}x\n$/);
  const id = other.slice(0, 12);
  assertEquals(await runOnKv("revoke", id), { ...nothing, out: `Revoked ${other}` });
  assertEquals(await runOnKv("revoke", id), { exitCode: 1, out: "", err: "No key has this id\n" });
});

Deno.test("keys revoke refuses a prefix of several ids", async () => {
  const revoke = () => Promise.resolve({ kind: "ambiguous", count: 2 } as const);
  const open = () => Promise.resolve({ revoke } as unknown as Keys);
  const { exitCode, err } = await run(open, "revoke", "7");
  assertEquals(exitCode, 1);
  assertMatch(err, /^2 keys have an id with this prefix/);
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
  const unopened = () => Promise.reject(new Error("Opened KV"));
  const help = await run(unopened, "--help");
  assertEquals([help.exitCode, help.err], [0, ""]);
  assertMatch(help.out, /^Usage: deno task keys create/);
  for (const [message, ...args] of INVALID) {
    const { exitCode, out, err } = await run(unopened, ...args);
    assertEquals([args, exitCode, out], [args, 1, ""]);
    assertStringIncludes(err, message);
    assertStringIncludes(err, "Usage: deno task keys");
  }
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
  const failed = { exitCode: 1, out: "", err: "KV failed: the server is gone\n" };
  for (const open of [fail, () => Promise.resolve(failing)]) {
    assertEquals(await run(open, "list"), failed);
  }
});
