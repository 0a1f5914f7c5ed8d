import { createApp } from "../../src/app.ts";
import { createServices, type Services } from "../../src/wiring/services.ts";
import { openPlatformOrExit } from "../../src/wiring/platform.ts";

/** Serves with a part of the service changed, for what that part costs. It reads the usual environment. */
export async function serveVariant(change: (services: Services) => Services): Promise<void> {
  const { config, platform } = await openPlatformOrExit();
  const handle = createApp(change(createServices(config, platform)), platform.log);
  Deno.serve(
    { port: config.PORT, hostname: config.HOST, onListen() {} },
    (request, { remoteAddr }) => handle(request, remoteAddr.hostname),
  );
}
