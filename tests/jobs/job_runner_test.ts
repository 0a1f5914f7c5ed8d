import { assertEquals, assertStringIncludes } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { createKvFile } from "../support/kv_file.ts";
import { startService } from "../support/service.ts";

const HOUR_MS = 3_600_000;

Deno.test("runDue() runs a job once per tick, and /health shows its end", async () => {
  await using lab = await startLab();
  let now = Date.UTC(2026, 10, 21, 12);
  await using service = await startService(lab, { now: () => now });
  const { runner } = service.services.jobs;
  let ran = 0;
  const runDue = async () =>
    (await runner.runDue("a_job", () => Promise.resolve({ kind: "done", message: `run ${++ran}` })))
      .kind;
  assertEquals([await runDue(), await runDue(), ran], ["ran", "elsewhere", 1]);
  now += HOUR_MS;
  assertEquals([await runDue(), ran], ["ran", 2]);
  assertEquals((await service.get("/health")).body.jobs, {
    a_job: { endedAt: "2026-11-21T13:00:00.000Z", outcome: "done", message: "run 2" },
  });
});

Deno.test("/health shows the end of a run of another process", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  const now = () => Date.UTC(2026, 10, 21, 12);
  await using one = await startService(lab, { kv: await file.open(), now });
  await using two = await startService(lab, { kv: await file.open(), now });
  for (const { services } of [one, two]) {
    const { runner } = services.jobs;
    await runner.runDue("a_job", () => Promise.resolve({ kind: "failed", reason: "HTTP 500" }));
  }
  const jobs = (await two.get("/health")).body.jobs;
  assertEquals(jobs, (await one.get("/health")).body.jobs);
  assertEquals([jobs.a_job.outcome, jobs.a_job.message], ["failed", "HTTP 500"]);
});

Deno.test("runDue() turns an exception into a failed outcome and logs its stack", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const { runner } = service.services.jobs;
  const run = await runner.runDue("a_job", () => Promise.reject(new RangeError("a bug")));
  assertEquals(run.kind === "ran" && run.end.outcome, {
    kind: "failed",
    reason: "internal error (logged)",
  });
  const crash = service.events.find(({ event }) => event === "job.crashed");
  assertStringIncludes(String(crash?.error), "RangeError: a bug\n    at ");
});

Deno.test("runDue() runs no job when KV fails, runNow() does", async () => {
  await using lab = await startLab();
  const fail = () => {
    throw new Error("disk I/O error");
  };
  const kv = { get: fail, set: fail, list: fail, close() {} } as unknown as Deno.Kv;
  await using service = await startService(lab, { kv });
  const { runner } = service.services.jobs;
  const task = () => Promise.resolve({ kind: "done", message: "" } as const);
  assertEquals((await runner.runDue("a_job", task)).kind, "unreachable");
  assertEquals((await runner.runNow("a_job", task)).kind, "ran");
});

Deno.test("runDue() runs a failed tick again in the process that has it, and in no other", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  const now = () => Date.UTC(2026, 10, 21, 12);
  await using one = await startService(lab, { kv: await file.open(), now });
  await using two = await startService(lab, { kv: await file.open(), now });
  let runs = 0;
  const runOn = async ({ services }: typeof one) =>
    (await services.jobs.runner.runDue("a_job", () => {
      const isDone = ++runs === 2;
      return Promise.resolve(
        isDone ? { kind: "done", message: "" } : { kind: "failed", reason: "" },
      );
    })).kind;
  const kinds = [];
  for (const service of [one, two, one, one, two]) kinds.push(await runOn(service));
  assertEquals([kinds, runs], [["ran", "elsewhere", "ran", "elsewhere", "elsewhere"], 2]);
});

Deno.test("runDue() runs a tick once in a process that is asked twice at once", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const { runner } = service.services.jobs;
  const begun = Promise.withResolvers<void>();
  const first = runner.runDue("a_job", async () => {
    await begun.promise;
    return { kind: "done", message: "" };
  });
  const second = await runner.runDue("a_job", () => Promise.reject(new Error("not to be run")));
  begun.resolve();
  assertEquals([(await first).kind, second.kind], ["ran", "elsewhere"]);
});
