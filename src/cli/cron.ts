/** `deno task cron`: runs one of the service's jobs now, whenever it ran last. */
import type { Job } from "../../cron/job.ts";
import { JOBS } from "../../cron/jobs.ts";
import type { Upkeep } from "../upkeep.ts";
import { parseArguments } from "./parse_arguments.ts";
import type { Terminal } from "./terminal.ts";

/** Where the command writes. */
export type CronTerminal = Pick<Terminal, "out" | "err" | "columns">;

/** The exit status: done, wrong use, not done. */
export type CronExit = 0 | 1 | 2;

const WIDTH = Math.max(...JOBS.map(({ name }) => name.length));
const USAGE = `Usage: deno task cron <job>

${JOBS.map(({ name, about }) => `  ${name.padEnd(WIDTH)}  ${about}`).join("\n")}

It is the job that the server runs by itself. While another process runs it, it is not run twice.
Exit status: 0 done, 1 wrong use, 2 failed, stopped, or being run by another process.
`;
const CLEAR_LINE = "\r\x1b[2K";

/** Runs the command; `openUpkeep` is called only once there is something to do. */
export async function runCron(
  args: readonly string[],
  terminal: CronTerminal,
  openUpkeep: () => Promise<Upkeep>,
): Promise<CronExit> {
  const order = readOrder(args);
  if (order === "help") return terminal.out(USAGE), 0;
  if (typeof order === "string") return terminal.err(`${order}\n\n${USAGE}`), 1;
  return await run(order, terminal, await openUpkeep());
}

async function run({ name, run }: Job, terminal: CronTerminal, upkeep: Upkeep): Promise<CronExit> {
  const line = (text: string) => terminal.columns() > 0 && terminal.err(`${CLEAR_LINE}${text}`);
  const progress = (done: number, total: number) => line(`${name}: ${done}/${total}`);
  line(`${name}: running`);
  const ran = await upkeep.runNow(name, (stop) => run(upkeep, { stop, progress }));
  line("");
  if (ran.kind === "ran") {
    const { outcome } = ran.end;
    if (outcome.kind === "done") return terminal.out(`${name}: ${outcome.told}\n`), 0;
    return terminal.err(`${name} failed: ${outcome.why}\n`), 2;
  }
  return terminal.err(`${name}: ${REASONS[ran.kind]}\n`), 2;
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
  return JOBS.find((job) => job.name === name) ?? `There is no job ${name}`;
}
