/** The service as Deno Deploy runs it. `DENO_UNDER_TEST` names another Deno to run. */
import { assert, assertEquals } from "@std/assert";
import { JOBS } from "../../cron/jobs.ts";
import { startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

Deno.test("on Deno Deploy the service serves, runs its jobs, logs by level and exits 0 on SIGINT", async () => {
  await using lab = await startLab();
  lab.setPrices("no price list");
  await using service = await startProcess(lab, {
    TLDS: "com",
    LOG_LEVEL: "debug",
    DENO_DEPLOY: "true",
    DENO_TIMELINE: "production",
    // Deno's hook for tests: jobs run so many ms after the last run, and not by their schedule.
    DENO_CRON_TEST_SCHEDULE_OFFSET: "300",
  }, { executable: Deno.env.get("DENO_UNDER_TEST") });
  const answered = await fetch(`${service.url}/tlds`);
  await answered.body?.cancel();
  assertEquals(answered.status, 200);
  const { events, stdout, stderr } = service;
  const ends = () => events.filter(({ event }) => /^job\.(?:done|failed)$/.test(`${event}`));
  await until(
    "every job has run, but for what IANA's table is too young",
    () =>
      JOBS.every(({ name }) => name === "refresh_tlds" || ends().some(({ job }) => job === name)),
  );
  const failed = ends().filter(({ event }) => event === "job.failed").map(({ job }) => job);
  assertEquals(new Set(failed), new Set(["refresh_prices"]));
  assert(!events.some(({ event }) => event === "job.not_registered"));
  service.kill("SIGINT");
  assertEquals((await service.status).code, 0);
  assertEquals(events.at(-1)?.event, "stopped");
  // The console shows the severity: Deno writes console.debug and console.info to stdout, the others to stderr.
  const levelsOf = (logged: typeof events) => new Set(logged.flatMap(({ level }) => level ?? []));
  assertEquals([stdout, stderr].map(levelsOf), [new Set(["debug", "info"]), new Set(["warn"])]);
});
