/** The process of `deno task cron`: opens the terminal and the services, sets the exit status. */
import { createServices } from "../wiring/services.ts";
import { openPlatformOrExit } from "../wiring/platform.ts";
import { runCron } from "./cron.ts";
import { openTerminal } from "./terminal.ts";

let close = () => Promise.resolve();

const exitCode = await runCron(Deno.args, openTerminal(), async () => {
  // No log events: the command prints the job's outcome itself.
  const { config, platform } = await openPlatformOrExit({ LOG_LEVEL: "silent" });
  const services = createServices(config, platform);
  // An interrupted job must release its lease.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, services.drain);
  }
  close = async () => {
    await services.stop();
    platform.close();
  };
  return services.jobs;
});
await close();
Deno.exit(exitCode);
