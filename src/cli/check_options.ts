/** The arguments of the command line: the table of its options, how they are read, and what `--help` prints of them. */
import { readSuffix } from "../rules/name.ts";
import { tldType, WANTED_TLDS } from "../rules/tables/tlds.ts";
import { COLUMNS, RECORD_FORMATS, SORT_ORDERS } from "./formatters.ts";
import { type OptionTable, readNumber, refuse, sanitize, type ValuesOf } from "./terminal.ts";

/** What to check, and how. */
export type CheckOptions = ReturnType<typeof readOptions>;

/** The groups of TLDs that `--preset` takes, each with the TLDs of those enabled that are in it. */
export const PRESETS: Readonly<Record<string, (enabled: readonly string[]) => readonly string[]>> =
  {
    popular: (enabled) => WANTED_TLDS.filter((tld) => enabled.includes(tld)),
    generic: (enabled) => enabled.filter((tld) => tldType(tld) === "gTLD"),
    country: (enabled) => enabled.filter((tld) => tldType(tld) === "ccTLD"),
  };

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
export type OptionRow = OptionTable[string] & { takes?: string; about: string };

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

/** The options that cannot be combined with another. */
const EXCLUDED: Readonly<Record<string, readonly string[]>> = {
  tld: ["preset"],
  json: ["dry-run"],
  ndjson: ["json", "dry-run"],
  csv: ["json", "ndjson", "explain", "details", "dry-run"],
};
/** The option that another needs. */
const REQUIRED = { columns: "csv", key: "url" };

type Values = ValuesOf<typeof OPTIONS>;

/** Reads the options, or refuses them. Without names or lists, piped input is the list. */
export function readOptions(
  values: Values,
  { positionals, piped }: { positionals: readonly string[]; piped: boolean },
) {
  const { available: onlyAvailable, explain, details, "dry-run": dryRun } = values;
  const given = (option: string) => (values[option as keyof Values] ?? false) !== false;
  for (const [option, others] of Object.entries(EXCLUDED)) {
    const other = given(option) && others.find(given);
    if (other) refuse(`Cannot combine --${other} with --${option}`);
  }
  for (const [option, needed] of Object.entries(REQUIRED)) {
    if (given(option) && !given(needed)) refuse(`--${option} requires --${needed}`);
  }
  const names = positionals.filter((text) => text !== "-");
  const lists = [...values.file ?? [], ...positionals.filter((text) => text === "-")];
  if (names.length === 0 && lists.length === 0) {
    if (!piped) refuse("No names given");
    lists.push("-");
  }
  return {
    /** As they were typed. */
    names,
    /** Paths of lists; `-` is stdin. */
    lists: [...new Set(lists)],
    /** The TLDs for names without one; undefined: every enabled TLD. */
    tlds: values.tld && readTlds(values.tld),
    /** A group of TLDs for names without one, by its name in `PRESETS`. */
    preset: readOneOf("preset", values.preset, Object.keys(PRESETS)),
    /** Names are generated with each of them, too. */
    prefixes: wordsIn(values.prefix),
    suffixes: wordsIn(values.suffix),
    /** The most names; undefined: all. */
    limit: readNumber("limit", values.limit, MAX_LIMIT),
    format: RECORD_FORMATS.find((format) => values[format]) ?? "text" as const,
    /** What results are sorted by; undefined: they are shown as they arrive. */
    sort: readOneOf("sort", values.sort, SORT_ORDERS),
    /** The columns of CSV; undefined: the usual ones. */
    columns: values.columns?.split(",")
      .flatMap((word) => readOneOf("columns", word.trim(), COLUMNS) ?? []),
    /** Names to check at once; undefined: as many as have `LOCAL_ROWS` domains. */
    concurrency: readNumber("concurrency", values.concurrency, MAX_CONCURRENCY) ??
      (values.url === undefined ? undefined : REMOTE_NAMES),
    /** The running service to ask, and its API key; undefined: the look-ups of this process. */
    service: readService(values),
    onlyAvailable,
    /** Whether each result shows what each witness said. */
    explain,
    /** Whether each taken result shows its registrar, its dates and when it could drop. */
    details,
    /** Whether the domains are only listed. */
    dryRun,
  };
}

/** The value of an option that takes one of a few; of `--columns`, one of the values. */
function readOneOf<Value extends string>(
  option: "preset" | "sort" | "columns",
  text: string | undefined,
  values: readonly Value[],
): Value | undefined {
  const value = values.find((value) => value === text);
  if (value !== undefined || text === undefined) return value;
  return refuse(`Invalid --${option}: got "${sanitize(text)}", expected ${values.join(", ")}`);
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

/** The message does not quote the URL, which may contain a password. */
function readService({ url: text, key }: Values) {
  if (text === undefined) return undefined;
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

Exit status: 0 all checked; 1 wrong usage, an invalid line or no start; 2 at
least one result is unknown; 130 interrupted by Ctrl-C

Examples:
  ${command} example example.io --json
  ${command} --file names.txt --tld com,net --available
  ${command} example --url https://domains.example.org`;
}
