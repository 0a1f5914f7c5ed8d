/**
 * One of several processes that hammer one subject: `<kv file> <limit> <window ms> <clients> <run ms> <deadline ms>`. Prints
 * each decision as a line: `+ <at>` where it was admitted, `- <asked> <told>` where it was refused.
 */
import { createRateLimiter } from "../../src/rate_limit/limiter.ts";

const [path = "", ...numbers] = Deno.args;
const [limit = 0, windowMs = 0, clients = 0, runMs = 0, deadlineMs = 0] = numbers.map(Number);
const kv = await Deno.openKv(path);
const lines: string[] = [];
const limiter = createRateLimiter({
  kv,
  now: Date.now,
  report: (event, fields) => void lines.push(`! ${event} ${JSON.stringify(fields)}`),
  windowMs,
  deadlineMs,
});

// All start together: once every process is up, the test closes their stdin.
await Deno.stdout.write(new TextEncoder().encode("ready\n"));
for await (const _ of Deno.stdin.readable);

const end = Date.now() + runMs;
async function hammer(): Promise<void> {
  while (Date.now() < end) {
    const asked = Date.now();
    const admission = await limiter.admit("hot", limit);
    const refusal = `- ${asked} ${Date.now()}`;
    if (admission.kind === "admitted") lines.push(`+ ${admission.at}`);
    else if (lines.at(-1) !== refusal) lines.push(refusal);
    // A refusal costs nothing here: without a breath nothing else would ever run.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
await Promise.all(Array.from({ length: clients }, hammer));
await limiter.settled();
kv.close();
await Deno.stdout.write(new TextEncoder().encode(`${lines.join("\n")}\n`));
