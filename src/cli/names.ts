/** Names on the command line, in files and on stdin, those that are generated of them, and the checks that they request. */
import { resolve } from "node:path";
import { createLineReader, nameIn } from "../../static/names_in_text.js";
import { lines } from "../flow/async_iterables.ts";
import {
  type LabelReading,
  readDomain,
  readEnsLabel,
  readLabel,
  toAsciiName,
} from "../rules/name.ts";
import type { CheckOptions } from "./check_options.ts";
import type { CheckRequest } from "./row.ts";
import { sanitize } from "./terminal.ts";

/** The TLD of ENS names, which are checked only on request, never as one of "every TLD". */
export const ETH = "eth";

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

/** What can be checked. */
export interface SupportedTlds {
  /** The TLDs under which names without one are checked. */
  tlds: readonly string[];
  /** Why names under a TLD or suffix cannot be checked; absent where only the answer for a name tells. */
  refusalOf?: ((suffix: string) => Promise<string | undefined>) | undefined;
}

/** What requests are read with. */
interface RequestOptions {
  supported: SupportedTlds;
  lists: Pick<NameLists, "open">;
  /** Once it is aborted no more are read. */
  stop: AbortSignal;
  /** Called for what is no name, for an unreadable list, and for a TLD of `--tld` that is not supported, which ends the reading. */
  onInvalid: (message: string) => void;
}

/** Yields the requests, up to the limit. Lists are streamed: no line is read before it is needed. */
export async function* readRequests(
  sources: CheckOptions,
  options: RequestOptions,
): AsyncGenerator<CheckRequest> {
  const { tlds = [], prefixes, suffixes, limit = Infinity } = sources;
  const { supported, stop, onInvalid } = options;
  for (const tld of tlds) {
    const why = await refusalUnder(tld, supported);
    if (why !== undefined) return onInvalid(why);
  }
  let count = 0;
  for await (const { place, text } of readTexts(sources, options)) {
    const found = nameIn(text);
    const [label = "", ...tld] = found.split(".");
    for (const prefix of ["", ...prefixes]) {
      for (const suffix of ["", ...suffixes]) {
        // Both go around the label of a domain.
        const name = [prefix + label + suffix, ...tld].join(".");
        const request = await readRequest(nameIn(name), sources, supported);
        if (stop.aborted) return;
        if (typeof request === "string") {
          onInvalid(`${place}${sanitize(name === found ? text : name)}: ${request}`);
          continue;
        }
        yield request;
        if (++count === limit) return;
      }
    }
  }
}

/** A longer line is cut, perhaps within a name. */
const MAX_LINE_LENGTH = 65_535;

/** Yields the typed names, then those of the lists, as they stand there, each with its place. */
async function* readTexts(
  sources: CheckOptions,
  { lists, onInvalid }: Pick<RequestOptions, "lists" | "onInvalid">,
): AsyncGenerator<{ place: string; text: string }> {
  for (const text of sources.names) yield { place: "", text };
  for (const path of sources.lists) {
    const shown = path === "-" ? "stdin" : sanitize(path);
    const read = createLineReader();
    let number = 0;
    try {
      for await (const line of lines(await lists.open(path), { most: MAX_LINE_LENGTH + 1 })) {
        const place = `${shown}:${++number}: `;
        if (line.length > MAX_LINE_LENGTH) {
          onInvalid(`${place}A line has at most ${MAX_LINE_LENGTH} characters`);
        } else for (const text of read(line)) yield { place, text };
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      onInvalid(`Cannot read ${shown}: ${sanitize(message)}`);
    }
  }
}

/**
 * Reads a name, or returns why it cannot be checked: with its own TLD, or under the TLDs `chosen` by `--tld`. One in Unicode is
 * converted, but not under .eth, whose names have no ASCII form.
 */
async function readRequest(
  text: string,
  { tlds: chosen, preset }: CheckOptions,
  supported: SupportedTlds,
): Promise<CheckRequest | string> {
  const name = toAsciiName(text);
  if (!name.includes(".")) {
    const tlds = chosen ?? supported.tlds;
    const reading = readBareLabel(text, tlds);
    if (reading.kind === "refused") return reading.why;
    const ofPreset = preset === undefined ? "" : ` of --preset ${preset}`;
    if (tlds.length === 0) return `No TLD${ofPreset} is enabled; send a name with its TLD`;
    return { label: reading.label, tlds };
  }
  const isEth = name.toLowerCase().endsWith(`.${ETH}`);
  const reading = isEth ? readEnsLabel(text) : readDomain(name);
  if (reading.kind === "refused") return reading.why;
  const tld = reading.kind === "domain" ? reading.tld : ETH;
  if (chosen?.includes(tld) === false) return `TLD .${tld} is not in --tld ${chosen.join(",")}`;
  return await refusalUnder(tld, supported) ?? { label: reading.label, tlds: [tld] };
}

/** The label must be valid under every TLD; .eth has its own grammar. */
function readBareLabel(label: string, tlds: readonly string[]): LabelReading {
  if (!tlds.includes(ETH)) return readLabel(toAsciiName(label));
  const reading = readEnsLabel(label);
  return reading.kind === "refused" || tlds.length === 1 ? reading : readLabel(label);
}

/** Why no name can be checked under a TLD; undefined if names can. */
async function refusalUnder(
  tld: string,
  { refusalOf }: SupportedTlds,
): Promise<string | undefined> {
  const why = tld === ETH ? undefined : await refusalOf?.(tld);
  return why && `TLD ${tld} is not supported: ${why}`;
}
