/** The process of `deno task cron`: opens the terminal and the jobs, sets the exit status. */
import { createLookUps } from "../wiring/look_ups.ts";
import { openPlatformOrExit } from "../wiring/platform.ts";
import { createJobs } from "../wiring/services.ts";
import { runCron } from "./cron.ts";
import { openTerminal } from "./terminal.ts";

let close = () => Promise.resolve();

const exitCode = await runCron(Deno.args, openTerminal(), async () => {
  // No log events: the command prints the job's outcome itself.
  const { signal: whileLocked } = new AbortController();
  const { config, platform } = await openPlatformOrExit({ LOG_LEVEL: "silent" }, { whileLocked });
  const jobs = createJobs(createLookUps(config, platform));
  // An interrupted job ends its look-ups first.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, jobs.drain);
  }
  close = async () => {
    await jobs.stop();
    platform.close();
  };
  return jobs;
});
await close();
Deno.exit(exitCode);
