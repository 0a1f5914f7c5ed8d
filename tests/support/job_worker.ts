/**
 * One of several processes that share a job: `<kv file> <lease ms> <failures>`. It prints "ticked" at each of its ticks,
 * "started" when it runs the job, and once it has read a line "finished", or "failed" in the first runs.
 */
import { createInterface } from "node:readline";
import process from "node:process";
import { registerJobs } from "../../cron/register_jobs.ts";
import type { JobDependencies } from "../../cron/job.ts";
import { createJobRunner } from "../../src/jobs/job_runner.ts";
import { createBackground } from "../../src/flow/background.ts";
import { createLog } from "../../src/log.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { createLeases } from "../../src/store/leases.ts";

const [path = "", leaseMs = "", failures = ""] = Deno.args;
let failuresLeft = Number(failures);
const kv = await Deno.openKv(path);
const now = Date.now;
const ending = new AbortController().signal;
const guarded = guardKv(kv, { report() {}, monotonic: now });
const runner = createJobRunner({
  leases: createLeases(guarded, { now, monotonic: now, leaseMs: Number(leaseMs) }),
  background: createBackground(() => {}),
  log: createLog({ level: "silent", now }),
  ending,
  now,
});

function print(word: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${word}\n`));
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

registerJobs([{
  name: "shared",
  schedule: "* * * * *",
  about: "",
  retryAfterMs: [],
  async run() {
    print("started");
    await lines.next();
    if (failuresLeft-- > 0) return print("failed"), { kind: "failed", reason: "as configured" };
    return print("finished"), { kind: "done", message: "" };
  },
}], {
  runner: { ...runner, runDue: (...args) => (print("ticked"), runner.runDue(...args)) },
  dependencies: { now } as JobDependencies,
  isQuiet: false,
  ending,
  report() {},
});
