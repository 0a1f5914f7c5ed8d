/** The service as Deno Deploy runs it. `DENO_UNDER_TEST` names another Deno to run. */
import { assert, assertEquals } from "@std/assert";
import { JOBS } from "../../cron/jobs.ts";
import { startLab } from "../lab/lab.ts";
import { fetchText } from "../support/fetch_text.ts";
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
  assertEquals((await fetchText(`${service.url}/tlds`)).status, 200);
  const { events, stdout, stderr } = service;
  const ends = () => events.filter(({ event }) => /^job\.(?:done|failed)$/.test(`${event}`));
  // The other has nothing to do: IANA's table is too young.
  const names = JOBS.map(({ name }) => name).filter((name) => name !== "refresh_tlds");
  const haveEnded = () => names.every((name) => ends().some(({ job }) => job === name));
  await until("every job but refresh_tlds has run", haveEnded);
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
