/** The npm package's command, as the launcher runs it: `check`, which may be left out, or `mcp`. */
import { NAME } from "../../wiring/platform.ts";
import { runCheckProcess } from "../check_process.ts";

const [first, ...rest] = Deno.args;
await runCheckProcess(first === "check" ? rest : Deno.args, {
  command: { name: NAME },
  folder: Deno.cwd(),
});
