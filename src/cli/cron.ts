/** `deno task cron`: runs one of the service's jobs now, whenever it ran last. */
import type { Job } from "../../cron/job.ts";
import { JOBS } from "../../cron/jobs.ts";
import type { Services } from "../wiring/services.ts";
import { createMeter } from "./meter.ts";
import { parseArguments } from "./parse_arguments.ts";
import { plain } from "./plain.ts";
import { drawProgress } from "./progress.ts";
import { createScreen } from "./screen.ts";
import type { Terminal } from "./terminal.ts";

/** The exit status: done, wrong use, not done. */
export type CronExit = 0 | 1 | 2;

const WIDTH = Math.max(...JOBS.map(({ name }) => name.length));
const USAGE = `Usage: deno task cron <job>

${JOBS.map(({ name, about }) => `  ${name.padEnd(WIDTH)}  ${about}`).join("\n")}

It is the job that the server runs by itself. While another process runs it, it is not run twice.
Exit status: 0 done, 1 wrong use, 2 failed, stopped, or being run by another process.
`;

/** Runs the command; `openJobs` is called only once there is something to do. */
export async function runCron(
  args: readonly string[],
  terminal: Terminal,
  openJobs: () => Promise<Services["jobs"]>,
): Promise<CronExit> {
  const order = readOrder(args);
  if (order === "help") return terminal.out(USAGE), 0;
  if (typeof order === "string") return terminal.err(`${order}\n\n${USAGE}`), 1;
  return await run(order, terminal, await openJobs());
}

async function run(
  { name, run }: Job,
  terminal: Terminal,
  { runner, dependencies }: Services["jobs"],
): Promise<CronExit> {
  const meter = createMeter(dependencies.now);
  let total: number | undefined;
  using screen = createScreen(terminal, (columns) => {
    if (total === undefined) return `${name} is running`.slice(0, columns - 1);
    return drawProgress({ done: meter.count, total, perSecond: meter.perSecond() }, columns);
  });
  const progress = (done: number, of: number) => {
    total = of;
    if (done > meter.count) meter.add();
  };
  const ran = await runner.runNow(name, (stop) => run(dependencies, { stop, progress }));
  screen.close();
  if (ran.kind !== "ran") return terminal.err(`${name}: ${REASONS[ran.kind]}\n`), 2;
  const { outcome } = ran.end;
  if (outcome.kind === "done") return terminal.out(`${name}: ${outcome.message}\n`), 0;
  return terminal.err(`${name} failed: ${outcome.reason}\n`), 2;
}

const REASONS = {
  held: "another process is running it",
  ended: "another process has just run it",
  unreachable: "KV does not answer",
  stopped: "stopped before it was done",
  lost: "this process slept for so long that another one may run it",
};

function readOrder(args: readonly string[]): Job | string {
  const parsed = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h" } },
  });
  if (parsed instanceof Error) return parsed.message;
  const { values: { help }, positionals: [name, ...rest] } = parsed;
  if (help) return "help";
  if (name === undefined || rest.length > 0) return "Give one job";
  return JOBS.find((job) => job.name === name) ?? `There is no job ${plain(name)}`;
}
