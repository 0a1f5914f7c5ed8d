/** A process that checks names: the terminal, the checker, signals and the exit status. */
import { pause } from "../flow/deadline.ts";
import { createLookUps } from "../wiring/look_ups.ts";
import { openPlatformOrExit, readConfigOrExit, VERSION } from "../wiring/platform.ts";
import { runCheck } from "./check.ts";
import type { CheckOptions, CommandWords } from "./check_options.ts";
import type { CheckerOpening } from "./checker.ts";
import { createLocalChecker } from "./local_checker.ts";
import { openNameLists } from "./name_lists.ts";
import { openRemoteChecker } from "./remote_checker.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** The terminal sends Ctrl-C to the whole process group and `deno task` forwards it: signals this close are one. */
const SAME_KEY_MS = 500;
/** Log events would be mixed into the results. */
const QUIET = { LOG_LEVEL: "silent" };
/** A list rarely has a name twice. What a server keeps in front of KV, 20,000 findings, would only fill the memory. */
const MEMORY_FINDINGS = 1_000;

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
    async openChecker({ service, explain, details }, pauses) {
      if (service !== undefined) {
        const { API_KEY } = readConfigOrExit(QUIET);
        const { url, key = API_KEY } = service;
        const surroundings = { fetch, pauses, stop: stop.signal, now };
        return await openRemoteChecker({ url, key, explain, details, ...surroundings });
      }
      const local = await openLocal({ explain, details }, { terminal, stop: stop.signal });
      close = local.close;
      return local;
    },
  });
  await close();
  Deno.exit(exitCode);
}

/** The look-ups of this process, which share the server's cache. */
async function openLocal(
  { explain, details }: Pick<CheckOptions, "explain" | "details">,
  { terminal, stop }: { terminal: Terminal; stop: AbortSignal },
): Promise<CheckerOpening & { close(): Promise<void> }> {
  const onLocked = () => terminal.err("Waiting for another program that has locked KV's file\n");
  const { config, platform } = await openPlatformOrExit(QUIET, { whileLocked: { onLocked, stop } });
  const lookUps = createLookUps(config, platform, {
    memoryFindings: MEMORY_FINDINGS,
  });
  void lookUps.inBackground(lookUps.tlds.renew());
  return {
    kind: "checker",
    checker: await createLocalChecker(lookUps, { explain, details }),
    async close() {
      await lookUps.stop();
      platform.close();
    },
  };
}
