import { parseArgs, type ParseArgsConfig } from "node:util";
import { plain } from "./plain.ts";

/**
 * Node's parseArgs, with its refusal as a value: the message of its TypeErrors is meant for the user, but repeats what
 * was given, of whatever characters.
 */
export function parseArguments<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> | TypeError {
  try {
    return parseArgs(config);
  } catch (error) {
    if (error instanceof TypeError) return new TypeError(plain(error.message.replace(/\n/g, " ")));
    throw error;
  }
}
