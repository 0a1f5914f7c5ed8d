/** `deno task check`: many names, by the service's own look-ups or by a running service, results as they arrive. */
import { readArguments } from "./arguments.ts";
import { type ExitCode, run, type Surroundings } from "./run.ts";
import { plain } from "./plain.ts";
import { USAGE } from "./usage.ts";

/** All of the usage would push what is wrong off the screen. */
const HELP = "deno task check --help tells how it is used";

/** Runs the command; whoever answers is opened only once there is something to ask. */
export async function runCheck(
  args: readonly string[],
  surroundings: Surroundings & { version: string },
): Promise<ExitCode> {
  const { terminal, lists, version } = surroundings;
  const read = readArguments(args, lists);
  if (read.kind === "help") return terminal.out(`${USAGE}\n`), 0;
  if (read.kind === "version") return terminal.out(`${version}\n`), 0;
  if (read.kind === "refused") return terminal.err(`${read.why}\n${HELP}\n`), 1;
  const { order } = read;
  let canReread = true;
  for (const path of order.lists) {
    try {
      canReread = await lists.isKept(path) && canReread;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return terminal.err(`Cannot read ${plain(path)}: ${plain(why)}\n`), 1;
    }
  }
  return await run(order, surroundings, { canReread });
}
