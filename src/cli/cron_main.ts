/** The process of `deno task cron`: opens terminal and services, sets the exit status. */
import { createServices } from "../wiring/services.ts";
import { openPlatformOrExit } from "../wiring/platform.ts";
import { runCron } from "./cron.ts";
import { openTerminal } from "./terminal.ts";

let close = () => Promise.resolve();

const exitCode = await runCron(Deno.args, openTerminal(), async () => {
  // Events are for whoever runs the server; what the job came to is told at its end.
  const { config, platform } = await openPlatformOrExit({ LOG_LEVEL: "silent" });
  const services = createServices(config, platform);
  // Ended in the middle, a job gives its lease back.
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
