/**
 * The service as `main.ts` starts it, for chaos runs: its wall clock can be moved while it runs, its requests name its
 * process to the lab, and its jobs run on command. Commands come on stdin, one a line:
 * `clock <ms>` moves the wall clock by so much from the machine's; `job <name>`; `renew <label>`.
 */
import { createInterface } from "node:readline";
import process from "node:process";
import { JOBS } from "../../cron/jobs.ts";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import { createServices } from "../../src/wiring/services.ts";
import { patientKv } from "./patient_kv.ts";

const GRACE_MS = 3_500;
const LIMIT_MS = 4_700;
/** Only entries that expire earlier than this from now are renewed. */
const RENEW_AHEAD_MS = 20 * 60_000;

const { CHAOS_SLOT = "0", CHAOS_OFFSET_MS = "0" } = Deno.env.toObject();
let offsetMs = Number(CHAOS_OFFSET_MS);
const now = () => Date.now() + offsetMs;

const config = readConfig(Deno.env.toObject());
const log = createLog({ level: config.LOG_LEVEL, now });
const kv = await Deno.openKv(config.KV_PATH);
const client = Deno.createHttpClient({ http2: false, poolMaxIdlePerHost: 8 });
const services = createServices(config, {
  kv: patientKv(kv),
  fetch(url, init) {
    const headers = new Headers(init.headers);
    headers.set("x-chaos-slot", CHAOS_SLOT);
    return fetch(url, { ...init, headers, client });
  },
  resolveNs: Deno.resolveDns,
  random: Math.random,
  connectTcp: Deno.connect,
  resolveTxt: Deno.resolveDns,
  log,
  now,
  monotonic: () => performance.now(),
  version: "chaos",
});
const app = createApp(services, log);
const server = Deno.serve({
  hostname: config.HOST,
  port: config.PORT,
  onListen: ({ port }) => log.info("listening", { port }),
}, app.fetch);
services.announceProcess();
setTimeout(() => void services.jobs.dependencies.tlds.refresh(), 100);
setTimeout(() => void services.renewCanaries(), 1_000);

async function runJob(name: string): Promise<void> {
  const job = JOBS.find((job) => job.name === name);
  if (job === undefined) throw new Error(`Cannot run ${name}: there is no such job`);
  const outcome = await job.run(services.jobs.dependencies, {
    stop: services.ending,
    progress() {},
  });
  log.info("chaos.job", { job: name, ...outcome });
}

async function renew(label: string): Promise<void> {
  const { warmers } = services.jobs.dependencies;
  const lookups = await warmers.find(({ kind }) => kind === "domain")?.lookupsOf(label) ?? [];
  const until = now() + RENEW_AHEAD_MS;
  await Promise.all(lookups.map((lookup) => lookup.renew(until)));
}

async function obey(line: string): Promise<void> {
  const [word, value = ""] = line.split(" ");
  if (word === "clock") {
    offsetMs = Number(value);
    log.info("chaos.clock", { offsetMs });
  } else if (word === "job") await runJob(value);
  else if (word === "renew") await renew(value);
}

createInterface({ input: process.stdin }).on("line", (line) => {
  obey(line).catch((error) => log.error("chaos.command_failed", { line, error: `${error}` }));
});

let isDraining = false;
Deno.addSignalListener("SIGTERM", async () => {
  if (isDraining) return;
  isDraining = true;
  setTimeout(() => Deno.exit(0), LIMIT_MS);
  setTimeout(services.giveUp, GRACE_MS);
  services.drain();
  await server.shutdown();
  await services.stop();
  client.close();
  kv.close();
  Deno.exit(0);
});
