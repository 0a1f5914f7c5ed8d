import { parseArgs, type ParseArgsConfig } from "node:util";
import { nearMissOf } from "../rules/near_miss.ts";
import { sanitize } from "./terminal.ts";

/** Several letters behind one hyphen: `-tld` would be read as `-t` with the value `ld`. */
const LONG_BY_ONE_HYPHEN = /^-[a-z][^=]/i;

/**
 * Node's parseArgs, which returns its TypeErrors instead of throwing them. Their messages are meant for the user but
 * quote the arguments, so they are sanitized.
 */
export function parseArguments<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> | TypeError {
  const args = config.args ?? [];
  const end = args.indexOf("--");
  const long = args.slice(0, end < 0 ? args.length : end)
    .find((arg) => LONG_BY_ONE_HYPHEN.test(arg));
  if (long !== undefined) return unknownOption(long, config);
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node's own message ends with advice about names that begin with a hyphen, which no name does.
    const unknown = /^Unknown option '(?<option>[^']*)'/.exec(error.message)?.groups?.option;
    if (unknown !== undefined) return unknownOption(unknown, config);
    return new TypeError(sanitize(error.message.replace(/\n/g, " ")));
  }
}

function unknownOption(option: string, { options = {} }: ParseArgsConfig): TypeError {
  const known = Object.keys(options);
  const word = option.replace(/^-+/, "");
  const meant = known.find((name) => name === word) ?? nearMissOf(word, known);
  const hint = meant === undefined ? "" : `: did you mean --${meant}?`;
  return new TypeError(`Unknown option '${sanitize(option)}'${hint}`);
}
