/** The npm package's command, as the launcher runs it: `check`, which may be left out, or `mcp`. */
import { NAME } from "../../wiring/platform.ts";
import { runCheckProcess } from "../check_process.ts";

const [first, ...rest] = Deno.args;
if (first === "mcp" && rest.length === 0) {
  const { runMcpProcess } = await import("../mcp_process.ts");
  await runMcpProcess();
}
await runCheckProcess(first === "check" ? rest : Deno.args, {
  command: { name: NAME, forms: ["mcp                     serve agents: MCP on stdin and stdout"] },
  folder: Deno.cwd(),
});
