/** The process of `deno task check`. */
import { runCheckProcess } from "./check_process.ts";

await runCheckProcess(Deno.args, {
  command: { name: "deno task check" },
  // `deno task` runs in the folder of deno.json, and names the user's own in INIT_CWD.
  folder: Deno.env.get("INIT_CWD") ?? Deno.cwd(),
});
