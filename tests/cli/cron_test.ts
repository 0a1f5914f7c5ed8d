import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCron } from "../../src/cli/cron.ts";
import { startLab } from "../lab/lab.ts";
import { recordedTerminal, startCli } from "../support/cli.ts";
import { outcome } from "../support/outcome.ts";

Deno.test("cron prints the jobs for --help and for invalid arguments, without opening the services", async () => {
  const run = async (...args: string[]) => {
    const { written, ...terminal } = recordedTerminal();
    const open = () => Promise.reject(new Error("Opened the services"));
    return { exitCode: await runCron(args, terminal, open), ...written };
  };
  const help = await run("--help");
  assertEquals(help.exitCode, 0);
  for (const job of ["refresh_tlds", "warm_popular", "probe_registries", "refresh_prices"]) {
    assertStringIncludes(help.out, `\n  ${job} `);
  }
  const wrong: [string, ...string[]][] = [
    ["Expected exactly one job"],
    ["Expected exactly one job", "refresh_tlds", "warm_popular"],
    ["Unknown job: destroy", "destroy"],
    ["Unknown job: \uFFFD[2J", "\x1b[2J"],
    ["Unknown option '--all'", "--all"],
  ];
  for (const [message, ...args] of wrong) {
    const { exitCode, out, err } = await run(...args);
    assertEquals([exitCode, out], [1, ""]);
    assertStringIncludes(err, message);
    assertStringIncludes(err, "Usage: deno task cron");
  }
});

Deno.test("deno task cron prints the job's outcome and exits with its status, 2 when it fails, also when it has just run", async () => {
  await using lab = await startLab();
  const run = () => outcome(startCli(lab, ["refresh_tlds"], { task: "cron" }));
  const done = await run();
  const message = "refresh_tlds: IANA's table of 2026-09-30T23:00:03Z is in use\n";
  assertEquals([done.code, done.out], [0, message]);
  lab.setTable("{");
  const { code, out, err } = await run();
  assertEquals([code, out], [2, ""]);
  assertStringIncludes(err, "refresh_tlds failed: the file is not a valid RFC 9224 table\n");
});
