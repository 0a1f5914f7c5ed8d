import { assert, assertEquals } from "@std/assert";
import { startKvConnect } from "../lab/kv_connect/kv_connect.ts";
import { overPace } from "../support/over_pace.ts";

const PACE = { burst: 2, everyMs: 60 };
const TASKS = 12;
/**
 * A process of a busy machine prints a start some time after it took its slot. If each process had a burst of its own,
 * four starts would exceed the pace.
 */
const MOST_OVER = 3;

interface Worker {
  child: Deno.ChildProcess;
  lines: ReadableStreamDefaultReader<string>;
  starts: number[];
}

function startWorker(path: string, env: Record<string, string>): Worker {
  const worker = new URL("../support/pace_worker.ts", import.meta.url).pathname;
  const numbers = [PACE.burst, PACE.everyMs, TASKS].map(String);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", worker, path, ...numbers],
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return {
    child,
    lines: child.stdout.pipeThrough(new TextDecoderStream()).getReader(),
    starts: [],
  };
}

/** Reads the starts of a worker as it prints them, to its end; `onStart` is called after each part. */
async function read({ lines, starts }: Worker, onStart: () => void = () => {}): Promise<void> {
  for (let part = await lines.read(); !part.done; part = await lines.read()) {
    const printed = part.value.trim().split("\n");
    assertEquals(printed.filter((line) => line.startsWith("!")), []);
    starts.push(...printed.map(Number));
    onStart();
  }
}

/** Has three processes ask one host, of which one is killed in the middle. */
async function assertTakenOver(path: string, env: Record<string, string> = {}): Promise<void> {
  const workers = [startWorker(path, env), startWorker(path, env), startWorker(path, env)] as const;
  for (const { lines } of workers) assertEquals((await lines.read()).value, "ready\n");
  await Promise.all(workers.map(({ child }) => child.stdin.close()));
  const [killed, ...others] = workers;
  let isKilled = false;
  const kill = () => {
    if (isKilled || killed.starts.length < 3) return;
    isKilled = true;
    killed.child.kill("SIGKILL");
  };
  await Promise.all([read(killed, kill), ...others.map((one) => read(one))]);
  const codes = await Promise.all(workers.map(async ({ child }) => (await child.status).code));
  assertEquals(codes.slice(1), [0, 0]);
  assertEquals(others.map(({ starts }) => starts.length), [TASKS, TASKS]);
  const starts = workers.flatMap(({ starts }) => starts);
  const over = overPace(starts, PACE);
  assert(over <= MOST_OVER, `${over} over the pace: ${starts.toSorted()}`);
}

Deno.test("three processes on one KV file keep one pace, and two go on when one is killed", async () => {
  const folder = await Deno.makeTempDir();
  // Processes that make the file at the same time may find it locked.
  (await Deno.openKv(`${folder}/kv`)).close();
  await assertTakenOver(`${folder}/kv`);
  await Deno.remove(folder, { recursive: true });
});

for (const roundTripMs of [0, 94]) {
  Deno.test(`three processes on KV Connect ${roundTripMs} ms away keep one pace, and two go on when one is killed`, async () => {
    await using server = startKvConnect({ roundTripMs });
    await assertTakenOver(server.url, { DENO_KV_ACCESS_TOKEN: server.env.DENO_KV_ACCESS_TOKEN });
  });
}
