/** `deno task cron`: runs one of the scheduled jobs now, no matter when it last ran. */
import type { Job } from "../../cron/job.ts";
import { JOBS } from "../../cron/jobs.ts";
import type { Jobs } from "../wiring/services.ts";
import { parseArguments } from "./parse_arguments.ts";
import { createRate, drawProgress } from "./progress.ts";
import { createScreen } from "./screen.ts";
import { sanitize, type Terminal } from "./terminal.ts";

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
  terminal: Terminal,
  openJobs: () => Promise<Pick<Jobs, "runner" | "dependencies">>,
): Promise<CronExit> {
  const read = readCronArguments(args);
  if (read.kind === "help") return terminal.out(USAGE), 0;
  if (read.kind === "refused") return terminal.err(`${read.message}\n\n${USAGE}`), 1;
  return await runJob(read.job, terminal, await openJobs());
}

async function runJob(
  { name, run }: Job,
  terminal: Terminal,
  { runner, dependencies }: Pick<Jobs, "runner" | "dependencies">,
): Promise<CronExit> {
  const rate = createRate(dependencies.now);
  let total: number | undefined;
  using screen = createScreen(terminal, (columns) => {
    if (total === undefined) return `${name} is running`.slice(0, columns - 1);
    return drawProgress({ done: rate.count, total, perSecond: rate.perSecond() }, columns);
  });
  const progress = (done: number, of: number) => {
    total = of;
    if (done > rate.count) rate.add();
  };
  const ran = await runner.runNow(name, (stop) => run(dependencies, { stop, progress }));
  screen.close();
  if (ran.kind === "stopped") return terminal.err(`${name}: stopped before it finished\n`), 2;
  const { outcome } = ran.end;
  if (outcome.kind === "done") return terminal.out(`${name}: ${outcome.message}\n`), 0;
  return terminal.err(`${name} failed: ${outcome.reason}\n`), 2;
}

type CronArguments =
  | { kind: "run"; job: Job }
  | { kind: "help" }
  | { kind: "refused"; message: string };

function readCronArguments(args: readonly string[]): CronArguments {
  const parsed = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h" } },
  });
  if (parsed instanceof Error) return { kind: "refused", message: parsed.message };
  const { values: { help }, positionals: [name, ...rest] } = parsed;
  if (help) return { kind: "help" };
  if (name === undefined || rest.length > 0) {
    return { kind: "refused", message: "Expected exactly one job" };
  }
  const job = JOBS.find((job) => job.name === name);
  if (job === undefined) return { kind: "refused", message: `Unknown job: ${sanitize(name)}` };
  return { kind: "run", job };
}
