/** Names on the command line, in files and on stdin, those that are generated of them, and the checks that they request. */
import { resolve } from "node:path";
import { createLineReader, nameIn } from "../../static/names_in_text.js";
import { lines } from "../flow/lines.ts";
import {
  type LabelReading,
  readDomain,
  readEnsLabel,
  readLabel,
  toAsciiName,
} from "../rules/name.ts";
import { RADIX_TLDS, tldType, WANTED_TLDS } from "../rules/tables/tlds.ts";
import { sanitize } from "./terminal.ts";

/** The TLD of ENS names, which are checked only on request, never as one of "every TLD". */
export const ETH = "eth";

/** The groups of TLDs that `--preset` takes, each with the TLDs of those enabled that are in it. */
export const PRESETS: Readonly<Record<string, (enabled: readonly string[]) => readonly string[]>> =
  {
    popular: (enabled) => WANTED_TLDS.filter((tld) => enabled.includes(tld)),
    generic: (enabled) => enabled.filter((tld) => tldType(tld) === "gTLD"),
    country: (enabled) => enabled.filter((tld) => tldType(tld) === "ccTLD"),
  };

/** How each name of the user is read. */
interface NameOptions {
  /** The TLDs for names without one; undefined: every enabled TLD. */
  tlds: readonly string[] | undefined;
  /** Names are generated with each of them, too. */
  prefixes: readonly string[];
  suffixes: readonly string[];
}

/** A name and its TLDs; undefined stands for every enabled TLD. */
export interface NameArgument {
  label: string;
  tlds: readonly string[] | undefined;
  isGenerated: boolean;
}

/** `why` is an error message for the user. */
type Refused = Extract<LabelReading, { kind: "refused" }>;

/** Yields what a text means with each prefix and each suffix, itself first. Both go around the label of a domain. */
export function* readNames(
  text: string,
  { tlds: chosen, prefixes, suffixes }: NameOptions,
): Generator<{ text: string } & ({ kind: "name"; name: NameArgument } | Refused)> {
  const [label = "", ...tld] = text.split(".");
  for (const prefix of ["", ...prefixes]) {
    for (const suffix of ["", ...suffixes]) {
      const text = [prefix + label + suffix, ...tld].join(".");
      const reading = readName(nameIn(text), chosen);
      if ("why" in reading) yield { text, ...reading };
      else {
        yield { text, kind: "name", name: { ...reading, isGenerated: prefix + suffix !== "" } };
      }
    }
  }
}

/**
 * Reads a name: with its own TLD, or under the TLDs `chosen` by `--tld`. One in Unicode is converted, but not under .eth,
 * whose names have no ASCII form.
 */
function readName(
  text: string,
  chosen: readonly string[] | undefined,
): Omit<NameArgument, "isGenerated"> | Refused {
  const name = toAsciiName(text);
  if (!name.includes(".")) {
    const reading = readBareLabel(text, chosen);
    return reading.kind === "refused" ? reading : { label: reading.label, tlds: chosen };
  }
  const isEth = name.toLowerCase().endsWith(`.${ETH}`);
  const reading = isEth ? readEnsLabel(text) : readDomain(name);
  if (reading.kind === "refused") return reading;
  const tld = reading.kind === "domain" ? reading.tld : ETH;
  if (chosen === undefined || chosen.includes(tld)) return { label: reading.label, tlds: [tld] };
  return refused(`TLD .${tld} is not in --tld ${chosen.join(",")}`);
}

/** The label must be valid under every chosen TLD; .eth has its own grammar. */
function readBareLabel(label: string, tlds: readonly string[] = []): LabelReading {
  if (!tlds.includes(ETH)) return readLabel(toAsciiName(label));
  const reading = readEnsLabel(label);
  return reading.kind === "refused" || tlds.length === 1 ? reading : readLabel(label);
}

/** What can be checked. */
export interface SupportedTlds {
  /** The TLDs under which names without one are checked. */
  tlds: readonly string[];
  /** Why names under a TLD or suffix cannot be checked; absent where only the answer for a name tells. */
  refusalOf?: ((suffix: string) => Promise<string | undefined>) | undefined;
}

/** A label to check under TLDs that the checker supports. */
export interface CheckRequest {
  label: string;
  tlds: readonly string[];
}

/** The request, or an error message for the user. */
type RequestReading = { kind: "request"; request: CheckRequest } | Refused;

/** Makes the request for a name; refused when the checker supports one of its TLDs not. */
export async function requestOf(
  { label, tlds, isGenerated }: NameArgument,
  { tlds: defaults, refusalOf }: SupportedTlds,
): Promise<RequestReading> {
  const chosen = tlds ?? (isGenerated ? forGenerated(defaults) : defaults);
  if (chosen.length === 0) return refused("No TLD is enabled; send a name with its TLD");
  for (const tld of tlds ?? []) {
    const why = tld === ETH ? undefined : await refusalOf?.(tld);
    if (why !== undefined) return refused(`TLD ${tld} is not supported: ${why}`);
  }
  return { kind: "request", request: { label, tlds: chosen } };
}

/** The TLDs for generated names without a TLD, in place of all of `tlds`. */
export function forGenerated(tlds: readonly string[]): readonly string[] {
  return tlds.filter((tld) => !RADIX_TLDS.has(tld));
}

function refused(why: string): Refused {
  return { kind: "refused", why };
}

/** Opens lists of names by their path; `-` is stdin. */
export interface NameLists {
  /** Whether stdin is a pipe or a file. */
  piped: boolean;
  /** Opens a list from its beginning. Rejects when it cannot be read. */
  open(path: string): Promise<AsyncIterable<Uint8Array>>;
  /** Whether it can be read twice, unlike a pipe. */
  isRereadable(path: string): Promise<boolean>;
}

/** Opens the files and the stdin of this process. Paths are relative to `folder`, where the user is. */
export function openNameLists(folder: string): NameLists {
  return {
    piped: !Deno.stdin.isTerminal(),
    async open(path) {
      return path === "-" ? Deno.stdin.readable : (await Deno.open(resolve(folder, path))).readable;
    },
    isRereadable: async (path) => path !== "-" && (await Deno.stat(resolve(folder, path))).isFile,
  };
}

/** The names to check. */
export interface NameSources extends NameOptions {
  names: readonly NameArgument[];
  /** Why arguments are no names; the others are checked. */
  invalid: readonly string[];
  /** Paths of lists; `-` is stdin. */
  lists: readonly string[];
  /** The most names; undefined: all. */
  limit: number | undefined;
}

/** What requests are read with. */
interface RequestOptions {
  supported: SupportedTlds;
  lists: Pick<NameLists, "open">;
  /** Called for each invalid line and each unreadable list; reading continues after it. */
  onInvalid: (message: string) => void;
}

/** Yields the requests, up to the limit. Lists are streamed: no line is read before it is needed. */
export async function* readRequests(
  sources: NameSources,
  options: RequestOptions,
): AsyncGenerator<CheckRequest> {
  const { limit = Infinity } = sources;
  let count = 0;
  for await (const request of readAllRequests(sources, options)) {
    yield request;
    if (++count === limit) return;
  }
}

async function* readAllRequests(
  sources: NameSources,
  { supported, lists, onInvalid }: RequestOptions,
): AsyncGenerator<CheckRequest> {
  for (const message of sources.invalid) onInvalid(message);
  for (const name of sources.names) {
    const reading = await requestOf(name, supported);
    if (reading.kind === "request") yield reading.request;
    else onInvalid(reading.why);
  }
  for (const path of sources.lists) {
    const shown = path === "-" ? "stdin" : sanitize(path);
    try {
      for await (const { text, line } of readLines(await lists.open(path))) {
        if (text === undefined) {
          onInvalid(`${shown}:${line}: A line has at most ${MAX_LINE_LENGTH} characters`);
          continue;
        }
        for (const named of readNames(text, sources)) {
          const reading = named.kind === "name" ? await requestOf(named.name, supported) : named;
          if (reading.kind === "request") yield reading.request;
          else onInvalid(`${shown}:${line}: ${sanitize(named.text)}: ${reading.why}`);
        }
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      onInvalid(`Cannot read ${shown}: ${sanitize(message)}`);
    }
  }
}

/** A longer line is cut, perhaps within a name. */
const MAX_LINE_LENGTH = 65_535;

/** Yields the names of the lines, as they stand there, with the numbers of the lines; undefined for a line that is too long. */
async function* readLines(
  list: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ text: string | undefined; line: number }> {
  const read = createLineReader();
  let line = 0;
  for await (const whole of lines(list, { most: MAX_LINE_LENGTH + 1 })) {
    line++;
    const texts = whole.length > MAX_LINE_LENGTH ? [undefined] : read(whole);
    for (const text of texts) yield { text, line };
  }
}
