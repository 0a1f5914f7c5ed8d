/** The arguments of the command line: the table of its options, how they are read, and what `--help` prints of them. */
import { parseArgs } from "node:util";
import { readSuffix } from "../rules/name.ts";
import { type Column, COLUMNS, type RecordFormat, SORT_ORDERS } from "./formatters.ts";
import { type NameSources, PRESETS } from "./names.ts";
import { parseArguments, readNumber, sanitize } from "./terminal.ts";

/** What to check, and how. */
export interface CheckOptions extends NameSources {
  /** Whether each result shows what each witness said. */
  explain: boolean;
  /** Whether each taken result shows its registrar, its dates and when it could drop. */
  details: boolean;
  format: "text" | RecordFormat;
  onlyAvailable: boolean;
  /** A group of TLDs for names without one, by its name in `PRESETS`. */
  preset: string | undefined;
  /** Whether the domains are only listed. */
  dryRun: boolean;
  /** What results are sorted by; undefined: they are shown as they arrive. */
  sort: typeof SORT_ORDERS[number] | undefined;
  /** The columns of CSV; undefined: the usual ones. */
  columns: readonly Column[] | undefined;
  /** Names to check at once at each host; undefined: the checker's default. */
  concurrency: number | undefined;
  /** The running service to ask, and its API key; undefined: the look-ups of this process. */
  service: { url: URL; key: string | undefined } | undefined;
}

/** The options, or an error message for the user. */
type CheckArguments =
  | { kind: "check"; options: CheckOptions }
  | { kind: "help" | "version" }
  | { kind: "refused"; message: string };

/** How the command is called, for its messages. */
export interface CommandWords {
  name: string;
  /** What else it can do, a line each. */
  forms?: readonly string[];
}

const MAX_CONCURRENCY = 1_000;
const MAX_LIMIT = 100_000;
/** Rows in flight here: a fast registry may be so far ahead of a slow one. They wait in the queues of hosts, as in the service. */
export const LOCAL_ROWS = 4_000;
/** Names in flight to a service: those of the next request are known when one is sent. */
export const REMOTE_NAMES = 400;

/** An option: how it is read, what stands for its value, and its line in `--help`. */
export interface OptionRow {
  readonly type: "string" | "boolean";
  readonly multiple?: true;
  readonly short?: string;
  readonly default?: false;
  readonly takes?: string;
  readonly about: string;
}

const flag = (about: string) => ({ type: "boolean", default: false, about }) as const;
const value = (takes: string, about: string) => ({ type: "string", takes, about }) as const;
const list = (takes: string, about: string) =>
  ({ ...value(takes, about), multiple: true }) as const;

/** Every option. */
export const OPTIONS = {
  tld: { short: "t", ...list("com,net", "only these TLDs or public suffixes, enabled or not") },
  preset: value("<group>", `the enabled TLDs of a group: ${Object.keys(PRESETS).join(", ")}`),
  file: { short: "f", ...list("<path>", "names from a file, one per line; - is stdin") },
  prefix: list("get,my", "try each name with these before it, too"),
  suffix: list("app,hq", "try each name with these after it, too"),
  limit: value("<n>", "at most n names"),
  "dry-run": flag("list the domains, and check none"),
  available: { short: "a", ...flag("show only available names, premium ones included") },
  explain: { short: "e", ...flag("show what each witness said, and offers of taken names") },
  details: flag("show registrar and dates of taken names; not in CSV"),
  json: flag("a JSON array, one result per line as they arrive"),
  ndjson: flag("one JSON object per line"),
  csv: flag("CSV with a header"),
  columns: value("<list>", "the columns of --csv, such as domain,state,owner"),
  sort: { short: "s", ...value("<order>", "by name, state (available first) or tld, at the end") },
  concurrency: value(
    "<n>",
    `names at once (default ${LOCAL_ROWS} domains; with --url ${REMOTE_NAMES})`,
  ),
  url: value("<url>", "ask a running service instead"),
  key: value("<key>", "its API key; the variable API_KEY keeps it out of ps"),
  version: { short: "v", ...flag("print the version") },
  help: { short: "h", ...flag("print this") },
} as const satisfies Readonly<Record<string, OptionRow>>;

/** What the user has to change. */
class UsageError extends Error {}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

/** Reads the arguments. Without names or lists, piped input is the list. */
export function readCheckArguments(
  args: readonly string[],
  { piped }: { piped: boolean },
): CheckArguments {
  const parsed = parseArguments({ args: [...args], allowPositionals: true, options: OPTIONS });
  if (parsed instanceof Error) return { kind: "refused", message: parsed.message };
  const { values, positionals } = parsed;
  for (const kind of ["help", "version"] as const) if (values[kind]) return { kind };
  try {
    return { kind: "check", options: readOptions(values, { positionals, piped }) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { kind: "refused", message: error.message };
  }
}

function readOptions(
  values: Values,
  { positionals, piped }: { positionals: readonly string[]; piped: boolean },
): CheckOptions {
  const tlds = values.tld && readTlds(values.tld);
  const { preset, available: onlyAvailable, explain, details, "dry-run": dryRun } = values;
  if (preset !== undefined && tlds !== undefined) refuse("Cannot combine --preset with --tld");
  const isList = (text: string) => text === "-";
  const names = positionals.filter((text) => !isList(text));
  const lists = [...new Set([...values.file ?? [], ...positionals.filter(isList)])];
  if (names.length === 0 && lists.length === 0) {
    if (!piped) refuse("No names given");
    lists.push("-");
  }
  return {
    names,
    lists,
    tlds,
    prefixes: wordsIn(values.prefix),
    suffixes: wordsIn(values.suffix),
    limit: numberIn("limit", values.limit, MAX_LIMIT),
    preset: readOneOf("preset", preset, Object.keys(PRESETS)),
    format: readFormat(values),
    sort: readOneOf("sort", values.sort, SORT_ORDERS),
    columns: readColumns(values),
    concurrency: numberIn("concurrency", values.concurrency, MAX_CONCURRENCY),
    service: readService(values),
    onlyAvailable,
    explain,
    details,
    dryRun,
  };
}

/** The value of an option that takes one of a few, or some of them. */
function readOneOf<Value extends string>(
  option: "preset" | "sort" | "columns",
  text: string | undefined,
  values: readonly Value[],
): Value | undefined {
  const value = values.find((value) => value === text);
  if (value !== undefined || text === undefined) return value;
  const expected = `${option === "columns" ? "some of " : ""}${values.join(", ")}`;
  return refuse(`Invalid --${option}: got "${sanitize(text)}", expected ${expected}`);
}

function wordsIn(lists: readonly string[] = []): readonly string[] {
  return lists.join(",").split(",").map((text) => text.trim()).filter((text) => text !== "");
}

function readTlds(lists: readonly string[]): readonly string[] {
  const tlds = lists.join(",").split(",").map((text) =>
    readSuffix(text.trim()) ??
      refuse(`Invalid --tld: got "${sanitize(text)}", expected TLDs separated by commas`)
  );
  return [...new Set(tlds)];
}

function readFormat(values: Values): CheckOptions["format"] {
  const [format, another] = (["json", "ndjson", "csv"] as const).filter((one) => values[one]);
  if (another !== undefined) return refuse(`Cannot combine --${format} with --${another}`);
  const wide = (["explain", "details"] as const).find((option) => values[option]);
  if (format === "csv" && wide !== undefined) return refuse(`Cannot combine --${wide} with --csv`);
  return format ?? "text";
}

function readColumns({ columns, csv }: Values): readonly Column[] | undefined {
  if (columns !== undefined && !csv) return refuse("--columns requires --csv");
  return columns?.split(",")
    .flatMap((word) => readOneOf("columns", word.trim(), COLUMNS) ?? []);
}

/** The number of an option that may be absent. */
function numberIn(
  option: "concurrency" | "limit",
  text: string | undefined,
  most: number,
): number | undefined {
  if (text === undefined) return undefined;
  const number = readNumber(option, text, most);
  return number instanceof Error ? refuse(number.message) : number;
}

/** The message does not quote the URL, which may contain a password. */
function readService({ url: text, key }: Values): CheckOptions["service"] {
  if (text === undefined) return key === undefined ? undefined : refuse("--key requires --url");
  const url = URL.parse(text);
  const isBase = url !== null && /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === "");
  if (key !== undefined && !/^[\x21-\x7e]{1,500}$/.test(key)) {
    return refuse("Invalid --key: expected an API key, as deno task keys shows it once");
  }
  if (isBase) return { url, key };
  return refuse(
    "Invalid --url: expected http or https without credentials or query, such as " +
      "https://domains.example.org",
  );
}

function refuse(message: string): never {
  throw new UsageError(message);
}

const OPTION_COLUMNS = 24;

/** The text of `--help`, which fits on one screen. */
export function usageOf({ name: command, forms = [] }: CommandWords): string {
  const options = Object.entries<OptionRow>(OPTIONS).map(([name, { short, takes, about }]) => {
    const signature = `${short ? `-${short}, ` : ""}--${name}${takes ? ` ${takes}` : ""}`;
    return `  ${signature}`.padEnd(OPTION_COLUMNS) + about;
  });
  const calls = ["<name…> [options]", ...forms].map((form) => `${command} ${form}`);
  return `Usage: ${[...calls, `some-command | ${command} [options]`].join("\n       ")}

A name is checked under every enabled TLD, a domain such as example.com or
example.co.uk only under its own. ENS names are checked on request: example.eth,
or --tld eth. Names in Unicode are converted: café is checked as xn--caf-dma.

${options.join("\n")}

Exit status: 0 all checked; 1 wrong usage, no names or an invalid line; 2 at
least one result is unknown; 130 interrupted by Ctrl-C

Examples:
  ${command} example example.io --json
  ${command} --file names.txt --tld com,net --available
  ${command} example --url https://domains.example.org`;
}
