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
import { startService } from "../support/service.ts";
import { PASSED } from "../support/trusted_sources.ts";

/** A terminal that records its output; with 0 columns, stderr is not a terminal. */
function createTerminal(columns: number) {
  const written = { out: "", err: "" };
  const terminal: Terminal = {
    out: (text) => void (written.out += text),
    write: (text) => Promise.resolve(void (written.out += text)),
    err: (text) => void (written.err += text),
    isTerminal: false,
    colour: false,
    columns: () => columns,
  };
  return { written, terminal };
}

/** Runs the command in a service of this process. */
async function run(lab: Lab, args: string[]) {
  let opened = 0;
  const { written, terminal } = createTerminal(0);
  await using service = await startService(lab, { env: { TLDS: "com,net" } });
  const { jobs } = service.services;
  const exitCode = await runCron(args, terminal, () => {
    opened++;
    return Promise.resolve(jobs);
  });
  return { exitCode, ...written, opened };
}

Deno.test("cron runs a job and prints its outcome, also when it has just run", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com,net" } });
  const { written, terminal } = createTerminal(0);
  const open = () => Promise.resolve(service.services.jobs);
  for (let ran = 0; ran < 2; ran++) {
    assertEquals(await runCron(["probe_registries"], terminal, open), 0);
  }
  assertEquals(written, { out: "probe_registries: 2 passed\n".repeat(2), err: "" });
});

Deno.test("cron exits 2 when the job fails", async () => {
  await using lab = await startLab();
  lab.setPrices("<html>");
  const { exitCode, out, err } = await run(lab, ["refresh_prices"]);
  assertEquals([exitCode, out], [2, ""]);
  assertEquals(err, "refresh_prices failed: invalid price list\n");
});

Deno.test("cron draws progress while a long job runs on a terminal, and erases it", async () => {
  using time = new FakeTime(0);
  const { written, terminal } = createTerminal(40);
  const rows = ["com", "net", "org"].map((tld) => ({ tld, rdapBase: "" }));
  const dependencies = {
    now: Date.now,
    tlds: { fresh: () => Promise.resolve(rows) },
    canary: {
      async probe(rows: readonly TldRow[], { onResult }: ProbeOptions<TldRow>) {
        for (const row of rows) {
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          onResult(row, PASSED);
        }
      },
    },
  };
  const runner = {
    runNow: async (_: string, task: Task) => ({
      kind: "ran",
      end: { at: 0, outcome: await task(new AbortController().signal) },
    }),
  };
  const jobs = { runner, dependencies } as unknown as Services["jobs"];
  const running = runCron(["probe_registries"], terminal, () => Promise.resolve(jobs));
  await time.runAll();
  assertEquals(await running, 0);
  const lines = written.err.split("\r\x1b[2K").filter((line) => line !== "");
  assertStringIncludes(lines.at(0) ?? "", "0/3 checked");
  assertStringIncludes(lines.at(-1) ?? "", "2/3 checked");
  assertEquals([written.err.endsWith("\r\x1b[2K"), written.out], [
    true,
    "probe_registries: 3 passed\n",
  ]);
});

Deno.test("cron prints the jobs for --help and for invalid arguments, without opening the services", async () => {
  await using lab = await startLab();
  const help = await run(lab, ["--help"]);
  assertEquals([help.exitCode, help.opened], [0, 0]);
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
    const { exitCode, out, err, opened } = await run(lab, args);
    assertEquals([exitCode, out, opened], [1, "", 0]);
    assertStringIncludes(err, message);
    assertStringIncludes(err, "Usage: deno task cron");
  }
});

/** Starts the command as a separate process. */
function spawn(lab: Lab, job: string, env: Record<string, string> = {}) {
  return new Deno.Command(Deno.execPath(), {
    args: ["task", "cron", job],
    cwd: new URL("../../", import.meta.url),
    env: { ...labEnv(lab), ...proxyEnv(lab), NO_COLOR: "1", ...env },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

Deno.test("deno task cron prints the job's outcome and exits with its status", async () => {
  await using lab = await startLab();
  const done = await spawn(lab, "refresh_tlds").output();
  assertEquals(done.code, 0);
  assertEquals(
    new TextDecoder().decode(done.stdout),
    "refresh_tlds: IANA's table of 2026-09-30T23:00:03Z is in use\n",
  );
  lab.setTable("{");
  const failed = await spawn(lab, "refresh_tlds").output();
  assertEquals(failed.code, 2);
  assertStringIncludes(
    new TextDecoder().decode(failed.stderr),
    "refresh_tlds failed: the file is not a valid RFC 9224 table\n",
  );
});
