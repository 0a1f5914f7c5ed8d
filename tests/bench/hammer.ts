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

/** A response, decided at some moment between the request and its arrival. */
interface Timed {
  sentAt: number;
  receivedAt: number;
}

interface Log {
  admitted: Timed[];
  /** Rejections that fewer admissions than the limit justified when they arrived; requests in flight may justify them. */
  doubtful: Timed[];
  refused: number;
  faults: string[];
}

/** Whether the limit holds over processes that get requests as fast as they answer. */
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
    const connections = ports.flatMap((port) => Array(CONNECTIONS).fill(port));
    await Promise.all(connections.map((port) => ask(port, until, log)));
    const wrong = log.doubtful.filter((refusal) => !isJustified(refusal, log.admitted));
    yield {
      what: "of all that was answered",
      measured: {
        admitted: `${log.admitted.length}`,
        refused: `${log.refused}`,
        "most within 60 s": `${mostWithinWindow(log.admitted)}`,
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
  return { sentAt, receivedAt: performance.now(), status: answer.slice(9, 12) };
}

function note({ status, ...response }: Timed & { status: string }, log: Log): void {
  if (status === "200") log.admitted.push(response);
  else if (status !== "429") log.faults.push(status);
  else {
    log.refused++;
    if (!isJustified(response, log.admitted.slice(-2 * LIMIT))) log.doubtful.push(response);
  }
}

/** Whether the limit may have been used up at some moment between the request and its response. */
function isJustified({ sentAt, receivedAt }: Timed, admitted: readonly Timed[]): boolean {
  const counting = admitted.filter((one) =>
    one.receivedAt > sentAt - WINDOW_MS && one.sentAt <= receivedAt
  );
  return counting.length >= LIMIT;
}

/** The most requests that were certainly admitted within one window: sent after its start, answered before its end. */
function mostWithinWindow(admitted: readonly Timed[]): number {
  const counts = admitted.map(({ sentAt }) =>
    admitted.filter((one) => one.sentAt >= sentAt && one.receivedAt < sentAt + WINDOW_MS).length
  );
  return Math.max(0, ...counts);
}
