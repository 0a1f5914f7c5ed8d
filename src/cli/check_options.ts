/** The arguments of the command line, and its `--help`. */
import { readSuffix, toAsciiName } from "../rules/name.ts";
import { type Column, COLUMNS } from "./csv.ts";
import { countOf, expand, type Generation, PRESETS, variantsOf } from "./generate.ts";
import { LOCAL_CONCURRENCY } from "./local_checker.ts";
import { type NameArgument, readName } from "./name_argument.ts";
import type { NameSources } from "./name_lists.ts";
import { parseArguments } from "./parse_arguments.ts";
import { REMOTE_CONCURRENCY } from "./remote_checker.ts";
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
  /** The columns of CSV; undefined: all. */
  columns: readonly Column[] | undefined;
  /** Whether each result shows what each witness said. */
  explain: boolean;
  /** Names to check at once at each host; undefined: the checker's default. */
  concurrency: number | undefined;
  /** The running service to ask, and its API key; undefined: the look-ups of this process. */
  service: { url: URL; key: string | undefined } | undefined;
}

/** The options, or an error message for the user. */
export type CheckArguments =
  | { kind: "check"; options: CheckOptions }
  | { kind: "help" }
  | { kind: "version" }
  | Refusal;

/** How the command is called, for its messages. */
export interface CommandWords {
  name: string;
  /** What else it can do, a line each. */
  forms?: readonly string[];
}

interface Refusal {
  kind: "refused";
  message: string;
}

const OPTIONS = {
  tld: { type: "string", multiple: true, short: "t" },
  preset: { type: "string" },
  file: { type: "string", multiple: true, short: "f" },
  prefix: { type: "string", multiple: true },
  suffix: { type: "string", multiple: true },
  pattern: { type: "string", multiple: true },
  hack: { type: "boolean" },
  limit: { type: "string" },
  "dry-run": { type: "boolean" },
  available: { type: "boolean", short: "a" },
  explain: { type: "boolean", short: "e" },
  json: { type: "boolean" },
  ndjson: { type: "boolean" },
  csv: { type: "boolean" },
  columns: { type: "string" },
  sort: { type: "string", short: "s" },
  concurrency: { type: "string" },
  url: { type: "string" },
  key: { type: "string" },
  version: { type: "boolean", short: "v" },
  help: { type: "boolean", short: "h" },
} as const;

const MAX_CONCURRENCY = 1_000;
/** Names of patterns without `--limit`. */
const MAX_OF_PATTERNS = 1_000;
const MAX_LIMIT = 100_000;

/** The text of `--help`, for the command that the user types; `forms` are further lines of how it is used. */
export function usageOf({ name: command, forms = [] }: CommandWords): string {
  return `Usage: ${command} <name…> [options]
       ${command} --file names.txt [options]
       some-command | ${command} [options]
${forms.map((form) => `       ${command} ${form}\n`).join("")}
A name is checked under every enabled TLD, a domain such as example.com only
under its own. ENS names are checked on request: example.eth, or --tld eth.
Names in Unicode are converted: café is checked as xn--caf-dma.

  -t, --tld com,net  only these TLDs; may be repeated
  --preset <group>   only the TLDs of a group: popular, generic or country
  -f, --file <path>  names from a file, one per line, # starts a comment; may be
                     repeated; - is stdin, the default when input is piped
  --prefix get,my    try each name with these before it, too; may be repeated
  --suffix app,hq    try each name with these after it, too; may be repeated
  --pattern <text>   names made from a pattern: \\w is any letter, \\d any digit,
                     ? either; may be repeated
  --hack             split each name where it ends in an enabled TLD, or one of
                     --tld: deli.io for deliio
  --limit <n>        at most n names; without it patterns may make ${
    MAX_OF_PATTERNS.toLocaleString("en")
  }
  --dry-run          list the domains, and check none
  -a, --available    show only available names, premium ones included
  -e, --explain      show what each witness said, and whether a taken name is
                     offered for sale; not in CSV
  --json             a JSON array, one result per line as they arrive
  --ndjson           one JSON object per line
  --csv              CSV with a header
  --columns <list>   the columns of --csv, such as domain,state,reason,price
  -s, --sort <order> by name, state (available first) or tld; the results are
                     kept in memory and shown at the end
  --concurrency <n>  names to check at once at each registry, 1 to ${MAX_CONCURRENCY}
                     (default ${LOCAL_CONCURRENCY}; with --url ${REMOTE_CONCURRENCY}); its rate limit still applies
  --url <url>        ask a running service instead; a name with all its TLDs
                     costs one request of its rate limit, .eth one more
  --key <key>        its API key; the variable API_KEY keeps it out of ps
  -h, --help; -v, --version

Generated names are tried under .online, .site, .store, .tech and Radix's other
TLDs only with --tld: Radix has suspended names that programs had made.

Invalid lines are reported with their number and skipped. Lists are streamed.
Without --url each registry has its own queue, and a fast one gets up to 2,000
names ahead of the slowest. The results of a list are in no order without
--sort. On a terminal, a name of a list with several TLDs is one line, shown
once all of them are known. Results are cached for a while: after Ctrl-C the
same command resumes where it stopped.

A domain whose registry asks for a pause, or has too many look-ups queued, is
checked again after that time: up to three times, and 90 s in all for a name,
or 20 s in a run without a list.
With --url each time costs one more request for all such TLDs of the name.

Exit status: 0 all checked; 1 wrong usage or an invalid line; 2 at least one
result is unknown; 130 interrupted by Ctrl-C, after a summary (a second Ctrl-C
exits at once).

Examples:
  ${command} example
  ${command} example example.io --json
  ${command} --file names.txt --tld com,net --available
  sort -u words.txt | ${command} --tld com --csv > names.csv
  ${command} example --url https://domains.example.org`;
}

/** Reads the arguments. Without names or lists, piped input is the list. */
export function readCheckArguments(
  args: readonly string[],
  { piped }: { piped: boolean },
): CheckArguments {
  const parsed = parseArguments({ args: [...args], allowPositionals: true, options: OPTIONS });
  if (parsed instanceof Error) return refused(parsed.message);
  const { values, positionals } = parsed;
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  const tlds = values.tld && readTlds(values.tld);
  if (isRefusal(tlds)) return tlds;
  const { preset } = values;
  if (preset !== undefined && tlds !== undefined) {
    return refused("Cannot combine --preset with --tld");
  }
  if (preset !== undefined && !Object.hasOwn(PRESETS, preset)) {
    const expected = Object.keys(PRESETS).join(", ");
    return refused(`Invalid --preset: got "${sanitize(preset)}", expected ${expected}`);
  }
  const limit = readNumber("limit", values.limit, MAX_LIMIT);
  if (isRefusal(limit)) return limit;
  const generation = {
    prefixes: affixesIn(values.prefix),
    suffixes: affixesIn(values.suffix),
    patterns: values.pattern ?? [],
    hack: values.hack ?? false,
  };
  const files = values.file ?? [];
  const sources = readSources(positionals, { files, tlds, piped, generation, limit });
  if (isRefusal(sources)) return sources;
  const format = readFormat(values);
  if (isRefusal(format)) return format;
  const sort = readSort(values.sort);
  if (isRefusal(sort)) return sort;
  const explain = values.explain ?? false;
  if (explain && format === "csv") return refused("Cannot combine --explain with --csv");
  const columns = readColumns(values.columns, format);
  if (isRefusal(columns)) return columns;
  const concurrency = readNumber("concurrency", values.concurrency, MAX_CONCURRENCY);
  if (isRefusal(concurrency)) return concurrency;
  const service = readService(values);
  if (isRefusal(service)) return service;
  const onlyAvailable = values.available ?? false;
  const dryRun = values["dry-run"] ?? false;
  const shown = { format, onlyAvailable, sort, columns, explain };
  return { kind: "check", options: { ...sources, ...shown, preset, dryRun, concurrency, service } };
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
): NameSources | Refusal {
  const { patterns } = generation;
  const made = patterns.reduce((sum, pattern) => sum + countOf(pattern), 0);
  if (limit === undefined && made > MAX_OF_PATTERNS) {
    const count = made.toLocaleString("en");
    return refused(`--pattern makes ${count} names: add --limit <n> to check the first of them`);
  }
  const names: NameArgument[] = [];
  const invalid: string[] = [];
  const typed = positionals.filter((text) => text !== "-");
  for (const { text, isGenerated } of variants()) {
    const reading = readName(text, tlds);
    if (reading.kind === "name") {
      names.push(isGenerated ? { ...reading.name, isGenerated } : reading.name);
    } else invalid.push(`${sanitize(text)}: ${reading.message}`);
    // A pattern may stand for any number of names, and all of them may be invalid.
    if (names.length + invalid.length === limit) break;
  }
  const lists = [...new Set([...files, ...positionals.filter((text) => text === "-")])];
  const sources = { names, invalid, tlds, generation, limit };
  if (names.length > 0 || lists.length > 0) return { ...sources, lists };
  if (invalid.length > 0) return refused(invalid.join("\n"));
  return piped ? { ...sources, lists: ["-"] } : refused("No names given");

  function* variants() {
    for (const text of typed) yield* variantsOf(text, generation);
    for (const pattern of patterns) {
      for (const text of expand(pattern)) {
        for (const variant of variantsOf(text, generation)) yield { ...variant, isGenerated: true };
      }
    }
  }
}

function affixesIn(lists: readonly string[] = []): readonly string[] {
  return lists.join(",").split(",").map((text) => text.trim()).filter((text) => text !== "");
}

function readTlds(lists: readonly string[]): readonly string[] | Refusal {
  const tlds = lists.join(",").split(",")
    .map((tld) => toAsciiName(tld.trim()).toLowerCase().replace(/^\./, ""));
  const invalid = tlds.find((tld) => readSuffix(tld) !== tld);
  if (invalid === undefined) return [...new Set(tlds)];
  return refused(`Invalid --tld: got "${sanitize(invalid)}", expected TLDs separated by commas`);
}

function readFormat(
  values: Readonly<Partial<Record<RecordFormat, boolean | undefined>>>,
): CheckOptions["format"] | Refusal {
  const [format, another] = RECORD_FORMATS.filter((format) => values[format]);
  if (another !== undefined) return refused(`Cannot combine --${format} with --${another}`);
  return format ?? "text";
}

function readSort(text: string | undefined): SortOrder | undefined | Refusal {
  const order = SORT_ORDERS.find((order) => order === text);
  if (order !== undefined || text === undefined) return order;
  return refused(`Invalid --sort: got "${sanitize(text)}", expected ${SORT_ORDERS.join(", ")}`);
}

function readColumns(
  text: string | undefined,
  format: CheckOptions["format"],
): readonly Column[] | undefined | Refusal {
  if (text === undefined) return undefined;
  if (format !== "csv") return refused("--columns requires --csv");
  const columns: Column[] = [];
  for (const word of text.split(",").map((word) => word.trim())) {
    const column = COLUMNS.find((column) => column === word);
    if (column === undefined) {
      const expected = COLUMNS.join(", ");
      return refused(`Invalid --columns: got "${sanitize(word)}", expected some of ${expected}`);
    }
    columns.push(column);
  }
  return columns;
}

function readNumber(
  option: "concurrency" | "limit",
  text: string | undefined,
  most: number,
): number | undefined | Refusal {
  if (text === undefined) return undefined;
  const number = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Infinity;
  if (number <= most) return number;
  return refused(`Invalid --${option}: got "${sanitize(text)}", expected 1 to ${most}`);
}

/** The message does not quote the URL, which may contain a password. */
function readService(
  { url: text, key }: { url?: string | undefined; key?: string | undefined },
): CheckOptions["service"] | Refusal {
  if (text === undefined) return key === undefined ? undefined : refused("--key requires --url");
  const url = URL.parse(text);
  const isBase = url !== null && /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === "");
  if (isBase) return { url, key };
  return refused(
    "Invalid --url: expected http or https without credentials or query, such as " +
      "https://domains.example.org",
  );
}

function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "message" in value;
}

function refused(message: string): Refusal {
  return { kind: "refused", message };
}
