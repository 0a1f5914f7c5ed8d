import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { type Job, registerJobs } from "../../cron/job.ts";
import { JOBS } from "../../cron/jobs.ts";
import { BUILT_IN_PRICES } from "../../src/rules/prices.ts";
import { onLab } from "../support/on_lab.ts";
import type { Json } from "../support/service.ts";

const HOUR_MS = 3_600_000;

Deno.test("runDue() reads prices and IANA's table once a day", () =>
  onLab(async ({ lab, clock, get, services: { jobs: { runner } } }) => {
    const runDue = () => Promise.all(JOBS.filter(({ isDue }) => isDue).map(runner.runDue));
    const renewal = async () =>
      (await get("/tlds")).body.tlds.find(({ tld }: Json) => tld === "tech").prices?.renew;
    const reads = () => lab.requests.filter(({ host }) => host === "prices.lab").length;
    clock.aheadMs = Date.parse("2026-11-22T12:00:00.000Z") - Date.now();
    assertEquals(await renewal(), BUILT_IN_PRICES.get("tech")?.renewUsd);
    await runDue();
    assertEquals([await renewal(), reads()], [49.95, 1]);
    clock.aheadMs += HOUR_MS;
    assertEquals(await runDue(), [undefined, undefined]);
    clock.aheadMs += 24 * HOUR_MS;
    assertEquals((await runDue()).map((run) => run?.kind), ["done", "done"]);
    assertEquals(reads(), 2);
  }, { env: { TLDS: "com,tech" }, monotonic: Date.now }));

Deno.test("registerJobs() reports a job that Deno refuses and registers the others", async () => {
  const reports: [string, Record<string, unknown>][] = [];
  const refused = Promise.withResolvers<void>();
  const ending = new AbortController();
  const fail = () => Promise.reject(new Error("No job runs in this test"));
  const job = (name: string, schedule: string): Job => ({ name, schedule, about: "", run: fail });
  registerJobs([job("no_such_schedule", "hourly"), job("nightly", "0 3 * * *")], {
    runner: { runDue: fail },
    isQuiet: true,
    ending: ending.signal,
    report(event, fields = {}) {
      reports.push([event, fields]);
      refused.resolve();
    },
  });
  await refused.promise;
  // Deno refuses a name that is registered already.
  assertThrows(() => Deno.cron("nightly", "0 3 * * *", () => {}), TypeError, "already exists");
  ending.abort();
  const [report, ...others] = reports;
  assertEquals([report?.[0], report?.[1].job], ["job.not_registered", "no_such_schedule"]);
  assertMatch(String(report?.[1].reason), /schedule/);
  assertEquals(others, []);
});
