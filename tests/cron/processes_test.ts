import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { assertEquals } from "@std/assert";
import { JOBS } from "../../cron/jobs.ts";
import type { LeaseRecord } from "../../src/rules/lease.ts";
import { startLab } from "../lab/lab.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";

const HOUR_MS = 3_600_000;
/** Deno's hook for tests: every job ticks so many ms after the end of its last run, instead of by its schedule. */
const FORCED_TICKS = { DENO_CRON_TEST_SCHEDULE_OFFSET: "300" };

function moment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

/** How often the processes have logged an event of a job. */
function countOf(processes: readonly ServiceProcess[], event: string, job: string): number[] {
  return processes.map(({ events }) =>
    events.filter((one) => one.event === event && one.job === job).length
  );
}

/** Waits until every process has found that the job's tick is done. */
async function seenByAll(processes: readonly ServiceProcess[]): Promise<void> {
  const before = JOBS.map(({ name }) => countOf(processes, "job.elsewhere", name));
  const isSeen = () =>
    JOBS.every(({ name }, n) =>
      countOf(processes, "job.elsewhere", name).every((count, p) => count > (before[n]?.[p] ?? 0))
    );
  while (!isSeen()) await moment();
}

/** Waits until every job has ended, then makes its tick an old one, so that the next tick is a new one. */
async function passTime(kv: Deno.Kv): Promise<void> {
  for (const { name } of JOBS) {
    for (let aged = false; !aged; await moment()) {
      const entry = await kv.get<LeaseRecord>(["lease", name]);
      if (entry.value?.ended === undefined) continue;
      const record = { ...entry.value, tickAt: entry.value.tickAt - HOUR_MS };
      const written = await kv.atomic().check(entry).set(entry.key, record).commit()
        .catch(() => ({ ok: false }));
      aged = written.ok;
    }
  }
}

for (const count of [2, 4]) {
  Deno.test(`${count} processes on one KV run each job once per tick`, async () => {
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
    const processes: ServiceProcess[] = [];
    for (let n = 0; n < count; n++) processes.push(stack.use(await startProcess(lab, env)));
    const kv = stack.adopt(await Deno.openKv(env.KV_PATH), (kv) => kv.close());
    for (const ticks of [1, 2, 3]) {
      await seenByAll(processes);
      for (const { name } of JOBS) {
        const started = countOf(processes, "job.started", name);
        const done = countOf(processes, "job.done", name);
        const sum = (counts: number[]) => counts.reduce((a, b) => a + b, 0);
        assertEquals([name, sum(started), sum(done)], [name, ticks, ticks], `${started}`);
      }
      if (ticks < 3) await passTime(kv);
    }
  });
}

Deno.test("jobs do nothing on a timeline that is not production", async () => {
  await using lab = await startLab();
  await using service = await startProcess(lab, {
    TLDS: "com",
    LOG_LEVEL: "debug",
    DENO_TIMELINE: "git-branch/draft",
    DENO_CRON_TEST_SCHEDULE_OFFSET: "5",
  });
  // The canary tests of the start come a second after it: by then every job has ticked many times.
  while (!service.events.some(({ event }) => event === "canary")) await moment();
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
  while (!lab.requests.some(({ host }) => host === "prices.lab")) await moment();
  service.kill("SIGTERM");
  assertEquals((await service.status).code, 0);
  assertEquals(service.events.at(-1)?.event, "stopped");
});

/** A process that shares a job with others, which fails some times, and its output. */
function startWorker(path: string, leaseMs: number, failures = 0) {
  const worker = new URL("../support/job_worker.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--allow-read",
      "--allow-write",
      "--allow-env",
      worker,
      path,
      `${leaseMs}`,
      `${failures}`,
    ],
    env: FORCED_TICKS,
    stdin: "piped",
    stdout: "piped",
    // Deno reports a failed run here.
    stderr: "null",
  }).spawn();
  const said: string[] = [];
  // deno-lint-ignore no-explicit-any -- Node's and Deno's types of the same web stream differ
  const lines = createInterface({ input: Readable.fromWeb(child.stdout as any) });
  const reading = (async () => {
    for await (const line of lines) said.push(line);
  })();
  return {
    said,
    async finish() {
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode("\n"));
      writer.releaseLock();
    },
    async kill() {
      child.kill("SIGKILL");
      await child.status;
      await reading;
    },
    close: () => child.stdin.close().catch(() => {}),
  };
}

Deno.test("another process finishes the job of a runner that was killed", async () => {
  const folder = await Deno.makeTempDir();
  (await Deno.openKv(`${folder}/kv`)).close();
  const workers = [startWorker(`${folder}/kv`, 4_000), startWorker(`${folder}/kv`, 4_000)];
  while (!workers.every(({ said }) => said.includes("ticked"))) await moment();
  while (!workers.some(({ said }) => said.includes("started"))) await moment();
  const [runner, other] = workers[0]?.said.includes("started") ? workers : workers.toReversed();
  await runner?.kill();
  assertEquals(other?.said, ["ticked"], "it stands by");
  while (!other?.said.includes("started")) await moment();
  await other.finish();
  // By the clock its next tick is the same one, which is done.
  while (other.said.filter((word) => word === "ticked").length < 3) await moment();
  assertEquals(other.said.filter((word) => word !== "ticked"), ["started", "finished"]);
  for (const worker of workers) await worker.close();
  await other.kill();
});

Deno.test("a failed run is retried within its tick until it is done", async () => {
  const folder = await Deno.makeTempDir();
  const worker = startWorker(`${folder}/kv`, 4_000, 2);
  for (const runs of [1, 2, 3]) {
    while (worker.said.filter((word) => word === "started").length < runs) await moment();
    await worker.finish();
  }
  while (worker.said.at(-1) !== "ticked" || !worker.said.includes("finished")) await moment();
  const runs = worker.said.filter((word) => word !== "ticked");
  assertEquals(runs, ["started", "failed", "started", "failed", "started", "finished"]);
  await worker.close();
  await worker.kill();
});
