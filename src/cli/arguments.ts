/** The arguments of `deno task check`. */
import { isTld } from "../rules/name.ts";
import { parseArguments } from "./parse_arguments.ts";
import { plain } from "./plain.ts";
import { readWish, type Wish } from "./wish.ts";

const FORMATS = ["json", "ndjson", "csv"] as const;

/** How results are written. */
export type FormatName = "text" | typeof FORMATS[number];

/** What is to be checked, and how. */
export interface Order {
  wishes: readonly Wish[];
  /** Files of names; `-` is stdin. */
  lists: readonly string[];
  /** The TLDs for all names that have none of their own; undefined: every enabled one. */
  tlds: readonly string[] | undefined;
  format: FormatName;
  onlyFree: boolean;
  concurrency: number | undefined;
  /** The service to ask, and the API key for it. */
  service: { url: URL; key: string | undefined } | undefined;
}

/** What was asked for, or why it makes no sense. */
export type Arguments =
  | { kind: "check"; order: Order }
  | { kind: "help" }
  | { kind: "version" }
  | { kind: "refused"; why: string };

const OPTIONS = {
  tld: { type: "string", multiple: true },
  file: { type: "string", multiple: true },
  free: { type: "boolean" },
  json: { type: "boolean" },
  ndjson: { type: "boolean" },
  csv: { type: "boolean" },
  concurrency: { type: "string" },
  url: { type: "string" },
  key: { type: "string" },
  version: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const MOST_AT_ONCE = 1_000;

interface Refusal {
  kind: "refused";
  why: string;
}

/** Reads the arguments. Without names or lists, stdin is the list where something is piped into it. */
export function readArguments(args: readonly string[], { piped }: { piped: boolean }): Arguments {
  const parsed = parseArguments({ args: [...args], allowPositionals: true, options: OPTIONS });
  if (parsed instanceof Error) return refused(parsed.message);
  const { values, positionals } = parsed;
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  const tlds = values.tld && readTlds(values.tld);
  if (isRefusal(tlds)) return tlds;
  const names = readNames(positionals, { files: values.file ?? [], tlds, piped });
  if (isRefusal(names)) return names;
  const format = readFormat(values);
  if (isRefusal(format)) return format;
  const concurrency = readConcurrency(values.concurrency);
  if (isRefusal(concurrency)) return concurrency;
  const service = readService(values);
  if (isRefusal(service)) return service;
  const onlyFree = values.free ?? false;
  return { kind: "check", order: { ...names, tlds, format, onlyFree, concurrency, service } };
}

function readNames(
  positionals: readonly string[],
  { files, tlds, piped }: {
    files: readonly string[];
    tlds: readonly string[] | undefined;
    piped: boolean;
  },
): Pick<Order, "wishes" | "lists"> | Refusal {
  const wishes: Wish[] = [];
  for (const name of positionals.filter((name) => name !== "-")) {
    const reading = readWish(name, tlds);
    if (reading.kind === "refused") return refused(`${plain(name)}: ${reading.why}`);
    wishes.push(reading.wish);
  }
  const lists = new Set([...files, ...positionals.filter((name) => name === "-")]);
  if (wishes.length > 0 || lists.size > 0) return { wishes, lists: [...lists] };
  return piped ? { wishes, lists: ["-"] } : refused("Give at least one name");
}

function readTlds(lists: readonly string[]): readonly string[] | Refusal {
  const tlds = lists.join(",").split(",").map((tld) => tld.trim().toLowerCase().replace(/^\./, ""));
  const strange = tlds.find((tld) => !isTld(tld));
  if (strange === undefined) return [...new Set(tlds)];
  return refused(`--tld takes TLDs separated by commas, not "${plain(strange)}"`);
}

function readFormat(
  values: Readonly<Partial<Record<FormatName, boolean | undefined>>>,
): FormatName | Refusal {
  const [format, another] = FORMATS.filter((format) => values[format]);
  if (another !== undefined) return refused(`Give either --${format} or --${another}`);
  return format ?? "text";
}

function readConcurrency(text: string | undefined): number | undefined | Refusal {
  if (text === undefined) return undefined;
  const number = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : Infinity;
  if (number <= MOST_AT_ONCE) return number;
  return refused(`Give a --concurrency from 1 to ${MOST_AT_ONCE}`);
}

function readService(
  { url: text, key }: { url?: string | undefined; key?: string | undefined },
): Order["service"] | Refusal {
  if (text === undefined) return key === undefined ? undefined : refused("--key goes with --url");
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === "");
  return isPlain ? { url, key } : refused("Give a --url such as https://domains.example.org");
}

function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "why" in value;
}

function refused(why: string): Refusal {
  return { kind: "refused", why };
}
