/** Starts the service: configuration, world, services, server; and ends it without losing what it was asked. */
import { createApp } from "./src/app.ts";
import { createServices } from "./src/services.ts";
import { exitWith, openWorldOrExit } from "./src/world.ts";

/** After a signal, look-ups that take longer than this are given up, so that whoever waits is told so in time. */
const GRACE_MS = 3_500;
/** Deno Deploy kills five seconds after its signal. */
const LIMIT_MS = 4_700;

const { config, world } = await openWorldOrExit();
const services = createServices(config, world);
const server = listen();
void services.refreshTlds();
void services.renewCanaries();

const signals = ["SIGINT", "SIGTERM"] as const;
for (const signal of signals) Deno.addSignalListener(signal, drain);

/** Listens where the configuration says, or ends the start. */
function listen(): Deno.HttpServer {
  const { PORT: port, HOST: hostname } = config;
  const onListen = (address: Deno.NetAddr) =>
    world.log.info("listening", {
      hostname: address.hostname,
      port: address.port,
      deno: Deno.version.deno,
    });
  try {
    return Deno.serve({ port, hostname, onListen }, createApp(services, world.log));
  } catch (error) {
    exitWith(error);
  }
}

/** Answers what is in flight, then closes: the server first, KV last. */
async function drain(): Promise<void> {
  for (const signal of signals) Deno.removeSignalListener(signal, drain);
  world.log.info("draining");
  setTimeout(() => Deno.exit(0), LIMIT_MS);
  setTimeout(services.giveUp, GRACE_MS);
  services.drain();
  await server.shutdown();
  await services.stop();
  world.close();
  world.log.info("stopped");
  Deno.exit(0);
}
