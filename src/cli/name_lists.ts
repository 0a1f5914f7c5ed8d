/** All requests of a run: the names of the command line, then those of files and stdin. */
import { resolve } from "node:path";
import { createLineReader } from "../../static/names_in_text.js";
import { lines } from "../flow/lines.ts";
import { type Generation, variantsOf } from "./generate.ts";
import {
  type CheckRequest,
  type NameArgument,
  readName,
  requestOf,
  type SupportedTlds,
} from "./name_argument.ts";
import { sanitize } from "./terminal.ts";

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
export interface NameSources {
  names: readonly NameArgument[];
  /** Why arguments are no names; the others are checked. */
  invalid: readonly string[];
  /** Paths of lists; `-` is stdin. */
  lists: readonly string[];
  /** The TLDs for names without one; undefined: every enabled TLD. */
  tlds: readonly string[] | undefined;
  generation: Generation;
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
  const { generation, tlds } = sources;
  for (const message of sources.invalid) onInvalid(message);
  for (const name of sources.names) {
    yield* await requestsFor(name, onInvalid);
  }
  for (const path of sources.lists) {
    const shown = path === "-" ? "stdin" : sanitize(path);
    try {
      for await (const { text: whole, line } of readLines(await lists.open(path))) {
        if (whole === undefined) {
          onInvalid(`${shown}:${line}: A line has at most ${MAX_LINE_LENGTH} characters`);
          continue;
        }
        for (const { text, isGenerated } of variantsOf(whole, generation)) {
          const refuse = (message: string) =>
            onInvalid(`${shown}:${line}: ${sanitize(text)}: ${message}`);
          const reading = readName(text, tlds);
          if (reading.kind === "refused") refuse(reading.message);
          else yield* await requestsFor({ ...reading.name, isGenerated }, refuse);
        }
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      onInvalid(`Cannot read ${shown}: ${sanitize(message)}`);
    }
  }

  /** None when the name is refused. */
  async function requestsFor(name: NameArgument, refuse: (message: string) => void) {
    const reading = await requestOf(name, supported);
    if (reading.kind === "request") return [reading.request];
    refuse(reading.message);
    return [];
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

/** The number of domains to check, and how wide they are. */
interface RequestCount {
  /** Undefined when a list cannot be read twice. */
  total: number | undefined;
  /** The width of the longest name at the start of a line of the output. */
  width: number;
}

/** The count before, or instead of, reading all requests; the width fits most names. */
export const UNKNOWN_COUNT: RequestCount = { total: undefined, width: 24 };

/** Counts and measures the requests before the run; stops once `stop` is aborted. */
export async function countRequests(
  requests: AsyncIterable<CheckRequest>,
  { widthOf, stop }: {
    /** The width that the output of a request needs. */
    widthOf: (request: CheckRequest) => number;
    stop: AbortSignal;
  },
): Promise<RequestCount> {
  let total = 0;
  let width = 0;
  for await (const request of requests) {
    if (stop.aborted) return UNKNOWN_COUNT;
    total += request.tlds.length;
    width = Math.max(width, widthOf(request));
  }
  return { total, width };
}
