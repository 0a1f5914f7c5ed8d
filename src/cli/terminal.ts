/** What every command shares: how its arguments are read, the terminal, and text made safe for it. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { nearMissOf } from "../rules/name.ts";

/** Control and formatting characters, which a terminal would interpret. */
export const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const MAX_LENGTH = 300;

/** Makes untrusted text safe for a terminal: control and formatting characters are replaced, long text is cut. */
export function sanitize(text: string): string {
  const shown = text.replace(CONTROL_CHARACTERS, "\uFFFD");
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
}

/** Log events would be mixed into what a command prints. */
export const QUIET = { LOG_LEVEL: "silent" };

/** The output streams of a command. */
export type Terminal = ReturnType<typeof openTerminal>;

/** Opens the process's own terminal. It exits 0 when a reader has closed its pipe, as `head` does, and 1 when the disk is full. */
export function openTerminal() {
  const results = Deno.stdout.writable.getWriter();

  function err(text: string): void {
    let rest = new TextEncoder().encode(text);
    try {
      // A pipe may accept only a part.
      while (rest.length > 0) rest = rest.subarray(Deno.stderr.writeSync(rest));
    } catch (error) {
      Deno.exit(error instanceof Deno.errors.BrokenPipe ? 0 : 1);
    }
  }

  return {
    /**
     * Writes to stdout; resolves when the reader has taken it. Not synchronously: a reader that pauses, such as a pager, would
     * stop the event loop, and every look-up in flight would time out.
     */
    async write(text: string): Promise<void> {
      try {
        await results.write(new TextEncoder().encode(text));
      } catch (error) {
        if (error instanceof Deno.errors.BrokenPipe) Deno.exit(0);
        err(`Cannot write: ${error instanceof Error ? error.message : error}\n`);
        Deno.exit(1);
      }
    },
    /** Writes to stderr. */
    err,
    /** Whether stdout is a terminal. */
    isTerminal: Deno.stdout.isTerminal(),
    /** Whether stdout may be coloured. */
    colour: Deno.stdout.isTerminal() && !Deno.noColor,
    /** The current width of stderr; 0 when it is not a terminal, so that no progress line is drawn. */
    columns: () => Deno.stderr.isTerminal() ? Deno.consoleSize().columns : 0,
  };
}

/** Several letters behind one hyphen: `-tld` would be read as `-t` with the value `ld`. */
const LONG_BY_ONE_HYPHEN = /^-[a-z][^=]/i;

/** What the user has to change; the message is for the user. */
class UsageError extends Error {}

/** Ends the reading of arguments with a message for the user. */
export function refuse(message: string): never {
  throw new UsageError(message);
}

/** The values of options, as Node's parseArgs reads them. */
export type ValuesOf<Options extends OptionTable> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>["values"];

/** The options of a command, by their names. */
export type OptionTable = NonNullable<ParseArgsConfig["options"]>;

/**
 * Runs a command with what its arguments are read as, and returns its exit status: 0 for --help, whose answer is `usage`, and 1
 * where it refuses its arguments, which is told with `hint`.
 */
export async function runCommand<Options extends OptionTable, Exit>(
  args: readonly string[],
  { write, err, options, usage, hint = `\n${usage}` }: Pick<Terminal, "write" | "err"> & {
    options: Options;
    usage: string;
    hint?: string;
  },
  run: (values: ValuesOf<Options>, positionals: readonly string[]) => Promise<Exit>,
): Promise<Exit | 0 | 1> {
  try {
    const { values, positionals } = parseArguments([...args], { ...options, help: HELP });
    if ((values as { help?: boolean }).help) return await write(usage), 0;
    return await run(values as ValuesOf<Options>, positionals);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return err(`${error.message}\n${hint}`), 1;
  }
}

const HELP = { type: "boolean", short: "h" } as const;

/** Node's parseArgs. Its TypeErrors are meant for the user but quote the arguments, so they are sanitized. */
function parseArguments<Options extends OptionTable>(args: string[], options: Options) {
  const end = args.indexOf("--");
  const long = args.slice(0, end < 0 ? args.length : end)
    .find((arg) => LONG_BY_ONE_HYPHEN.test(arg));
  if (long !== undefined) refuseOption(long, options);
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node's own message ends with advice about names that begin with a hyphen, which no name does.
    const unknown = /^Unknown option '(?<option>[^']*)'/.exec(error.message)?.groups?.option;
    if (unknown !== undefined) refuseOption(unknown, options);
    return refuse(sanitize(error.message.replace(/\n/g, " ")));
  }
}

/** Reads the value of an option that takes a number, if it was given. */
export function readNumber(
  option: string,
  text: string | undefined,
  most: number,
): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d*$/.test(text) && Number(text) <= most) return Number(text);
  return refuse(`Invalid --${option}: got "${sanitize(text)}", expected 1 to ${most}`);
}

function refuseOption(option: string, options: OptionTable): never {
  const known = Object.keys(options);
  const word = option.replace(/^-+/, "");
  const meant = known.find((name) => name === word) ?? nearMissOf(word, known);
  const hint = meant === undefined ? "" : `: did you mean --${meant}?`;
  return refuse(`Unknown option '${sanitize(option)}'${hint}`);
}
