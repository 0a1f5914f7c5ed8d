/** The npm package's command, as the launcher runs it: `check`, which may be left out, or `mcp`. */
import { runCheckProcess } from "../check_main.ts";
import { exitWith, NAME } from "../../wiring/platform.ts";

const [first, ...rest] = Deno.args;
if (first === "mcp") {
  // A name called mcp is checked by `check mcp`.
  if (rest.length > 0) exitWith("mcp takes no arguments");
  const { runMcpProcess } = await import("../mcp_process.ts");
  await runMcpProcess();
}
await runCheckProcess(first === "check" ? rest : Deno.args, {
  command: {
    name: NAME,
    forms: ["mcp                     serve agents: MCP on stdin and stdout"],
  },
  folder: Deno.cwd(),
});
