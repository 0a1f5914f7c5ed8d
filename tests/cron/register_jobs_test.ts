import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import type { Job, JobDependencies } from "../../cron/job.ts";
import { registerJobs } from "../../cron/register_jobs.ts";

Deno.test("registerJobs() reports a job that Deno refuses and registers the others", async () => {
  const reports: [string, Record<string, unknown>][] = [];
  const refused = Promise.withResolvers<void>();
  const ending = new AbortController();
  const job = (name: string, schedule: string): Job => ({
    name,
    schedule,
    about: "",
    retryAfterMs: [],
    run: () => Promise.resolve({ kind: "done", message: "" }),
  });
  const fail = () => Promise.reject(new Error("No job runs in this test"));
  registerJobs([job("no_such_schedule", "hourly"), job("nightly", "0 3 * * *")], {
    runner: { runDue: fail },
    dependencies: {} as JobDependencies,
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
  assertEquals(reports.map(([event, { job }]) => [event, job]), [
    ["job.not_registered", "no_such_schedule"],
  ]);
  assertMatch(String(reports[0]?.[1].reason), /schedule/);
});
