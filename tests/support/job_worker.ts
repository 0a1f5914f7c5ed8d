/**
 * One of several processes that share a job: `<kv file> <lease ms> <failures>`. It says "ticked" at each of its ticks,
 * "started" when it runs the job, which goes on until it reads a line, and "finished" then, or "failed" the first times.
 */
import { createInterface } from "node:readline";
import process from "node:process";
import { registerJobs } from "../../cron/register_jobs.ts";
import { createBackground } from "../../src/flow/background.ts";
import { createLog } from "../../src/log.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { createUpkeep, type Work } from "../../src/upkeep.ts";

const [path = "", leaseMs = "", failures = ""] = Deno.args;
let failuresLeft = Number(failures);
const kv = await Deno.openKv(path);
const now = Date.now;
const ending = new AbortController().signal;
const upkeep = createUpkeep({ now } as Work, {
  kv: guardKv(kv, { report() {}, monotonic: now }),
  background: createBackground(() => {}),
  log: createLog({ level: "silent", now }),
  ending,
  onEnd() {},
  monotonic: now,
  leaseMs: Number(leaseMs),
});

function say(word: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${word}\n`));
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

registerJobs([{
  name: "shared",
  schedule: "* * * * *",
  about: "",
  retryAfterMs: [],
  async run() {
    say("started");
    await lines.next();
    if (failuresLeft-- > 0) return say("failed"), { kind: "failed", why: "as it was told" };
    return say("finished"), { kind: "done", told: "" };
  },
}], {
  openUpkeep: () => (say("ticked"), Promise.resolve(upkeep)),
  isQuiet: false,
  ending,
  report() {},
});
