import { NAME } from "../../wiring/platform.ts";
import type { CommandWords } from "../check_options.ts";

/** How the package's command is called. */
export const WORDS: CommandWords = {
  name: NAME,
  forms: ["mcp                     serve agents: MCP on stdin and stdout"],
};
