/** The npm package's command, as the launcher runs it: `check`, which may be left out, or `mcp`. */
import { runCheckProcess } from "../check_process.ts";
import { WORDS } from "./words.ts";

const [first, ...rest] = Deno.args;
if (first === "mcp" && rest.length === 0) {
  const { runMcpProcess } = await import("../mcp_process.ts");
  await runMcpProcess();
}
await runCheckProcess(first === "check" ? rest : Deno.args, {
  command: WORDS,
  folder: Deno.cwd(),
});
