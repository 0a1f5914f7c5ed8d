import { createApp } from "../../src/app.ts";
import { createServices, type Services } from "../../src/services.ts";
import { openWorldOrExit } from "../../src/world.ts";

/** Serves with a part of the service changed, for what that part costs. It reads the usual environment. */
export async function serveVariant(change: (services: Services) => Services): Promise<void> {
  const { config, world } = await openWorldOrExit();
  const handle = createApp(change(createServices(config, world)), world.log);
  Deno.serve(
    { port: config.PORT, hostname: config.HOST, onListen() {} },
    (request, { remoteAddr }) => handle(request, remoteAddr.hostname),
  );
}
