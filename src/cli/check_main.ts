/** The process of `deno task check`: the terminal, the world, and the exit status. */
import { createServices, type Services } from "../services.ts";
import { openWorldOrExit } from "../world.ts";
import { runCheck, type Terminal } from "./check.ts";

const encoder = new TextEncoder();
const terminal: Terminal = {
  out: (text) => void Deno.stdout.writeSync(encoder.encode(text)),
  err: (text) => void Deno.stderr.writeSync(encoder.encode(text)),
  colour: Deno.stdout.isTerminal() && !Deno.noColor,
  watched: Deno.stderr.isTerminal(),
};
let close = () => Promise.resolve();

const exitCode = await runCheck(Deno.args, terminal, async (): Promise<Services> => {
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
