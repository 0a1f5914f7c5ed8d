/** The process of `deno task keys`: the terminal, KV, and the exit status. */
import { createKeys } from "../store/keys.ts";
import { openWorldOrExit } from "../world.ts";
import { type KeysTerminal, runKeys } from "./keys.ts";

const encoder = new TextEncoder();
const terminal: KeysTerminal = {
  out: (text) => void Deno.stdout.writeSync(encoder.encode(text)),
  err: (text) => void Deno.stderr.writeSync(encoder.encode(text)),
};
let close = () => {};

const exitCode = await runKeys(Deno.args, terminal, async () => {
  const { world } = await openWorldOrExit({ LOG_LEVEL: "silent" });
  close = () => world.close();
  return createKeys(world.kv, world);
});
close();
Deno.exit(exitCode);
