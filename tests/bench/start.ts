import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { freePort, startProcess } from "../support/process.ts";
import { type Benchmark, interleave } from "./benchmark.ts";
import { canariesPassed } from "./service_checks.ts";
import { firstAnswer } from "./connection.ts";
import { startScript } from "./start_script.ts";
import { medianMs, pairedRatios } from "./statistics.ts";

const CACHED = "/check?name=taken&tld=com";
const ROUNDS = 31;

/** How long from the process's start to its first answer. */
export const start: Benchmark = {
  name: "start",
  about: "process start to first answer, and a hello-world Hono process",
  async *rows() {
    await using lab = await startLab();
    const folder = await Deno.makeTempDir();
    try {
      const kv = `${folder}/kv.sqlite3`;
      await fill(kv, lab);
      const { hello, check, health } = await interleave({
        hello: startHello,
        check: () => startService(lab, kv, CACHED),
        health: () => startService(lab, kv, "/health"),
      }, ROUNDS);
      for (const [path, service] of [[CACHED, check], ["/health", health]] as const) {
        yield {
          what: `GET ${path} from a KV file of an earlier run, ${ROUNDS} rounds`,
          measured: { service: medianMs(service), hello: medianMs(hello) },
          ratios: pairedRatios(service, hello),
          target: "≤ 3",
        };
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
};

/** Stores what an earlier run would: a cached answer, the TLD table and every canary. */
async function fill(kv: string, lab: Lab): Promise<void> {
  const port = freePort();
  await using service = await startProcess(lab, { PORT: String(port), KV_PATH: kv });
  await firstAnswer(port, CACHED);
  await canariesPassed(service, BUILT_IN_TLDS.map(({ tld }) => tld));
  service.kill("SIGTERM");
  await service.status;
}

async function startService(lab: Lab, kv: string, path: string): Promise<number> {
  const port = freePort();
  const startedAt = performance.now();
  const starting = startProcess(lab, { PORT: String(port), KV_PATH: kv });
  const answer = await firstAnswer(port, path);
  const tookMs = performance.now() - startedAt;
  await using service = await starting;
  if (path === CACHED && !answer.includes("+cache")) throw new Error(`Cannot measure: ${answer}`);
  service.kill("SIGTERM");
  await service.status;
  return tookMs;
}

async function startHello(): Promise<number> {
  const port = freePort();
  const startedAt = performance.now();
  // The plain command: the flags of the service's start are part of what is measured.
  const command = ["run", "--allow-net"];
  await using _hello = startScript("hello_server.ts", [String(port)], { command });
  await firstAnswer(port, "/");
  return performance.now() - startedAt;
}
