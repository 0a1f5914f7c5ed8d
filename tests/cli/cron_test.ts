import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCron } from "../../src/cli/cron.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import type { ProbeOptions } from "../../src/lookup/canary_watch.ts";
import type { TldRow } from "../../src/rules/tlds.ts";
import type { Task } from "../../src/jobs/job_runner.ts";
import type { Services } from "../../src/wiring/services.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { FakeTime } from "../support/fake_time.ts";
import { startService } from "../support/service.ts";
import { PASSED } from "../support/trusted_sources.ts";

/** A terminal that writes down what it is told, for somebody who watches or for nobody. */
function createTerminal(columns: number) {
  const said = { out: "", err: "" };
  const terminal: Terminal = {
    out: (text) => void (said.out += text),
    write: (text) => Promise.resolve(void (said.out += text)),
    err: (text) => void (said.err += text),
    colour: false,
    columns: () => columns,
  };
  return { said, terminal };
}

/** Runs the command in a service of this process. */
async function run(lab: Lab, args: string[], { held = false } = {}) {
  let opened = 0;
  const { said, terminal } = createTerminal(0);
  await using service = await startService(lab, { env: { TLDS: "com,net" } });
  const { jobs } = service.services;
  const over = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const holding = held && jobs.runner.runNow(args[0] ?? "", async () => {
    begun.resolve();
    await over.promise;
    return { kind: "done", message: "" };
  });
  if (held) await begun.promise;
  const exitCode = await runCron(args, terminal, () => {
    opened++;
    return Promise.resolve(jobs);
  });
  over.resolve();
  await holding;
  return { exitCode, ...said, opened };
}

Deno.test("cron runs a job and says what it came to", async () => {
  await using lab = await startLab();
  const { exitCode, out, err } = await run(lab, ["probe_registries"]);
  assertEquals([exitCode, out, err], [0, "probe_registries: 2 passed\n", ""]);
});

Deno.test("cron runs a job again though it ran a moment ago", async () => {
  await using lab = await startLab();
  for (let ran = 0; ran < 2; ran++) {
    assertEquals((await run(lab, ["refresh_prices"])).out, "refresh_prices: 6 of 6 prices read\n");
  }
});

Deno.test("cron tells a job's failure with exit status 2", async () => {
  await using lab = await startLab();
  lab.setPrices("<html>");
  const { exitCode, out, err } = await run(lab, ["refresh_prices"]);
  assertEquals([exitCode, out], [2, ""]);
  assertEquals(err, "refresh_prices failed: invalid price list\n");
});

Deno.test("cron shows progress to somebody who watches a long job, and wipes it away", async () => {
  using time = new FakeTime(0);
  const { said, terminal } = createTerminal(40);
  const rows = ["com", "net", "org"].map((tld) => ({ tld, rdapBase: "" }));
  const dependencies = {
    now: Date.now,
    tlds: { fresh: () => Promise.resolve(rows) },
    canary: {
      async probe(rows: readonly TldRow[], { onResult }: ProbeOptions) {
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
  const lines = said.err.split("\r\x1b[2K").filter((line) => line !== "");
  assertStringIncludes(lines.at(0) ?? "", "0/3 checked");
  assertStringIncludes(lines.at(-1) ?? "", "2/3 checked");
  assertEquals([said.err.endsWith("\r\x1b[2K"), said.out], [true, "probe_registries: 3 passed\n"]);
});

Deno.test("cron does not run a job that another process is running", async () => {
  await using lab = await startLab();
  const { exitCode, err } = await run(lab, ["refresh_prices"], { held: true });
  assertEquals([exitCode, err], [2, "refresh_prices: another process is running it\n"]);
});

Deno.test("cron --help tells the jobs; a wrong use does so with the reason, and opens nothing", async () => {
  await using lab = await startLab();
  const help = await run(lab, ["--help"]);
  assertEquals([help.exitCode, help.opened], [0, 0]);
  for (const job of ["refresh_tlds", "warm_popular", "probe_registries", "refresh_prices"]) {
    assertStringIncludes(help.out, `\n  ${job} `);
  }
  const wrong: [string, ...string[]][] = [
    ["Give one job"],
    ["Give one job", "refresh_tlds", "warm_popular"],
    ["There is no job destroy", "destroy"],
    ["There is no job \uFFFD[2J", "\x1b[2J"],
    ["Unknown option '--all'", "--all"],
  ];
  for (const [why, ...args] of wrong) {
    const { exitCode, out, err, opened } = await run(lab, args);
    assertEquals([exitCode, out, opened], [1, "", 0]);
    assertStringIncludes(err, why);
    assertStringIncludes(err, "Usage: deno task cron");
  }
});

/** Starts the command as a process. */
function spawn(lab: Lab, job: string, env: Record<string, string> = {}) {
  return new Deno.Command(Deno.execPath(), {
    args: ["task", "cron", job],
    cwd: new URL("../../", import.meta.url),
    env: { ...labEnv(lab), ...proxyEnv(lab), NO_COLOR: "1", ...env },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

Deno.test("deno task cron exits with the job's result", async () => {
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
