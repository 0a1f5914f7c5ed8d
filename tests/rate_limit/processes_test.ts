import { assert, assertEquals } from "@std/assert";
import { createKvFile } from "../support/kv_file.ts";

const PROCESSES = 4;
const LIMIT = 60;
const WINDOW_MS = 1_000;
const RUN_MS = 3_000;

function startWorker(path: string) {
  const worker = new URL("../support/rate_limit_worker.ts", import.meta.url).pathname;
  const numbers = [LIMIT, WINDOW_MS, RUN_MS].map(String);
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
  await using file = await createKvFile();
  // Processes that make the file at the same time may find it locked.
  (await file.open()).close();
  const lines = await hammer(file.path);
  assertEquals(lines.filter((line) => line.startsWith("!")), []);
  const admitted = lines.map(Number).toSorted();
  for (const at of admitted) {
    const count = admitted.filter((other) => other > at - WINDOW_MS && other <= at).length;
    assert(count <= LIMIT, `${count} within ${WINDOW_MS} ms, until ${at}`);
  }
  // The last window may have been cut short.
  const windows = Math.floor(RUN_MS / WINDOW_MS) - 1;
  assert(admitted.length >= LIMIT * windows, `${admitted.length} in ${windows} windows`);
});
