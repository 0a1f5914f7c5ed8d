/** The process of `deno task keys`: the terminal, KV, and the exit status. */
import { createKeys } from "../store/keys.ts";
import { openPlatformOrExit } from "../wiring/platform.ts";
import { runKeys } from "./keys.ts";
import { openTerminal } from "./terminal.ts";

let close = () => {};

const exitCode = await runKeys(Deno.args, openTerminal(), async () => {
  const { platform } = await openPlatformOrExit({ LOG_LEVEL: "silent" });
  close = () => platform.close();
  return createKeys(platform.kv, platform);
});
close();
Deno.exit(exitCode);
