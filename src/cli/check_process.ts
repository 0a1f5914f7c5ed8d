/** A process that checks names: the terminal, the checker, signals and the exit status. */
import { pause } from "../flow/deadline.ts";
import { readConfigOrExit, VERSION } from "../wiring/platform.ts";
import { runCheck } from "./check.ts";
import type { CommandWords } from "./check_options.ts";
import { openNameLists } from "./name_lists.ts";
import { openTerminal } from "./terminal.ts";

/** The terminal sends Ctrl-C to the whole process group and `deno task` forwards it: signals this close are one. */
const SAME_KEY_MS = 500;
/** Log events would be mixed into the results. */
const QUIET = { LOG_LEVEL: "silent" };

/** Ms since 1970 by a monotonic clock: pauses and deadlines must not follow a clock that is set. */
const now = () => performance.timeOrigin + performance.now();

/** What a command that checks names is called, and where its user is. */
interface CheckProcess {
  command: CommandWords;
  /** The folder that paths are relative to. */
  folder: string;
}

/** Runs the command and exits. */
export async function runCheckProcess(
  args: readonly string[],
  { command, folder }: CheckProcess,
): Promise<never> {
  const stop = new AbortController();
  const terminal = openTerminal();
  let stoppedAt = 0;
  let close = () => Promise.resolve();
  Deno.addSignalListener("SIGINT", () => {
    if (!stop.signal.aborted) stoppedAt = now();
    else if (now() - stoppedAt > SAME_KEY_MS) Deno.exit(130);
    stop.abort();
  });
  const exitCode = await runCheck(args, {
    terminal,
    lists: openNameLists(folder),
    stop: stop.signal,
    now,
    pause,
    version: VERSION,
    command,
    configuredTlds: () => readConfigOrExit(QUIET).TLDS,
    // Loads what the run uses: the look-ups are most of the program, and a run by a service needs none of them.
    async openChecker({ service, explain, details }, pauses) {
      if (service !== undefined) {
        const { openRemoteChecker } = await import("./remote_checker.ts");
        const { API_KEY } = readConfigOrExit(QUIET);
        const { url, key = API_KEY } = service;
        const surroundings = { fetch, pauses, stop: stop.signal, now };
        return await openRemoteChecker({ url, key, explain, details, ...surroundings });
      }
      const { openLocalChecker } = await import("./local_checker.ts");
      const local = await openLocalChecker(QUIET, { explain, details, stop: stop.signal });
      close = local.close;
      return local;
    },
  });
  await close();
  Deno.exit(exitCode);
}
