/** Starts the service: configuration, world, services, server; and ends it without losing what it was asked. */
import { startAlarm } from "./src/flow/alarm.ts";
import { deadline } from "./src/flow/deadline.ts";
import { exitWith, openWorldOrExit } from "./src/world.ts";

/** After a signal, look-ups that take longer than this are given up, so that whoever waits is told so in time. */
const GRACE_MS = 3_500;
/** Whose request has not even arrived by then is waited for no longer: what was counted must still be written down. */
const SHUTDOWN_MS = 4_200;
/** Deno Deploy kills five seconds after its signal. */
const LIMIT_MS = 4_700;
/** The first job registered costs 3 ms, a twentieth of a start. */
const JOBS_AFTER_MS = 50;

// KV opens on another thread: reading the rest of the program meanwhile makes the start a tenth shorter.
const opening = openWorldOrExit();
const { createApp } = await import("./src/app.ts");
const { createServices } = await import("./src/services.ts");
const { config, world } = await opening;
const services = createServices(config, world);
const server = listen();
// The first moments belong to whoever waits for the start; a check that needs the table starts its refresh itself.
startAlarm(() => void services.refreshTlds(), 100);
startAlarm(() => void services.renewCanaries(), 1_000);

let isDraining = false;
const signals = ["SIGINT", "SIGTERM"] as const;
for (const signal of signals) Deno.addSignalListener(signal, drain);

// Later than whoever waits for the start, and still while this module is evaluated: Deno Deploy finds jobs by that.
await new Promise<void>((resolve) => startAlarm(resolve, JOBS_AFTER_MS));
const { JOBS } = await import("./cron/jobs.ts");
const { registerJobs } = await import("./cron/register_jobs.ts");
registerJobs(JOBS, {
  ...services,
  isQuiet: (config.DENO_TIMELINE ?? "production") !== "production",
});

/** Listens where the configuration says, or ends the start. */
function listen(): Deno.HttpServer {
  const { PORT: port, HOST: hostname } = config;
  const onListen = (address: Deno.NetAddr) =>
    world.log.info("listening", {
      hostname: address.hostname,
      port: address.port,
      deno: Deno.version.deno,
    });
  const handle = createApp(services, world.log);
  try {
    return Deno.serve(
      { port, hostname, onListen },
      (request, { remoteAddr }) => handle(request, remoteAddr.hostname),
    );
  } catch (error) {
    exitWith(
      `HOST and PORT hold "${hostname}" and "${port}", but nobody can listen there: ${error}`,
    );
  }
}

/** Answers what is in flight, then closes: the server first, KV last. */
async function drain(): Promise<void> {
  // `deno task` passes on a Ctrl-C that the terminal has sent to all anyway: the second must not cut anybody off.
  if (isDraining) return;
  isDraining = true;
  world.log.info("draining");
  setTimeout(() => Deno.exit(0), LIMIT_MS);
  setTimeout(services.giveUp, GRACE_MS);
  services.drain();
  await deadline(server.shutdown(), SHUTDOWN_MS, undefined);
  await services.stop();
  world.close();
  world.log.info("stopped");
  Deno.exit(0);
}
