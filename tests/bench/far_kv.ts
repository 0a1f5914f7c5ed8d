import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { startDenokv } from "../lab/kv_connect/denokv.ts";
import { startKvConnectProcess } from "../lab/kv_connect/kv_connect_process.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import type { Benchmark, Row } from "./benchmark.ts";
import { openConnection } from "./connection.ts";
import { canariesPassed } from "./service_checks.ts";
import { percentile } from "./statistics.ts";

const PATH = "/check?name=taken&tld=com";
const ADDRESSES = 300;
const PER_SECOND = 30;
/** Long enough for each address to return five times. */
const RETURNING_MS = 50_000;
const HAMMER_MS = 130_000;
const WINDOW_MS = 60_000;
const LIMIT = 60;

/** A KV server: the lab's at so many ms of round trip, or the binary of denokv. */
type KvServer = number | { readonly denokv: string };

/** What the limiter costs with a distant KV, and whether it stays exact; on denokv, too, where `DENOKV` names its binary. */
export const farKv: Benchmark = {
  name: "far_kv",
  about: "KV Connect at a distance: round trips of 0 to 150 ms",
  async *rows() {
    await using lab = await startLab();
    for (const roundTripMs of [94, 150]) yield await returning(lab, roundTripMs);
    // Concurrently: they mostly wait.
    const denokv = Deno.env.get("DENOKV");
    const servers: KvServer[] = [0, 40, 94, 150, ...(denokv === undefined ? [] : [{ denokv }])];
    const hammered = servers.map((server) => hammered3(lab, server));
    for (const row of hammered) yield await row;
  },
};

/** Starts processes on a KV Connect server. */
export async function startFar(lab: Lab, server: KvServer, processes: number) {
  const stack = new AsyncDisposableStack();
  const env = { ...await startKv(stack, server), RATE_LIMIT: `${LIMIT}`, TRUSTED_PROXIES: "1" };
  const started: ServiceProcess[] = [];
  for (let n = 0; n < processes; n++) started.push(stack.use(await startProcess(lab, env)));
  return { stack, started };
}

async function startKv(stack: AsyncDisposableStack, server: KvServer) {
  if (typeof server !== "number") return stack.use(await startDenokv(server.denokv)).env;
  const kv = stack.use(await startKvConnectProcess());
  await kv.command({ do: "set_round_trip", ms: server });
  return kv.env;
}

function aloneTimes(started: readonly ServiceProcess[]): string {
  const events = started.flatMap(({ events }) => events);
  return `${events.filter(({ event }) => event === "limits.alone").length}`;
}

/** 300 addresses that return every ten seconds. */
async function returning(lab: Lab, roundTripMs: number): Promise<Row> {
  const { stack, started } = await startFar(lab, roundTripMs, 1);
  await using _all = stack;
  // The tests of the registries at the start would slow down the first answers.
  for (const service of started) {
    await canariesPassed(service, BUILT_IN_TLDS.map(({ tld }) => tld));
  }
  const times = await timesOfReturning(started, RETURNING_MS);
  const ms = (share: number) => `${percentile(times, share).toFixed(1)} ms`;
  return {
    what:
      `${times.length} cached answers to ${ADDRESSES} returning addresses, ${roundTripMs} ms to KV`,
    measured: { p50: ms(0.5), p90: ms(0.9), p99: ms(0.99), alone: aloneTimes(started) },
    target: `5 ms, …, ${1.2 * roundTripMs} ms, 0`,
  };
}

/** How long cached answers take, in ms, if 300 addresses send 30 requests a second to the processes in turn. */
export async function timesOfReturning(
  started: readonly ServiceProcess[],
  durationMs: number,
): Promise<number[]> {
  const times: number[] = [];
  let n = 0;
  const header = () => `x-forwarded-for: 10.0.${n % ADDRESSES >> 8}.${n % ADDRESSES & 255}\r\n`;
  const idle = started.map((): Awaited<ReturnType<typeof openConnection>>[] => []);
  const exchange = async (isMeasured: boolean) => {
    const place = ++n % started.length;
    const port = Number(new URL(started[place]?.url ?? "").port);
    const connection = idle[place]?.pop() ?? await openConnection(port, PATH, { header });
    const sentAt = performance.now();
    await connection.exchange();
    if (isMeasured) times.push(performance.now() - sentAt);
    idle[place]?.push(connection);
  };
  // First the answer is cached and each address known to the limiter of each process.
  for (const { url } of started) {
    await fetch(`${url}${PATH}`).then((answer) => answer.body?.cancel());
  }
  for (let sent = 0; sent < ADDRESSES * started.length; sent += PER_SECOND) {
    await Promise.all(Array.from({ length: PER_SECOND }, () => exchange(false)));
  }
  const until = performance.now() + durationMs;
  const under: Promise<void>[] = [];
  while (performance.now() < until) {
    under.push(exchange(true));
    await new Promise((resolve) => setTimeout(resolve, 1_000 / PER_SECOND));
  }
  await Promise.all(under);
  for (const connection of idle.flat()) connection[Symbol.dispose]();
  return times;
}

/** One address that sends requests to three processes as fast as they answer. */
async function hammered3(lab: Lab, server: KvServer): Promise<Row> {
  const { stack, started } = await startFar(lab, server, 3);
  await using _all = stack;
  const admitted: { sentAt: number; heardAt: number }[] = [];
  const header = () => "x-forwarded-for: 198.51.100.1\r\n";
  const until = performance.now() + HAMMER_MS;
  await Promise.all([...started, ...started].map(async ({ url }) => {
    using connection = await openConnection(Number(new URL(url).port), "/tlds", {
      status: "any",
      header,
    });
    while (performance.now() < until) {
      const sentAt = performance.now();
      const answer = await connection.exchange();
      if (answer.startsWith("HTTP/1.1 200")) admitted.push({ sentAt, heardAt: performance.now() });
      // A rejection takes a fraction of a ms: twelve clients on one machine need not send more.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }));
  const certain = admitted.map(({ sentAt }) =>
    admitted.filter((one) => one.sentAt >= sentAt && one.heardAt < sentAt + WINDOW_MS).length
  );
  const distance = typeof server === "number" ? `${server} ms to KV` : "denokv";
  return {
    what: `one address on three processes for ${HAMMER_MS / 1_000} s, ${distance}`,
    measured: {
      admitted: `${admitted.length}`,
      "most within 60 s": `${Math.max(...certain)}`,
      alone: aloneTimes(started),
    },
    target: `…, 50 to ${LIMIT}, 0`,
  };
}
