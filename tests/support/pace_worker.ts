/**
 * One of several processes that ask one host: `<kv path> <burst> <every ms> <tasks>`. Prints `ready`, waits for the end of
 * its stdin, and prints the time of each task's start, in ms since 1970.
 */
import { createGate } from "../../src/flow/queue/gate.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { createHostSchedules } from "../../src/wiring/base.ts";

const [path = "", ...numbers] = Deno.args;
const [burst = 1, everyMs = 0, tasks = 0] = numbers.map(Number);
const { now } = Date;
const monotonic = () => performance.now();
const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
const kv = await Deno.openKv(path);
const guarded = guardKv(kv, { report: (event) => print(`! ${event}`), monotonic });
const gate = createGate({
  paceOf: () => ({ concurrency: 4, burst, everyMs }),
  maxWaitMs: 60_000,
  monotonic,
  scheduleOf: createHostSchedules(guarded, { now, monotonic }),
});

print("ready");
for await (const _ of Deno.stdin.readable);

const start = () => Promise.resolve(print(`${performance.timeOrigin + monotonic()}`));
await Promise.all(Array.from({ length: tasks }, () => gate.run("rdap.example", start)));
gate.close();
await guarded.settled();
kv.close();
