import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { type Job, registerJobs, type Run, runOverdueJobs } from "../../cron/job.ts";
import { JOBS } from "../../cron/jobs.ts";
import { BUILT_IN_PRICES } from "../../src/rules/prices.ts";
import { rootZoneList } from "../lab/iana_table.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { failingKv } from "../support/changed_kv.ts";
import { createKvFile } from "../support/kv_file.ts";
import { type Json, type RunningService, startService } from "../support/service.ts";
import { until } from "../support/until.ts";

/** Runs them once: without the pauses after which a job that stays overdue is tried again. */
function runOverdue({ services }: RunningService, jobs = JOBS): Promise<void> {
  return runOverdueJobs(jobs.map((job) => ({ ...job, retryAfterMs: [] })), services.jobs);
}

function priceRequests({ requests }: Lab): number {
  return requests.filter(({ host }) => host === "prices.lab").length;
}

async function renewalOf({ get }: Pick<RunningService, "get">, tld: string): Promise<unknown> {
  const { body } = await get("/tlds");
  return body.tlds.find((row: Json) => row.tld === tld).prices?.renew;
}

Deno.test("runOverdueJobs() reads prices when those stored are not of today or yesterday, and IANA's list of TLDs when the one in use is older than two days", async () => {
  await using lab = await startLab();
  let now = Date.parse("2026-11-22T12:00:00.000Z");
  const env = { TLDS: "com,tech", ANY_TLD: "on" };
  await using service = await startService(lab, { env, now: () => now, monotonic: Date.now });
  const stateOf = async () => (await service.get("/check?name=taken&tld=qqnew")).status;
  const reads = () => lab.requests.filter(({ path }) => path.startsWith("/TLD/")).length;
  lab.setRootZone(rootZoneList({ day: "20261122", added: ["qqnew"] }));
  assertEquals(await stateOf(), 400);
  assertEquals(await renewalOf(service, "tech"), BUILT_IN_PRICES.get("tech")?.renewUsd);
  await runOverdue(service);
  assertEquals([await renewalOf(service, "tech"), priceRequests(lab)], [49.95, 1]);
  assertEquals([reads(), await stateOf()], [1, 200]);
  now += 24 * 3_600_000;
  await runOverdue(service);
  assertEquals([priceRequests(lab), reads()], [1, 1]);
  now += 24 * 3_600_000;
  await runOverdue(service);
  assertEquals(priceRequests(lab), 2);
});

Deno.test("runOverdueJobs() tries again after each pause of a row when another process was stopped in its tick, KV is late, or the run fails", async () => {
  await using lab = await startLab();
  await using file = await createKvFile();
  let now = Date.parse("2026-11-22T12:00:00.000Z");
  let isKvLate = false;
  const open = async () => failingKv(await file.open(), "atomic", () => isKvLate);
  const start = async () => await startService(lab, { kv: await open(), now: () => now });
  const jobs = JOBS.filter(({ name }) => name === "refresh_prices")
    .map((job) => ({ ...job, retryAfterMs: [1, 1, 1] }));
  lab.scriptHost("prices.lab", { kind: "silent" });
  const stopped = await start();
  const cut = runOverdue(stopped, jobs);
  await until("the process asks for prices", () => priceRequests(lab) === 1);
  await stopped[Symbol.asyncDispose]();
  await cut;
  await using service = await start();
  const { runner } = service.services.jobs;
  const runs: string[] = [];
  const runDue: typeof runner.runDue = async (job) => {
    const run = await runner.runDue(job);
    runs.push(run.kind === "failed" ? run.reason : run.kind);
    isKvLate = run.kind === "elsewhere";
    if (isKvLate) now += 10 * 60_000;
    lab.scriptHost("prices.lab", runs.length === 2 ? "unavailable503" : undefined);
    return run;
  };
  await runOverdueJobs(jobs, { ...service.services.jobs, runner: { runDue } });
  assertEquals(runs, ["elsewhere", "KV is unreachable", "HTTP 503", "done"]);
  assertEquals(await renewalOf(service, "tech"), 49.95);
});

Deno.test("registerJobs() reports a job that Deno refuses and registers the others", async () => {
  const reports: [string, Record<string, unknown>][] = [];
  const refused = Promise.withResolvers<void>();
  const ending = new AbortController();
  const fail = () => Promise.reject(new Error("No job runs in this test"));
  const job = (name: string, schedule: string): Job => (
    { name, schedule, about: "", retryAfterMs: [], run: fail }
  );
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

Deno.test("registerJobs() gives Deno the schedule and the pauses of each job, and fails a run that failed", async () => {
  const { cron } = Deno;
  const registered: unknown[] = [];
  const runs: (() => Promise<void>)[] = [];
  const stub = (name: string, schedule: string, options: object, run: () => Promise<void>) => {
    registered.push([name, schedule, Object.entries(options)[0]]);
    runs.push(run);
    return Promise.resolve();
  };
  Object.defineProperty(Deno, "cron", { value: stub });
  const ends: Run[] = [
    { kind: "done", message: "" },
    { kind: "failed", reason: "HTTP 500" },
    { kind: "elsewhere" },
  ];
  registerJobs(JOBS, {
    runner: { runDue: () => Promise.resolve(ends.shift()!) },
    isQuiet: false,
    ending: AbortSignal.abort(),
    report: () => {},
  });
  Object.defineProperty(Deno, "cron", { value: cron });
  const options = JOBS.map((
    { name, schedule, retryAfterMs },
  ) => [name, schedule, ["backoffSchedule", [...retryAfterMs]]]);
  assertEquals<unknown>(registered, options);
  const failures: string[] = [];
  for (const _ of [...ends]) await runs[0]!().catch(({ message }) => failures.push(message));
  const [{ name } = { name: "" }] = JOBS;
  assertEquals(failures, [`${name}: HTTP 500`]);
});
