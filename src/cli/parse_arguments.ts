import { parseArgs, type ParseArgsConfig } from "node:util";

/** Node's parseArgs, with its refusal as a value: the message of its TypeErrors is meant for the user. */
export function parseArguments<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> | TypeError {
  try {
    return parseArgs(config);
  } catch (error) {
    if (error instanceof TypeError) return error;
    throw error;
  }
}
