/** The process of `deno task check`: the terminal, the world, and the exit status. */
import { createServices, type Services } from "../services.ts";
import { openWorldOrExit } from "../world.ts";
import { runCheck } from "./check.ts";
import { openTerminal } from "./terminal.ts";

let close = () => Promise.resolve();

const exitCode = await runCheck(Deno.args, openTerminal(), async (): Promise<Services> => {
  // Events are for whoever runs the server; here they would stand between the results.
  const { config, world } = await openWorldOrExit({ LOG_LEVEL: "silent" });
  const services = createServices(config, world);
  close = async () => {
    await services.stop();
    world.close();
  };
  void services.refreshTlds();
  return services;
});
await close();
Deno.exit(exitCode);
