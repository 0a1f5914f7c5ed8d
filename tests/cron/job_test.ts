import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { type Job, type JobDependencies, registerJobs, runOverdueJobs } from "../../cron/job.ts";
import { JOBS } from "../../cron/jobs.ts";
import { BUILT_IN_PRICES } from "../../src/rules/prices.ts";
import { rootZoneList } from "../lab/iana_table.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { createKvFile } from "../support/kv_file.ts";
import { startProcess } from "../support/process.ts";
import { type Json, type RunningService, startService } from "../support/service.ts";
import { until } from "../support/until.ts";

function runOverdue({ services }: RunningService): Promise<void> {
  return runOverdueJobs(JOBS, services.jobs);
}

function priceRequests({ requests }: Lab): number {
  return requests.filter(({ host }) => host === "prices.lab").length;
}

async function renewalOf({ get }: Pick<RunningService, "get">, tld: string): Promise<unknown> {
  const { body } = await get("/tlds");
  return body.tlds.find((row: Json) => row.tld === tld).prices?.renew;
}

Deno.test("runOverdueJobs() reads the prices of all TLDs when none are stored, and not again while they are new", async () => {
  await using lab = await startLab();
  let now = Date.parse("2026-11-22T12:00:00.000Z");
  await using service = await startService(lab, {
    env: { TLDS: "com,tech" },
    now: () => now,
    monotonic: Date.now,
  });
  assertEquals(await renewalOf(service, "tech"), BUILT_IN_PRICES.get("tech")?.renewUsd);
  await runOverdue(service);
  assertEquals([await renewalOf(service, "tech"), priceRequests(lab)], [49.95, 1]);
  now += 24 * 3_600_000;
  await runOverdue(service);
  assertEquals(priceRequests(lab), 1);
  now += 24 * 3_600_000;
  await runOverdue(service);
  assertEquals(priceRequests(lab), 2);
});

Deno.test("runOverdueJobs() reads IANA's list of TLDs when the one in use is older than two days", async () => {
  await using lab = await startLab();
  let now = Date.parse("2026-11-22T12:00:00.000Z");
  const clocks = { now: () => now, monotonic: Date.now };
  await using service = await startService(lab, { env: { TLDS: "com", ANY_TLD: "on" }, ...clocks });
  const reads = () => lab.requests.filter(({ path }) => path.startsWith("/TLD/")).length;
  lab.setRootZone(rootZoneList({ day: "20261122", added: ["qqnew"] }));
  const stateOf = async () => (await service.get("/check?name=taken&tld=qqnew")).status;
  assertEquals(await stateOf(), 400);
  await runOverdue(service);
  assertEquals([reads(), await stateOf()], [1, 200]);
  now += 24 * 3_600_000;
  await runOverdue(service);
  assertEquals(reads(), 1);
});

Deno.test("runOverdueJobs() runs a job in one of two processes when both find it overdue", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  await using one = await startService(lab, { kv: await file.open() });
  await using two = await startService(lab, { kv: await file.open() });
  const jobs = JOBS.map((job) =>
    job.isOverdue === undefined ? job : { ...job, isOverdue: () => Promise.resolve(true) }
  );
  for (const { services } of [one, two]) {
    await runOverdueJobs(jobs, services.jobs);
  }
  assertEquals(priceRequests(lab), 1);
  assertEquals([await renewalOf(one, "tech"), await renewalOf(two, "tech")], [49.95, 49.95]);
});

Deno.test("main.ts answers checks while the registrar's list does not arrive", async () => {
  await using lab = await startLab();
  lab.scriptHost("prices.lab", { kind: "silent" });
  await using service = await startProcess(lab, {
    TLDS: "com,tech",
    DENO_TIMELINE: "production",
  });
  await until("the service asks for prices", () => priceRequests(lab) === 1);
  const { results } = await (await fetch(`${service.url}/check?name=taken&tld=com`)).json();
  assertEquals(results[0].state, "taken");
  const { tlds } = await (await fetch(`${service.url}/tlds`)).json();
  assertEquals(tlds.map(({ prices }: Json) => prices?.register), [
    11.08,
    BUILT_IN_PRICES.get("tech")?.usd,
  ]);
});

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
