/** The service on a platform that refuses jobs after `Deno.serve`. */
import { assert, assertEquals } from "@std/assert";
import { JOBS } from "../../cron/jobs.ts";
import { type Revision, startRevision } from "../lab/deno_deploy.ts";
import { startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { until } from "../support/until.ts";

const root = new URL("../../", import.meta.url);
const MAIN = new URL("main.ts", root).pathname;
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

Deno.test(
  "on Deno Deploy the service registers every job, reports the result of an invoked one, logs by level and exits 0 on SIGINT",
  async () => {
    await using lab = await startLab();
    lab.setPrices("no price list");
    const env = { ...labEnv(lab), ...proxyEnv(lab), LOG_LEVEL: "debug" };
    await using revision = await startRevision(MAIN, { env });
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

Deno.test(
  "on Deno Deploy jobs of a timeline that is not production are registered and do nothing",
  async () => {
    await using lab = await startLab();
    const env = { ...labEnv(lab), ...proxyEnv(lab), DENO_TIMELINE: "git-branch/test" };
    await using revision = await startRevision(MAIN, { env });
    await revision.serving();
    for (const { name } of JOBS) assertEquals([name, await revision.invoke(name)], [name, true]);
    assertEquals(revision.jobs.length, JOBS.length);
    assert(!linesOf(revision).some((line) => line.includes("job.started")));
    assertEquals((await revision.stop()).code, 0);
  },
);
