import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  type Job,
  type JobDependencies,
  registerJobs,
  type Run,
  runOverdueJobs,
} from "../../cron/job.ts";
import { JOBS } from "../../cron/jobs.ts";
import { BUILT_IN_PRICES } from "../../src/rules/prices.ts";
import { rootZoneList } from "../lab/iana_table.ts";
import { onLab } from "../support/on_lab.ts";
import type { Json } from "../support/service.ts";

const DAY_MS = 24 * 3_600_000;

Deno.test("runOverdueJobs() reads prices when those stored are not of today or yesterday, and IANA's list of TLDs when the one in use is older than two days", () =>
  onLab(async ({ lab, clock, get, services }) => {
    // Once: without the pauses after which a job that stays overdue is tried again.
    const runOverdue = () =>
      runOverdueJobs(JOBS.map((job) => ({ ...job, retryAfterMs: [] })), services.jobs);
    const stateOf = async () => (await get("/check?name=taken&tld=qqnew")).status;
    const renewal = async () =>
      (await get("/tlds")).body.tlds.find(({ tld }: Json) => tld === "tech").prices?.renew;
    const countOf = (url: RegExp) =>
      lab.requests.filter(({ host, path }) => url.test(`${host}${path}`)).length;
    const counts = () => [countOf(/^prices\.lab/), countOf(/\/TLD\//)];
    clock.aheadMs = Date.parse("2026-11-22T12:00:00.000Z") - Date.now();
    lab.setRootZone(rootZoneList({ day: "20261122", added: ["qqnew"] }));
    assertEquals([await stateOf(), await renewal()], [400, BUILT_IN_PRICES.get("tech")?.renewUsd]);
    await runOverdue();
    assertEquals([await stateOf(), await renewal(), counts()], [200, 49.95, [1, 1]]);
    clock.aheadMs += DAY_MS;
    await runOverdue();
    assertEquals(counts(), [1, 1]);
    clock.aheadMs += DAY_MS;
    await runOverdue();
    assertEquals(counts()[0], 2);
  }, { env: { TLDS: "com,tech", ANY_TLD: "on" }, monotonic: Date.now }));

Deno.test("runOverdueJobs() runs a job again after each pause of its row while it is overdue, and none once the service ends", async () => {
  let dueTimes = 2;
  let runs = 0;
  const isOverdue = () => Promise.resolve(dueTimes-- > 0);
  const job: Job = { ...JOBS[0]!, retryAfterMs: [1, 1, 1], isOverdue };
  const runDue = (): Promise<Run> => {
    runs++;
    return Promise.resolve({ kind: "elsewhere" });
  };
  const runOn = (ending: AbortSignal) =>
    runOverdueJobs([job], { runner: { runDue }, dependencies: {} as JobDependencies, ending });
  await runOn(new AbortController().signal);
  assertEquals(runs, 2);
  dueTimes = 9;
  await runOn(new AbortController().signal);
  assertEquals(runs, 6);
  await runOn(AbortSignal.abort());
  assertEquals(runs, 6);
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
