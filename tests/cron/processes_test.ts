import { assertEquals } from "@std/assert";
import { JOBS } from "../../cron/jobs.ts";
import type { TickRecord } from "../../src/store/job_ticks.ts";
import { startLab } from "../lab/lab.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

/** Deno's hook for tests: every job ticks so many ms after the end of its last run, instead of by its schedule. */
const FORCED_TICKS = { DENO_CRON_TEST_SCHEDULE_OFFSET: "300" };

/** How often the processes have logged an event of a job. */
function countOf(processes: readonly ServiceProcess[], event: string, job: string): number[] {
  return processes.map(({ events }) =>
    events.filter((one) => one.event === event && one.job === job).length
  );
}

/** Waits until every process has ticked for each job and found the tick done. */
async function seenByAll(processes: readonly ServiceProcess[]): Promise<void> {
  const before = JOBS.map(({ name }) => countOf(processes, "job.elsewhere", name));
  const isSeen = () =>
    JOBS.every(({ name }, n) =>
      countOf(processes, "job.elsewhere", name).every((count, p) => count > (before[n]?.[p] ?? 0))
    );
  await until("every process finds each job done", isSeen);
}

/** Waits until every job has ended, then forgets its tick, so that the next tick is a new one; counts the forgotten. */
async function passTime(kv: Deno.Kv, forgotten: Map<string, number>): Promise<void> {
  for (const { name } of JOBS) {
    await until(`${name} has ended`, async () => {
      for await (const entry of kv.list<TickRecord>({ prefix: ["job", name] })) {
        if (entry.value.end === undefined) return false;
        const deleted = await kv.atomic().check(entry).delete(entry.key).commit()
          .catch(() => ({ ok: false }));
        if (deleted.ok) forgotten.set(name, (forgotten.get(name) ?? 0) + 1);
        return deleted.ok;
      }
      return false;
    });
  }
}

Deno.test("three processes on one KV run each job once per tick", async () => {
  await using lab = await startLab();
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  const env = {
    KV_PATH: `${folder}/kv`,
    TLDS: "com,net",
    LOG_LEVEL: "debug",
    DENO_TIMELINE: "production",
    ...FORCED_TICKS,
  };
  const start = async () => stack.use(await startProcess(lab, env));
  // Processes that make the file at the same time may find it locked.
  const kv = stack.adopt(await Deno.openKv(env.KV_PATH), (kv) => kv.close());
  const processes = await Promise.all([start(), start(), start()]);
  const forgotten = new Map<string, number>();
  const sum = (counts: number[]) => counts.reduce((a, b) => a + b, 0);
  for (const ticks of [1, 2, 3]) {
    await seenByAll(processes);
    for (const { name } of JOBS) {
      await until(`${name} has run once for each of at least ${ticks} ticks`, async () => {
        const records = await Array.fromAsync(kv.list({ prefix: ["job", name] }));
        // One more where the test runs while a tick of ten minutes ends.
        const written = records.length + (forgotten.get(name) ?? 0);
        const started = sum(countOf(processes, "job.started", name));
        const done = sum(countOf(processes, "job.done", name));
        return written >= ticks && started === written && done === written;
      });
    }
    if (ticks < 3) await passTime(kv, forgotten);
  }
});

Deno.test("jobs do nothing on a timeline that is not production", async () => {
  await using lab = await startLab();
  await using service = await startProcess(lab, {
    TLDS: "com",
    LOG_LEVEL: "debug",
    DENO_TIMELINE: "git-branch/draft",
    DENO_CRON_TEST_SCHEDULE_OFFSET: "5",
  });
  // The canary tests of the start come a second after it: by then every job has ticked many times.
  await service.logged("server.test");
  assertEquals(service.events.filter(({ event }) => `${event}`.startsWith("job.")), []);
});

Deno.test("a service that gets SIGTERM stops its running job and exits with 0", async () => {
  await using lab = await startLab();
  lab.scriptHost("prices.lab", { kind: "silent" });
  await using service = await startProcess(lab, {
    TLDS: "com",
    DENO_TIMELINE: "production",
    ...FORCED_TICKS,
  });
  await until(
    "a job asks for prices",
    () => lab.requests.some(({ host }) => host === "prices.lab"),
  );
  service.kill("SIGTERM");
  assertEquals((await service.status).code, 0);
  assertEquals(service.events.at(-1)?.event, "stopped");
});
