/** One of several processes that hammer one key: `<kv file> <limit> <window ms> <run ms>`. Prints when each claim was admitted. */
import { createRateLimiter } from "../../src/rate_limit/limiter.ts";

const [path = "", ...numbers] = Deno.args;
const [limit = 0, windowMs = 0, runMs = 0] = numbers.map(Number);
const kv = await Deno.openKv(path);
const lines: string[] = [];
const limiter = createRateLimiter({
  kv,
  now: Date.now,
  report: (event, fields) => void lines.push(`! ${event} ${JSON.stringify(fields)}`),
  windowMs,
  // On a busy machine a process may not run for a while, and what it does then is not asked here.
  deadlineMs: 3_000,
});

// All start together: once every process is up, the test closes their stdin.
await Deno.stdout.write(new TextEncoder().encode("ready\n"));
for await (const _ of Deno.stdin.readable);

const end = Date.now() + runMs;
async function hammer(): Promise<void> {
  while (Date.now() < end) {
    const admission = await limiter.admit("hot", limit);
    if (admission.kind === "admitted") lines.push(`${admission.at}`);
    // A refusal costs nothing here: without a breath nothing else would ever run.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
await Promise.all(Array.from({ length: 8 }, hammer));
await limiter.settled();
kv.close();
await Deno.stdout.write(new TextEncoder().encode(`${lines.join("\n")}\n`));
