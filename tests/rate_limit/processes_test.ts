import { assert, assertEquals } from "@std/assert";

const PROCESSES = 4;
const LIMIT = 60;
const WINDOW_MS = 1_000;
const RUN_MS = 4_000;
/** A sixtieth of the window: by so much two clocks may differ. */
const SKEW_MS = 17;
/** An eighth of the limit. */
const LARGEST_RESERVE = 8;
/** Generous: on a busy machine a process may not run for a while, and what it does then is not asked here. */
const DEADLINE_MS = 3_000;

function startWorker(path: string) {
  const worker = new URL("../support/rate_limit_worker.ts", import.meta.url).pathname;
  const numbers = [LIMIT, WINDOW_MS, 8, RUN_MS, DEADLINE_MS].map(String);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-read", "--allow-write", worker, path, ...numbers],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return { child, reader: child.stdout.pipeThrough(new TextDecoderStream()).getReader() };
}

/** Runs the processes at once on one KV file; returns all that they printed. */
async function hammer(path: string): Promise<string[]> {
  const workers = Array.from({ length: PROCESSES }, () => startWorker(path));
  for (const { reader } of workers) assertEquals((await reader.read()).value, "ready\n");
  await Promise.all(workers.map(({ child }) => child.stdin.close()));
  const printed = await Promise.all(workers.map(async ({ child, reader }) => {
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    assertEquals((await child.status).code, 0);
    return text.trim().split("\n");
  }));
  return printed.flat();
}

Deno.test("limiters of several processes on one KV file share one window", async () => {
  const folder = await Deno.makeTempDir();
  // Processes that make the file at the same time may find it locked.
  (await Deno.openKv(`${folder}/kv`)).close();
  const lines = await hammer(`${folder}/kv`);
  await Deno.remove(folder, { recursive: true });
  const faults = lines.filter((line) => line.startsWith("!"));
  assertEquals(faults, []);

  const admitted = lines.filter((line) => line.startsWith("+")).map((line) => Number(line.slice(2)))
    .toSorted((a, b) => a - b);
  // In sorted times, one more than the limit must span more than a window.
  const spans = admitted.slice(LIMIT).map((at, n) => at - (admitted[n] ?? 0));
  assert(Math.min(...spans) >= WINDOW_MS, `${LIMIT + 1} within ${Math.min(...spans)} ms`);
  // The last window may have been cut short.
  const windows = Math.floor(RUN_MS / WINDOW_MS) - 1;
  assert(admitted.length >= LIMIT * windows, `${admitted.length} in ${windows} windows`);

  for (const line of lines.filter((line) => line.startsWith("-"))) {
    const [, asked = 0, told = 0] = line.split(" ").map(Number);
    const before = admitted.filter((at) => at > asked - WINDOW_MS - SKEW_MS && at <= told);
    // The other processes may hold slots in reserve.
    const least = LIMIT - (PROCESSES - 1) * LARGEST_RESERVE;
    assert(before.length >= least, `refused at ${asked} after ${before.length} admissions`);
  }
});
