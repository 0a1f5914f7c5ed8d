import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Job } from "../../cron/job.ts";
import { failingKv } from "../support/changed_kv.ts";
import { onLab, testsOnLab } from "../support/on_lab.ts";

const test = testsOnLab();

const HOUR_MS = 3_600_000;
const DONE = { kind: "done", message: "" } as const;
const aJob = (run: Job["run"]) => ({ name: "a_job", run });

test("runDue() runs a job once per tick, and /health shows its end", async ({ services, get, clock }) => {
  clock.aheadMs = Date.UTC(2026, 10, 21, 12) - Date.now();
  let ran = 0;
  const job = aJob(() => Promise.resolve({ kind: "done", message: `run ${++ran}` }));
  const runDue = async () => (await services.jobs.runner.runDue(job))?.kind;
  assertEquals(await Promise.all([runDue(), runDue()]), ["done", undefined]);
  assertEquals([await runDue(), ran], [undefined, 1]);
  clock.aheadMs += HOUR_MS;
  assertEquals([await runDue(), ran], ["done", 2]);
  const { endedAt, ...end } = (await get("/health")).body.jobs.a_job;
  assertEquals(end, { outcome: "done", message: "run 2" });
  assertMatch(endedAt, /^2026-11-21T13:00:/);
});

test("runDue() takes no tick for a service that ends", async ({ services, kv }) => {
  services.drain();
  const job = aJob(() => Promise.resolve(DONE));
  assertEquals(await services.jobs.runner.runDue(job), undefined);
  assertEquals(await Array.fromAsync(kv.list({ prefix: ["job"] })), []);
});

test("runNow() turns an exception into a failed outcome and logs its stack", async ({ services: { jobs }, events }) => {
  const crash = () => {
    throw new RangeError("a bug");
  };
  for (const run of [crash, () => Promise.resolve().then(crash)]) {
    const outcome = await jobs.runner.runNow(aJob(run));
    assertEquals(outcome, { kind: "failed", reason: "internal error (logged)" });
    const crash = events.findLast(({ event }) => event === "job.crashed");
    assertStringIncludes(String(crash?.error), "RangeError: a bug\n    at ");
    events.length = 0;
  }
});

Deno.test("runDue() runs no job when KV fails, runNow() does", async () => {
  const kv = failingKv(await Deno.openKv(":memory:"), "atomic", () => true);
  await onLab(async ({ services: { jobs: { runner } } }) => {
    const job = aJob(() => Promise.resolve(DONE));
    assertEquals(await runner.runDue(job), undefined);
    assertEquals(await runner.runNow(job), DONE);
  }, { kv });
});
