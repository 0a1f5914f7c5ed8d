import { startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import type { Benchmark } from "./benchmark.ts";
import { type Connection, openConnection } from "./connection.ts";

const PROCESSES = 4;
const CONNECTIONS = 2;
const DURATION_MS = 130_000;
const LIMIT = 60;
const WINDOW_MS = 60_000;
const ADDRESS = "x-forwarded-for: 198.51.100.1\r\n";

/** An answer, known to within the time between asking and hearing. */
interface Heard {
  sentAt: number;
  heardAt: number;
}

interface Log {
  admitted: Heard[];
  /** Refusals that fewer than the limit were known to justify when they came; what was in flight may yet. */
  doubtful: Heard[];
  refused: number;
  faults: string[];
}

/** Whether the limit holds over processes that are asked as fast as they answer. */
export const hammer: Benchmark = {
  name: "hammer",
  about: `${PROCESSES} processes on one KV file, one address, ${DURATION_MS / 1_000} s`,
  async *rows() {
    await using lab = await startLab();
    await using stack = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir();
    const env = { KV_PATH: `${folder}/kv`, RATE_LIMIT: `${LIMIT}`, TRUSTED_PROXIES: "1" };
    const ports: number[] = [];
    for (let n = 0; n < PROCESSES; n++) {
      const process = stack.use(await startProcess(lab, env));
      ports.push(Number(new URL(process.url).port));
    }
    const log: Log = { admitted: [], doubtful: [], refused: 0, faults: [] };
    const until = performance.now() + DURATION_MS;
    const askers = ports.flatMap((port) => Array(CONNECTIONS).fill(port));
    await Promise.all(askers.map((port) => ask(port, until, log)));
    const wrong = log.doubtful.filter((refusal) => !isJustified(refusal, log.admitted));
    yield {
      what: "of all that was answered",
      measured: {
        "let in": `${log.admitted.length}`,
        refused: `${log.refused}`,
        "most let in within 60 s": `${mostWithinWindow(log.admitted)}`,
        "refused too early": `${wrong.length}`,
        "other answers": `${log.faults.length}`,
      },
      target: `at most ${LIMIT}, none, none`,
    };
  },
};

async function ask(port: number, until: number, log: Log): Promise<void> {
  using connection = await openConnection(port, "/tlds", { status: "any", header: () => ADDRESS });
  while (performance.now() < until) note(await timed(connection), log);
}

async function timed(connection: Connection) {
  const sentAt = performance.now();
  const answer = await connection.exchange();
  return { sentAt, heardAt: performance.now(), status: answer.slice(9, 12) };
}

function note({ status, ...heard }: Heard & { status: string }, log: Log): void {
  if (status === "200") log.admitted.push(heard);
  else if (status !== "429") log.faults.push(status);
  else {
    log.refused++;
    if (!isJustified(heard, log.admitted.slice(-2 * LIMIT))) log.doubtful.push(heard);
  }
}

/** Whether the limit may have been used up at some moment between asking and hearing. */
function isJustified({ sentAt, heardAt }: Heard, admitted: readonly Heard[]): boolean {
  const counting = admitted.filter((one) =>
    one.heardAt > sentAt - WINDOW_MS && one.sentAt <= heardAt
  );
  return counting.length >= LIMIT;
}

/** The most that were certainly let in within one window: asked after its begin and heard before its end. */
function mostWithinWindow(admitted: readonly Heard[]): number {
  const counts = admitted.map(({ sentAt }) =>
    admitted.filter((one) => one.sentAt >= sentAt && one.heardAt < sentAt + WINDOW_MS).length
  );
  return Math.max(0, ...counts);
}
