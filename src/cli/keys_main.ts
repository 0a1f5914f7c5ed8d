/** The process of `deno task keys`: the terminal, KV, and the exit status. */
import { createKeys } from "../store/keys.ts";
import { openWorldOrExit } from "../world.ts";
import { runKeys } from "./keys.ts";
import { openTerminal } from "./terminal.ts";

let close = () => {};

const exitCode = await runKeys(Deno.args, openTerminal(), async () => {
  const { world } = await openWorldOrExit({ LOG_LEVEL: "silent" });
  close = () => world.close();
  return createKeys(world.kv, world);
});
close();
Deno.exit(exitCode);
