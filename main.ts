/** Starts the service; on SIGINT or SIGTERM answers the requests in flight, then exits. */
import { registerJobs } from "./cron/job.ts";
import { JOBS } from "./cron/jobs.ts";
import { createApp } from "./src/app.ts";
import { withDeadline } from "./src/flow/deadline.ts";
import { exitWith, onEndingSignal, openPlatformOrExit } from "./src/wiring/platform.ts";
import { createServices } from "./src/wiring/services.ts";

/** Upstream look-ups that run longer than this after a signal are cancelled and answered `unknown`. */
const GRACE_MS = 3_500;
/** After this the server drops half-sent requests, which leaves time to write the counters to KV. */
const SHUTDOWN_MS = 4_200;
/** After this the process exits in any case: Deno Deploy kills it five seconds after its SIGINT. */
const LIMIT_MS = 4_700;

const { config, platform } = await openPlatformOrExit({}, { isServer: true });
const services = createServices(config, platform);
const isQuiet = (config.DENO_TIMELINE ?? "production") !== "production";
// Before Deno.serve: Deno Deploy refuses jobs that are registered after it.
registerJobs(JOBS, { ...services.jobs, isQuiet, report: platform.log.warn });
// Before the service listens: a signal that arrives at once must not cut off a request.
onEndingSignal(drain, { isBounded: true });
const server = listen();

void services.renewTlds().then(runDueJobs);
void services.renewCanaries();

/** Runs the jobs that have something to do: a new service need not wait for their next tick. */
function runDueJobs(): void {
  if (isQuiet) return;
  for (const job of JOBS) if (job.isDue !== undefined) void services.jobs.runner.runDue(job);
}

/** Listens on HOST and PORT; exits if it cannot. */
function listen(): Deno.HttpServer {
  const { PORT: port, HOST: hostname } = config;
  const onListen = (address: Deno.NetAddr) =>
    platform.log.info("listening", {
      hostname: address.hostname,
      port: address.port,
      deno: Deno.version.deno,
    });
  // The app answers its own errors. Those of a body that has begun arrive here; Deno would print them as they are.
  const onError = (error: unknown) => {
    platform.log.info("answer.cut", { error: `${error}` });
    return new Response(null, { status: 500 });
  };
  const app = createApp(services, platform.log);
  try {
    return Deno.serve({ port, hostname, onListen, onError }, app.fetch);
  } catch (error) {
    exitWith(
      `cannot listen on HOST="${hostname}" (a name or an IP address) PORT="${port}": ${error}`,
    );
  }
}

/** Answers the requests in flight, then closes the server and, last, KV. */
async function drain(): Promise<void> {
  platform.log.info("draining");
  setTimeout(() => Deno.exit(0), LIMIT_MS);
  setTimeout(services.giveUp, GRACE_MS);
  services.drain();
  await withDeadline(server.shutdown(), SHUTDOWN_MS, undefined);
  await services.stop();
  platform.close();
  platform.log.info("stopped");
  Deno.exit(0);
}
