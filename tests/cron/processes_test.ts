import { assertEquals } from "@std/assert";
import { JOBS } from "../../cron/jobs.ts";
import { startLab } from "../lab/lab.ts";
import { createKvFile } from "../support/kv_file.ts";
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

Deno.test("three processes on one KV run each job once per tick", async () => {
  await using lab = await startLab();
  await using file = await createKvFile();
  await using stack = new AsyncDisposableStack();
  const env = {
    KV_PATH: file.path,
    TLDS: "com,net",
    LOG_LEVEL: "debug",
    DENO_TIMELINE: "production",
    ...FORCED_TICKS,
  };
  // Processes that make the file at the same time may find it locked.
  const kv = stack.adopt(await file.open(), (kv) => kv.close());
  const start = async () => stack.use(await startProcess(lab, env));
  const processes = await Promise.all([start(), start(), start()]);
  const sum = (counts: number[]) => counts.reduce((a, b) => a + b, 0);
  // The others have nothing more to do.
  for (const { name } of JOBS.filter(({ isDue }) => isDue === undefined)) {
    await until(`every process finds ${name} done, which has run once for each tick`, async () => {
      const { length } = await Array.fromAsync(kv.list({ prefix: ["job", name] }));
      const [started, done] = ["job.started", "job.done"].map((event) =>
        sum(countOf(processes, event, name))
      );
      return countOf(processes, "job.elsewhere", name).every((count) => count > 1) &&
        started === length && done === length;
    });
  }
});

Deno.test("a service runs a due job at its start, answers meanwhile, and stops the job and exits with 0 on SIGTERM", async () => {
  await using lab = await startLab();
  lab.scriptHost("prices.lab", { kind: "silent" });
  await using service = await startProcess(lab, { TLDS: "com", DENO_TIMELINE: "production" });
  const isAsked = () => lab.requests.some(({ host }) => host === "prices.lab");
  await until("a job asks for prices", isAsked);
  const { results } = await (await fetch(`${service.url}/check?name=taken&tld=com`)).json();
  assertEquals(results[0].state, "taken");
  service.kill("SIGTERM");
  assertEquals((await service.status).code, 0);
  assertEquals(service.events.at(-1)?.event, "stopped");
});
