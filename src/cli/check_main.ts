/** The process of `deno task check`, and of the package's command: the terminal, the checker, signals and the exit status. */
import { onEndingSignal, readConfigOrExit } from "../wiring/platform.ts";
import { runCheck } from "./check.ts";
import type { CommandWords } from "./check_options.ts";
import { openNameLists } from "./names.ts";
import { openTerminal, QUIET } from "./terminal.ts";

/** Ms since 1970 by a monotonic clock: pauses and deadlines must not follow a clock that is set. */
const now = () => performance.timeOrigin + performance.now();

/** Runs the command and exits; paths are relative to `folder`, where the user is. */
export async function runCheckProcess(
  args: readonly string[],
  { command, folder }: { command: CommandWords; folder: string },
): Promise<never> {
  const stop = new AbortController();
  const terminal = openTerminal();
  onEndingSignal(() => stop.abort());
  const exitCode = await runCheck(args, {
    terminal,
    lists: openNameLists(folder),
    stop: stop.signal,
    now,
    command,
    configuredTlds: () => readConfigOrExit(QUIET).TLDS,
    // Loads what the run uses: the look-ups are most of the program, and a run by a service needs none of them.
    async openChecker(options, wait, note) {
      const { explain, service } = options;
      if (service === undefined) {
        const { openLocalChecker } = await import("./local_checker.ts");
        return await openLocalChecker(options, note);
      }
      const { openRemoteChecker } = await import("./remote_checker.ts");
      const { API_KEY } = readConfigOrExit(QUIET);
      const { url, key = API_KEY } = service;
      return await openRemoteChecker({ url, key, explain, fetch, wait, stop: stop.signal, now });
    },
  });
  Deno.exit(exitCode);
}

if (import.meta.main) {
  await runCheckProcess(Deno.args, {
    command: { name: "deno task check" },
    // `deno task` runs in the folder of deno.json, and names the user's own in INIT_CWD.
    folder: Deno.env.get("INIT_CWD") ?? Deno.cwd(),
  });
}
