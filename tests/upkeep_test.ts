import { assertEquals, assertStringIncludes } from "@std/assert";
import { startLab } from "./lab/lab.ts";
import { startService } from "./support/service.ts";

const HOUR_MS = 3_600_000;

Deno.test("a job that is due runs once a tick, and /health tells how it ended", async () => {
  await using lab = await startLab();
  let now = Date.UTC(2026, 10, 21, 12);
  await using service = await startService(lab, { now: () => now });
  const { runner } = service.services.jobs;
  let ran = 0;
  const runDue = async () =>
    (await runner.runDue("a_job", () => Promise.resolve({ kind: "done", told: `run ${++ran}` })))
      .kind;
  assertEquals([await runDue(), await runDue(), ran], ["ran", "elsewhere", 1]);
  now += HOUR_MS;
  assertEquals([await runDue(), ran], ["ran", 2]);
  assertEquals((await service.get("/health")).body.jobs, {
    a_job: { endedAt: "2026-11-21T13:00:00.000Z", outcome: "done", message: "run 2" },
  });
});

Deno.test("what one process ran, another one tells of too", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sqlite" });
  await using lab = await startLab();
  const now = () => Date.UTC(2026, 10, 21, 12);
  await using one = await startService(lab, { kv: await Deno.openKv(path), now });
  await using two = await startService(lab, { kv: await Deno.openKv(path), now });
  for (const { services } of [one, two]) {
    const { runner } = services.jobs;
    await runner.runDue("a_job", () => Promise.resolve({ kind: "failed", why: "HTTP 500" }));
  }
  const jobs = (await two.get("/health")).body.jobs;
  assertEquals(jobs, (await one.get("/health")).body.jobs);
  assertEquals([jobs.a_job.outcome, jobs.a_job.message], ["failed", "HTTP 500"]);
});

Deno.test("a bug in a job is its failure, and logged with where it is", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const { runner } = service.services.jobs;
  const run = await runner.runDue("a_job", () => Promise.reject(new RangeError("a bug")));
  assertEquals(run.kind === "ran" && run.end.outcome, {
    kind: "failed",
    why: "The service failed; the fault is logged",
  });
  const crash = service.events.find(({ event }) => event === "job.crashed");
  assertStringIncludes(String(crash?.error), "RangeError: a bug\n    at ");
});

Deno.test("a KV that does not answer lets no job run", async () => {
  await using lab = await startLab();
  const fail = () => {
    throw new Error("disk I/O error");
  };
  const kv = { get: fail, set: fail, list: fail, close() {} } as unknown as Deno.Kv;
  await using service = await startService(lab, { kv });
  const { runner } = service.services.jobs;
  const task = () => Promise.reject(new Error("not to be run"));
  assertEquals((await runner.runDue("a_job", task)).kind, "unreachable");
  assertEquals((await runner.runNow("a_job", task)).kind, "unreachable");
});
