import { parseArgs, type ParseArgsConfig } from "node:util";
import { sanitize } from "./terminal.ts";

/**
 * Node's parseArgs, which returns its TypeErrors instead of throwing them. Their messages are meant for the user but
 * quote the arguments, so they are sanitized.
 */
export function parseArguments<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> | TypeError {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TypeError(sanitize(error.message.replace(/\n/g, " ")));
  }
}
