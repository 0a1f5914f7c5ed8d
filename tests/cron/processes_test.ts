import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { assertEquals } from "@std/assert";
import { JOBS } from "../../cron/jobs.ts";
import type { LeaseRecord } from "../../src/rules/lease.ts";
import { startLab } from "../lab/lab.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const HOUR_MS = 3_600_000;
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

/** Waits until every job has ended, then makes its tick an old one, so that the next tick is a new one. */
async function passTime(kv: Deno.Kv): Promise<void> {
  for (const { name } of JOBS) {
    await until(`${name} has ended`, async () => {
      const entry = await kv.get<LeaseRecord>(["lease", name]);
      if (entry.value?.ended === undefined) return false;
      const record = { ...entry.value, tickAt: entry.value.tickAt - HOUR_MS };
      const written = await kv.atomic().check(entry).set(entry.key, record).commit()
        .catch(() => ({ ok: false }));
      return written.ok;
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

/** A process that shares a job with others, which fails at first as often as asked, and the words that it prints. */
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
  const printed: string[] = [];
  // deno-lint-ignore no-explicit-any -- Node's and Deno's types of the same web stream differ
  const lines = createInterface({ input: Readable.fromWeb(child.stdout as any) });
  const reading = (async () => {
    for await (const line of lines) printed.push(line);
  })();
  return {
    printed,
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
  const [one, two] = [startWorker(`${folder}/kv`, 2_000), startWorker(`${folder}/kv`, 2_000)];
  const workers = [one, two];
  await until("both tick", () => workers.every(({ printed }) => printed.includes("ticked")));
  await until("one runs", () => workers.some(({ printed }) => printed.includes("started")));
  const [runner, other] = one.printed.includes("started") ? [one, two] : [two, one];
  await runner.kill();
  assertEquals(other.printed, ["ticked"], "it stands by");
  await until("the other one runs", () => other.printed.includes("started"));
  await other.finish();
  // Its next tick is the same one by the clock, and done.
  const ticks = () => other.printed.filter((word) => word === "ticked").length;
  await until("it ticks again", () => ticks() >= 3);
  assertEquals(other.printed.filter((word) => word !== "ticked"), ["started", "finished"]);
  for (const worker of workers) await worker.close();
  await other.kill();
});

Deno.test("a failed run is retried within its tick until it is done", async () => {
  const folder = await Deno.makeTempDir();
  const worker = startWorker(`${folder}/kv`, 4_000, 2);
  for (const runs of [1, 2, 3]) {
    const started = () => worker.printed.filter((word) => word === "started").length;
    await until(`run ${runs} starts`, () => started() >= runs);
    await worker.finish();
  }
  const { printed } = worker;
  await until("it ticks again", () => printed.includes("finished") && printed.at(-1) === "ticked");
  const runs = printed.filter((word) => word !== "ticked");
  assertEquals(runs, ["started", "failed", "started", "failed", "started", "finished"]);
  await worker.close();
  await worker.kill();
});
