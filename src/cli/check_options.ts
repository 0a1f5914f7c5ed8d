/** The arguments of the command line: the table of its options, and how they are read. */
import { parseArgs } from "node:util";
import { readSuffix, toAsciiName } from "../rules/name.ts";
import { LOCAL_ROWS, REMOTE_NAMES } from "./checker.ts";
import { type Column, COLUMNS } from "./csv.ts";
import { type Generation, PRESETS, variantsOf } from "./generate.ts";
import { type NameArgument, readName } from "./name_argument.ts";
import type { NameSources } from "./name_lists.ts";
import { parseArguments } from "./parse_arguments.ts";
import { sanitize } from "./terminal.ts";

const RECORD_FORMATS = ["json", "ndjson", "csv"] as const;

/** A format for programs: one record for each result. */
export type RecordFormat = typeof RECORD_FORMATS[number];

const SORT_ORDERS = ["name", "state", "tld"] as const;

/** What results are sorted by, once all are there. */
export type SortOrder = typeof SORT_ORDERS[number];

/** What to check, and how. */
export interface CheckOptions extends NameSources {
  format: "text" | RecordFormat;
  onlyAvailable: boolean;
  /** A group of TLDs for names without one, by its name in `PRESETS`. */
  preset: string | undefined;
  /** Whether the domains are only listed. */
  dryRun: boolean;
  /** Undefined: results are shown as they arrive. */
  sort: SortOrder | undefined;
  /** The columns of CSV; undefined: the usual ones. */
  columns: readonly Column[] | undefined;
  /** Whether each result shows what each witness said. */
  explain: boolean;
  /** Whether each taken result shows its registrar, its dates and when it could drop. */
  details: boolean;
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

/** An option: how it is read, and how `--help` shows it. */
export interface OptionRow {
  readonly type: "string" | "boolean";
  readonly multiple?: true;
  readonly short?: string;
  /** What stands for its value. */
  readonly takes?: string;
  /** In `--help` it has one line. */
  readonly about: string;
}

/** Every option. */
export const OPTIONS = {
  tld: {
    type: "string",
    multiple: true,
    short: "t",
    takes: "com,net",
    about: "only these TLDs or public suffixes, enabled or not",
  },
  preset: {
    type: "string",
    takes: "<group>",
    about: `the enabled TLDs of a group: ${Object.keys(PRESETS).join(", ")}`,
  },
  file: {
    type: "string",
    multiple: true,
    short: "f",
    takes: "<path>",
    about: "names from a file, one per line; - is stdin",
  },
  prefix: {
    type: "string",
    multiple: true,
    takes: "get,my",
    about: "try each name with these before it, too",
  },
  suffix: {
    type: "string",
    multiple: true,
    takes: "app,hq",
    about: "try each name with these after it, too",
  },
  limit: {
    type: "string",
    takes: "<n>",
    about: "at most n names",
  },
  "dry-run": {
    type: "boolean",
    about: "list the domains, and check none",
  },
  available: {
    type: "boolean",
    short: "a",
    about: "show only available names, premium ones included",
  },
  explain: {
    type: "boolean",
    short: "e",
    about: "show what each witness said, and offers of taken names",
  },
  details: {
    type: "boolean",
    about: "show registrar and dates of taken names; not in CSV",
  },
  json: { type: "boolean", about: "a JSON array, one result per line as they arrive" },
  ndjson: { type: "boolean", about: "one JSON object per line" },
  csv: { type: "boolean", about: "CSV with a header" },
  columns: {
    type: "string",
    takes: "<list>",
    about: "the columns of --csv, such as domain,state,owner",
  },
  sort: {
    type: "string",
    short: "s",
    takes: "<order>",
    about: "by name, state (available first) or tld, at the end",
  },
  concurrency: {
    type: "string",
    takes: "<n>",
    about: `names at once (default ${LOCAL_ROWS} domains; with --url ${REMOTE_NAMES})`,
  },
  url: {
    type: "string",
    takes: "<url>",
    about: "ask a running service instead",
  },
  key: {
    type: "string",
    takes: "<key>",
    about: "its API key; the variable API_KEY keeps it out of ps",
  },
  version: { type: "boolean", short: "v", about: "print the version" },
  help: { type: "boolean", short: "h", about: "print this" },
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
  const { preset } = values;
  if (preset !== undefined && tlds !== undefined) refuse("Cannot combine --preset with --tld");
  const limit = readNumber("limit", values.limit, MAX_LIMIT);
  const generation = {
    prefixes: affixesIn(values.prefix),
    suffixes: affixesIn(values.suffix),
  };
  return {
    preset: readOneOf("preset", preset, Object.keys(PRESETS)),
    format: readFormat(values),
    sort: readOneOf("sort", values.sort, SORT_ORDERS),
    columns: readColumns(values.columns, values.csv),
    concurrency: readNumber("concurrency", values.concurrency, MAX_CONCURRENCY),
    service: readService(values),
    onlyAvailable: values.available ?? false,
    explain: values.explain ?? false,
    details: values.details ?? false,
    dryRun: values["dry-run"] ?? false,
    ...readSources(positionals, { files: values.file ?? [], tlds, piped, generation, limit }),
  };
}

/** The value of an option that takes one of a few. */
function readOneOf<Value extends string>(
  option: keyof typeof OPTIONS,
  text: string | undefined,
  values: readonly Value[],
): Value | undefined {
  const value = values.find((value) => value === text);
  if (value !== undefined || text === undefined) return value;
  return refuse(`Invalid --${option}: got "${sanitize(text)}", expected ${values.join(", ")}`);
}

function readSources(
  positionals: readonly string[],
  { files, tlds, piped, generation, limit }: {
    files: readonly string[];
    tlds: readonly string[] | undefined;
    piped: boolean;
    generation: Generation;
    limit: number | undefined;
  },
): NameSources {
  const names: NameArgument[] = [];
  const invalid: string[] = [];
  const typed = positionals.filter((text) => text !== "-");
  for (const { text, isGenerated } of typed.flatMap((text) => [...variantsOf(text, generation)])) {
    const reading = readName(text, tlds);
    if (reading.kind === "name") {
      names.push(isGenerated ? { ...reading.name, isGenerated } : reading.name);
    } else invalid.push(`${sanitize(text)}: ${reading.message}`);
  }
  const lists = [...new Set([...files, ...positionals.filter((text) => text === "-")])];
  const sources = { names, invalid, tlds, generation, limit };
  if (names.length > 0 || lists.length > 0) return { ...sources, lists };
  if (invalid.length > 0) return refuse(invalid.join("\n"));
  return piped ? { ...sources, lists: ["-"] } : refuse("No names given");
}

function affixesIn(lists: readonly string[] = []): readonly string[] {
  return lists.join(",").split(",").map((text) => text.trim()).filter((text) => text !== "");
}

function readTlds(lists: readonly string[]): readonly string[] {
  const tlds = lists.join(",").split(",")
    .map((tld) => toAsciiName(tld.trim()).toLowerCase().replace(/^\./, ""));
  const invalid = tlds.find((tld) => readSuffix(tld) !== tld);
  if (invalid === undefined) return [...new Set(tlds)];
  return refuse(`Invalid --tld: got "${sanitize(invalid)}", expected TLDs separated by commas`);
}

function readFormat(
  values: Readonly<Partial<Record<RecordFormat | "explain" | "details", boolean | undefined>>>,
): CheckOptions["format"] {
  const [format, another] = RECORD_FORMATS.filter((format) => values[format]);
  if (another !== undefined) return refuse(`Cannot combine --${format} with --${another}`);
  const wide = (["explain", "details"] as const).find((option) => values[option]);
  if (format === "csv" && wide !== undefined) return refuse(`Cannot combine --${wide} with --csv`);
  return format ?? "text";
}

function readColumns(
  text: string | undefined,
  isCsv = false,
): readonly Column[] | undefined {
  if (text === undefined) return undefined;
  if (!isCsv) return refuse("--columns requires --csv");
  const columns: Column[] = [];
  for (const word of text.split(",").map((word) => word.trim())) {
    const column = COLUMNS.find((column) => column === word);
    if (column === undefined) {
      const expected = COLUMNS.join(", ");
      return refuse(`Invalid --columns: got "${sanitize(word)}", expected some of ${expected}`);
    }
    columns.push(column);
  }
  return columns;
}

function readNumber(
  option: "concurrency" | "limit",
  text: string | undefined,
  most: number,
): number | undefined {
  if (text === undefined) return undefined;
  const number = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Infinity;
  if (number <= most) return number;
  return refuse(`Invalid --${option}: got "${sanitize(text)}", expected 1 to ${most}`);
}

/** The message does not quote the URL, which may contain a password. */
function readService(
  { url: text, key }: { url?: string | undefined; key?: string | undefined },
): CheckOptions["service"] {
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
