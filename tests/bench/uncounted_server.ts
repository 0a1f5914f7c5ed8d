/** The service without its limiter: everybody is let in, and nothing is counted. It reads the usual environment. */
import { createApp } from "../../src/app.ts";
import { createServices } from "../../src/services.ts";
import { openWorldOrExit } from "../../src/world.ts";

const { config, world } = await openWorldOrExit();
const services = createServices(config, world);
const { limits } = services;
const standing = { remaining: 59, resetAt: Date.now() + 60_000 };
const admission = Promise.resolve({ kind: "admitted" as const, at: Date.now(), ...standing });
const windows = { admit: () => admission, peek: () => standing };
const handle = createApp({ ...services, limits: { ...limits, windows } }, world.log);

Deno.serve(
  { port: config.PORT, hostname: config.HOST, onListen() {} },
  (request, { remoteAddr }) => handle(request, remoteAddr.hostname),
);
