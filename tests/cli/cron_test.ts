import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCron } from "../../src/cli/cron.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import type { ProbeOptions } from "../../src/lookup/server_tests.ts";
import type { TldRow } from "../../src/rules/tables/tlds.ts";
import type { Task } from "../../src/jobs/job_runner.ts";
import type { Services } from "../../src/wiring/services.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { FakeTime } from "../support/fake_time.ts";
import { PASSED } from "../support/checks.ts";

/** A terminal that records its output; with 0 columns, stderr is not a terminal. */
function createTerminal(columns: number) {
  const written = { out: "", err: "" };
  const terminal: Terminal = {
    write: (text) => Promise.resolve(void (written.out += text)),
    err: (text) => void (written.err += text),
    isTerminal: false,
    colour: false,
    columns: () => columns,
  };
  return { written, terminal };
}

Deno.test("cron draws progress while a long job runs on a terminal, and erases it", async () => {
  using time = new FakeTime(0);
  const { written, terminal } = createTerminal(40);
  const rows = ["com", "net", "org"].map((tld) => ({ tld, rdapBase: "" }));
  const probe = async (rows: readonly TldRow[], { onResult }: ProbeOptions<TldRow>) => {
    for (const row of rows) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      onResult(row, PASSED);
    }
  };
  const tlds = { fresh: () => Promise.resolve(rows) };
  const dependencies = { now: Date.now, tlds, canary: { probe } };
  const runner = {
    runNow: async (_: string, task: Task) => ({
      kind: "ran",
      end: { at: 0, outcome: await task(new AbortController().signal) },
    }),
  };
  const jobs = { runner, dependencies } as unknown as Services["jobs"];
  const running = runCron(["probe_registries"], terminal, () => Promise.resolve(jobs));
  await time.runAll();
  assertEquals([await running, written.out], [0, "probe_registries: 3 passed\n"]);
  const lines = written.err.split("\r\x1b[2K").filter((line) => line !== "");
  assertStringIncludes(lines.at(0) ?? "", "0/3 checked");
  assertStringIncludes(lines.at(-1) ?? "", "2/3 checked");
  assertEquals(written.err.endsWith("\r\x1b[2K"), true);
});

Deno.test("cron prints the jobs for --help and for invalid arguments, without opening the services", async () => {
  const run = async (...args: string[]) => {
    const { written, terminal } = createTerminal(0);
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

/** Runs the command as a separate process. */
async function runTask(lab: Lab, job: string) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "cron", job],
    cwd: new URL("../../", import.meta.url),
    env: { ...labEnv(lab), ...proxyEnv(lab), NO_COLOR: "1" },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out, err };
}

Deno.test("deno task cron prints the job's outcome and exits with its status, 2 when it fails, also when it has just run", async () => {
  await using lab = await startLab();
  const done = await runTask(lab, "refresh_tlds");
  const outcome = "refresh_tlds: IANA's table of 2026-09-30T23:00:03Z is in use\n";
  assertEquals([done.code, done.out], [0, outcome]);
  lab.setTable("{");
  const { code, out, err } = await runTask(lab, "refresh_tlds");
  assertEquals([code, out], [2, ""]);
  assertStringIncludes(
    err ?? "",
    "refresh_tlds failed: the file is not a valid RFC 9224 table\n",
  );
});
