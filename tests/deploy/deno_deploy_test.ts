/**
 * The service on a platform that refuses jobs after `Deno.serve`. `DENO_UNDER_TEST` names another Deno to run; one without
 * a cron socket runs the last test only.
 */
import { assert, assertEquals } from "@std/assert";
import { JOBS } from "../../cron/jobs.ts";
import { type Revision, startRevision } from "../lab/deno_deploy.ts";
import { startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { until } from "../support/until.ts";

const root = new URL("../../", import.meta.url);
const MAIN = new URL("main.ts", root).pathname;
const executable = Deno.env.get("DENO_UNDER_TEST") ?? Deno.execPath();
/** The cron socket came with Deno 2.6.7; 2.6.6 does not open it. */
const testWithCronSocket = await isBefore("2.6.7", executable) ? Deno.test.ignore : Deno.test;

/** Whether an executable of Deno is older than a version. */
async function isBefore(version: string, deno: string): Promise<boolean> {
  const { stdout } = await new Deno.Command(deno, { args: ["--version"] }).output();
  const own = /\d+\.\d+\.\d+/.exec(new TextDecoder().decode(stdout))?.[0] ?? "";
  return own.localeCompare(version, "en", { numeric: true }) < 0;
}

const linesOf = ({ stdout, stderr }: Revision) => [...stdout, ...stderr];

function lastEvent({ stdout }: Revision): string {
  return JSON.parse(stdout.at(-1) ?? "{}").event;
}

/** Waits until the service has tried to read the prices at its start: an invoked run would join that one. */
async function pricesFailed(url: string): Promise<void> {
  await until("the run of the start is over", async () => {
    const { jobs } = await (await fetch(`${url}/health`)).json();
    return "refresh_prices" in jobs;
  });
}

testWithCronSocket(
  "on Deno Deploy the service registers every job, reports the result of an invoked one, logs by level and exits 0 on SIGINT",
  async () => {
    await using lab = await startLab();
    lab.setPrices("no price list");
    const env = { ...labEnv(lab), ...proxyEnv(lab), LOG_LEVEL: "debug" };
    await using revision = await startRevision(MAIN, { executable, env });
    const url = `http://127.0.0.1:${await revision.serving()}`;
    const answered = await fetch(`${url}/tlds`);
    await answered.body?.cancel();
    assertEquals(answered.status, 200);
    assertEquals(await revision.invoke("refresh_tlds"), true);
    await pricesFailed(url);
    assertEquals(await revision.invoke("refresh_prices"), false);
    assertEquals(
      revision.jobs.map((job) => [job.name, job.schedule, job.backoff_schedule]),
      JOBS.map(({ name, schedule, retryAfterMs }) => [name, schedule, [...retryAfterMs]]),
    );
    assert(!linesOf(revision).some((line) => line.includes("job.not_registered")));
    assertEquals((await revision.stop()).code, 0);
    assertEquals(lastEvent(revision), "stopped");
    // The console shows the severity: Deno writes console.debug and console.info to stdout, the others to stderr.
    const levelsOf = (lines: readonly string[]) =>
      new Set(lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line).level));
    assert([...levelsOf(revision.stdout)].every((level) => level === "debug" || level === "info"));
    assert(levelsOf(revision.stdout).has("info"));
    assertEquals([...levelsOf(revision.stderr)], ["warn"]);
  },
);

testWithCronSocket(
  "on Deno Deploy jobs of a timeline that is not production are registered and do nothing",
  async () => {
    await using lab = await startLab();
    const env = { ...labEnv(lab), ...proxyEnv(lab), DENO_TIMELINE: "git-branch/test" };
    await using revision = await startRevision(MAIN, { executable, env });
    await revision.serving();
    for (const { name } of JOBS) assertEquals([name, await revision.invoke(name)], [name, true]);
    assertEquals(revision.jobs.length, JOBS.length);
    assert(!linesOf(revision).some((line) => line.includes("job.started")));
    assertEquals((await revision.stop()).code, 0);
  },
);

Deno.test("on a Deno without a cron socket the service serves, runs every job by Deno's own schedule and exits 0 on SIGINT", async () => {
  await using lab = await startLab();
  await using revision = await startRevision(MAIN, {
    executable,
    hasCronSocket: false,
    env: {
      ...labEnv(lab),
      ...proxyEnv(lab),
      TLDS: "com",
      DENO_TIMELINE: "production",
      // Deno's hook for tests: jobs run so many ms after the last run, and not by their schedule.
      DENO_CRON_TEST_SCHEDULE_OFFSET: "300",
    },
  });
  const answered = await fetch(`http://127.0.0.1:${await revision.serving()}/tlds`);
  await answered.body?.cancel();
  assertEquals(answered.status, 200);
  for (const { name } of JOBS) {
    const isDone = (line: string) => {
      const { event, job } = line.startsWith("{") ? JSON.parse(line) : {};
      return event === "job.done" && job === name;
    };
    await until(`${name} is done`, () => revision.stdout.some(isDone));
  }
  assertEquals((await revision.stop()).code, 0);
  assertEquals(lastEvent(revision), "stopped");
});
