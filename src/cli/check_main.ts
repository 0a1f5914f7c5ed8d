/** The process of `deno task check`: the terminal, whoever answers, signals and the exit status. */
import { createServices } from "../wiring/services.ts";
import { openPlatformOrExit, readConfigOrExit, VERSION } from "../wiring/platform.ts";
import type { Order } from "./arguments.ts";
import { runCheck } from "./check.ts";
import { createHere } from "./here.ts";
import { openLists } from "./lists.ts";
import type { Pauses } from "./pauses.ts";
import type { Opening } from "./run.ts";
import { openTerminal } from "./terminal.ts";
import { openThere } from "./there.ts";

/** `deno task` passes on a Ctrl-C that the terminal has sent to all anyway: signals this close are one. */
const SAME_KEY_MS = 500;
/** Events are for whoever runs the server; here they would stand between the results. */
const QUIET = { LOG_LEVEL: "silent" };

/** Ms since 1970 by a clock that is never set: a run times its pauses and its patience by it. */
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
  lists: openLists(),
  stop: stop.signal,
  now,
  version: VERSION,
  open: ({ service, lists }, pauses) =>
    service === undefined ? openLookUps(lists, pauses) : openService(service, pauses),
});
await close();
Deno.exit(exitCode);

/** The look-ups of this process, which share the server's cache. */
async function openLookUps(lists: Order["lists"], pauses: Pauses): Promise<Opening> {
  const { config, platform } = await openPlatformOrExit(QUIET);
  const services = createServices(config, platform);
  close = async () => {
    await services.stop();
    platform.close();
  };
  void services.refreshTlds();
  // Whoever types a few names is better told at once that a registry wants a pause; a list has time.
  const patience = lists.length > 0 ? pauses : undefined;
  const waiter = await createHere(services, {
    pauses: patience,
    stop: stop.signal,
    monotonic: now,
  });
  return { kind: "asker", waiter };
}

function openService(
  { url, key }: NonNullable<Order["service"]>,
  pauses: Pauses,
): Promise<Opening> {
  const { API_KEY } = readConfigOrExit(QUIET);
  return openThere({ url, key: key ?? API_KEY, fetch, pauses, stop: stop.signal, now });
}
