/** `deno task cron`: runs one of the scheduled jobs now, no matter when it last ran. */
import type { Job } from "../../cron/job.ts";
import { JOBS } from "../../cron/jobs.ts";
import { openPlatformOrExit } from "../wiring/platform.ts";
import { createServices, type Services } from "../wiring/services.ts";
import { openTerminal, parseArguments, QUIET, sanitize, type Terminal } from "./terminal.ts";

/** The exit status: done, wrong usage, not done. */
type CronExit = 0 | 1 | 2;

const WIDTH = Math.max(...JOBS.map(({ name }) => name.length));
const USAGE = `Usage: deno task cron <job>

${JOBS.map(({ name, about }) => `  ${name.padEnd(WIDTH)}  ${about}`).join("\n")}

Runs a job now that the server runs on a schedule.
Exit status: 0 done; 1 wrong usage; 2 failed or stopped.
`;

/** Runs the command; `openJobs` is called only when the arguments name a job. */
export async function runCron(
  args: readonly string[],
  terminal: Pick<Terminal, "write" | "err">,
  openJobs: () => Promise<Pick<Services["jobs"], "runner">>,
): Promise<CronExit> {
  const read = readCronArguments(args);
  if (read === "help") return await terminal.write(USAGE), 0;
  if (read instanceof Error) return terminal.err(`${read.message}\n\n${USAGE}`), 1;
  const { name } = read;
  const { runner } = await openJobs();
  const ran = await runner.runNow(read);
  if (ran.kind === "done") return await terminal.write(`${name}: ${ran.message}\n`), 0;
  if (ran.kind === "failed") return terminal.err(`${name} failed: ${ran.reason}\n`), 2;
  return terminal.err(`${name}: stopped before it finished\n`), 2;
}

/** The job, or an error whose message is for the user. */
function readCronArguments(args: readonly string[]): Job | "help" | Error {
  const parsed = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h" } },
  });
  if (parsed instanceof Error) return parsed;
  const { values: { help }, positionals: [name, ...rest] } = parsed;
  if (help) return "help";
  if (name === undefined || rest.length > 0) return new Error("Expected exactly one job");
  return JOBS.find((job) => job.name === name) ?? new Error(`Unknown job: ${sanitize(name)}`);
}

if (import.meta.main) {
  let close = () => Promise.resolve();
  const exitCode = await runCron(Deno.args, openTerminal(), async () => {
    const { config, platform } = await openPlatformOrExit(QUIET);
    const { jobs, drain, stop } = createServices(config, platform);
    // An interrupted job ends its look-ups first.
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      Deno.addSignalListener(signal, drain);
    }
    close = async () => {
      await stop();
      platform.close();
    };
    return jobs;
  });
  await close();
  Deno.exit(exitCode);
}
