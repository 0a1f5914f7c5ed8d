/** The process of `deno task check`: the terminal, the checker, signals and the exit status. */
import { pause } from "../flow/pause.ts";
import { createServices } from "../wiring/services.ts";
import { openPlatformOrExit, readConfigOrExit, VERSION } from "../wiring/platform.ts";
import { runCheck } from "./check.ts";
import type { CheckOptions } from "./check_options.ts";
import type { CheckerOpening, Pauses } from "./checker.ts";
import { createLocalChecker } from "./local_checker.ts";
import { openNameLists } from "./name_lists.ts";
import { openRemoteChecker } from "./remote_checker.ts";
import { openTerminal } from "./terminal.ts";

/** The terminal sends Ctrl-C to the whole process group and `deno task` forwards it: signals this close are one. */
const SAME_KEY_MS = 500;
/** Log events would be mixed into the results. */
const QUIET = { LOG_LEVEL: "silent" };
/** A list rarely has a name twice. What a server keeps in front of KV, 20,000 findings, would only fill the memory. */
const MEMORY_FINDINGS = 1_000;

/** Ms since 1970 by a monotonic clock: pauses and deadlines must not follow a clock that is set. */
const now = () => performance.timeOrigin + performance.now();
const stop = new AbortController();
let stoppedAt = 0;
let close = () => Promise.resolve();

Deno.addSignalListener("SIGINT", () => {
  if (!stop.signal.aborted) stoppedAt = now();
  else if (now() - stoppedAt > SAME_KEY_MS) Deno.exit(130);
  stop.abort();
});

const exitCode = await runCheck(Deno.args, {
  terminal: openTerminal(),
  // `deno task` runs in the folder of deno.json, and names the user's own in INIT_CWD.
  lists: openNameLists(Deno.env.get("INIT_CWD") ?? Deno.cwd()),
  stop: stop.signal,
  now,
  pause,
  version: VERSION,
  openChecker: (options, pauses) =>
    options.service === undefined
      ? openLocal(options)
      : openRemote(options.service, { pauses, explain: options.explain }),
});
await close();
Deno.exit(exitCode);

/** The look-ups of this process, which share the server's cache. */
async function openLocal({ explain }: Pick<CheckOptions, "explain">): Promise<CheckerOpening> {
  const { config, platform } = await openPlatformOrExit(QUIET);
  const services = createServices(config, platform, { memoryFindings: MEMORY_FINDINGS });
  close = async () => {
    await services.stop();
    platform.close();
  };
  void services.renewTlds();
  return { kind: "checker", checker: await createLocalChecker(services, { explain }) };
}

function openRemote(
  { url, key }: NonNullable<CheckOptions["service"]>,
  { pauses, explain }: { pauses: Pauses; explain: boolean },
): Promise<CheckerOpening> {
  const { API_KEY } = readConfigOrExit(QUIET);
  return openRemoteChecker({
    url,
    key: key ?? API_KEY,
    fetch,
    pauses,
    stop: stop.signal,
    now,
    explain,
  });
}
