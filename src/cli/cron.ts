/** `deno task cron`: runs one of the scheduled jobs now, no matter when it last ran. */
import { JOBS } from "../../cron/jobs.ts";
import { onEndingSignal, openPlatformOrExit } from "../wiring/platform.ts";
import { createServices, type Services } from "../wiring/services.ts";
import { openTerminal, QUIET, refuse, runCommand, sanitize, type Terminal } from "./terminal.ts";

const WIDTH = Math.max(...JOBS.map(({ name }) => name.length));
const USAGE = `Usage: deno task cron <job>

${JOBS.map(({ name, about }) => `  ${name.padEnd(WIDTH)}  ${about}`).join("\n")}

Runs a job now that the server runs on a schedule.
Exit status: 0 done; 1 wrong usage; 2 failed or stopped.
`;

/** Runs the command and returns its exit status; `openJobs` is called only when the arguments name a job. */
export async function runCron(
  args: readonly string[],
  { write, err }: Pick<Terminal, "write" | "err">,
  openJobs: () => Promise<Pick<Services["jobs"], "runner">>,
): Promise<0 | 1 | 2> {
  return await runCommand(
    args,
    { write, err, options: {}, usage: USAGE },
    async (_, positionals) => {
      const [named, ...rest] = positionals;
      if (named === undefined || rest.length > 0) return refuse("Expected exactly one job");
      const job = JOBS.find(({ name }) => name === named) ??
        refuse(`Unknown job: ${sanitize(named)}`);
      const { runner } = await openJobs();
      const ran = await runner.runNow(job);
      if (ran === undefined) return err(`${named}: stopped before it finished\n`), 2;
      if (ran.kind === "done") return await write(`${named}: ${ran.message}\n`), 0;
      return err(`${named} failed: ${ran.reason}\n`), 2;
    },
  );
}

if (import.meta.main) {
  let close = () => Promise.resolve();
  const exitCode = await runCron(Deno.args, openTerminal(), async () => {
    const { config, platform } = await openPlatformOrExit(QUIET);
    const { jobs, drain, stop } = createServices(config, platform);
    // An interrupted job ends its look-ups first.
    onEndingSignal(drain);
    close = async () => {
      await stop();
      platform.close();
    };
    return jobs;
  });
  await close();
  Deno.exit(exitCode);
}
