import { assert, assertEquals } from "@std/assert";

const PROCESSES = 4;
const WINDOW_MS = 1_000;
const RUN_MS = 3_000;
/** A sixtieth of the window: by so much two clocks may differ. */
const SKEW_MS = 17;
/** Generous: on a busy machine a process may not run for a while, and what it does then is not asked here. */
const DEADLINE_MS = 3_000;

/**
 * Limits, and the most that one request costs. Slots of a limit above 300 share a stamp of up to a second ahead, which a
 * window of a second takes for a clock set back.
 */
const CASES = [
  { what: "requests", limit: 60, highestCost: 1 },
  { what: "requests for up to 200 names", limit: 300, highestCost: 200 },
];

function startWorker(path: string, { limit, highestCost }: typeof CASES[number]) {
  const worker = new URL("../support/rate_limit_worker.ts", import.meta.url).pathname;
  const numbers = [limit, WINDOW_MS, 8, RUN_MS, DEADLINE_MS, highestCost].map(String);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-read", "--allow-write", worker, path, ...numbers],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return { child, reader: child.stdout.pipeThrough(new TextDecoderStream()).getReader() };
}

/** Runs the processes at once on one KV file; returns all that they printed. */
async function hammer(path: string, limits: typeof CASES[number]): Promise<string[]> {
  const workers = Array.from({ length: PROCESSES }, () => startWorker(path, limits));
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

/** The numbers of the lines that begin with a sign. */
function numbersOf(lines: readonly string[], sign: "+" | "-"): number[][] {
  return lines.filter((line) => line.startsWith(sign))
    .map((line) => line.slice(2).split(" ").map(Number));
}

for (const limits of CASES) {
  const { what, limit, highestCost } = limits;
  Deno.test(`limiters of several processes on one KV file share one window of ${what}`, async () => {
    const folder = await Deno.makeTempDir();
    // Processes that make the file at the same time may find it locked.
    (await Deno.openKv(`${folder}/kv`)).close();
    const lines = await hammer(`${folder}/kv`, limits);
    await Deno.remove(folder, { recursive: true });
    assertEquals(lines.filter((line) => line.startsWith("!")), []);

    const admitted = numbersOf(lines, "+").map(([at = 0, cost = 0]) => ({ at, cost }));
    const costBetween = (after: number, until: number) =>
      admitted.filter(({ at }) => at > after && at <= until)
        .reduce((sum, { cost }) => sum + cost, 0);
    for (const { at } of admitted) {
      const cost = costBetween(at - WINDOW_MS, at);
      assert(cost <= limit, `${cost} within ${WINDOW_MS} ms, until ${at}`);
    }
    // The last window may have been cut short, and what is left of one may be less than a request costs.
    const windows = Math.floor(RUN_MS / WINDOW_MS) - 1;
    const sum = admitted.reduce((sum, { cost }) => sum + cost, 0);
    assert(sum >= (limit - highestCost + 1) * windows, `${sum} in ${windows} windows`);

    for (const [asked = 0, told = 0, cost = 0] of numbersOf(lines, "-")) {
      // A batch refuses what does not fit beside its other claims, whose commit may have to be repeated.
      const until = highestCost > 1 ? told + WINDOW_MS : told;
      const around = costBetween(asked - WINDOW_MS - SKEW_MS, until);
      // The other processes may hold an eighth of the limit in reserve.
      const least = limit - (PROCESSES - 1) * Math.ceil(limit / 8) - cost + 1;
      assert(around >= least, `${cost} refused at ${asked} beside ${around}`);
    }
  });
}
