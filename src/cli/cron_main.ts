/** The process of `deno task cron`: the terminal, the world, and the exit status. */
import { createServices } from "../services.ts";
import { openWorldOrExit } from "../world.ts";
import { runCron } from "./cron.ts";
import { openTerminal } from "./terminal.ts";

let close = () => Promise.resolve();

const exitCode = await runCron(Deno.args, openTerminal(), async () => {
  // Events are for whoever runs the server; what the job came to is told at its end.
  const { config, world } = await openWorldOrExit({ LOG_LEVEL: "silent" });
  const services = createServices(config, world);
  // Ended in the middle, a job gives its lease back.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, services.drain);
  }
  close = async () => {
    await services.stop();
    world.close();
  };
  return await services.openUpkeep();
});
await close();
Deno.exit(exitCode);
