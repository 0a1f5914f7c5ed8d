/**
 * `deno task check`: checks names by the service's own look-ups or by a running service, and writes results as they arrive.
 *
 * What must not break:
 * - The next name is read when a row has been written, and writing does not block: a slow reader must neither fill the memory
 *   nor delay the deadlines of look-ups in flight.
 * - With `--url` a request has all TLDs of a name, which cost one request of the limit together, and the names that are read
 *   together. The service answers it as a stream that waits in its queues: a list needs no other schedule.
 * - `deno task` passes on the Ctrl-C that the terminal has sent already: two signals at once are one.
 */
import { pause } from "../flow/deadline.ts";
import { merged } from "../flow/async_iterables.ts";
import type { Details } from "../../static/detail_rows.js";
import { countsInWords, STATE_ENTRIES } from "../../static/vocabulary.js";
import type { State } from "../rules/verdict.ts";
import { VERSION } from "../wiring/platform.ts";
import {
  type CheckOptions,
  type CommandWords,
  LOCAL_ROWS,
  OPTIONS,
  PRESETS,
  readOptions,
  usageOf,
} from "./check_options.ts";
import {
  createRecordFormatter,
  createSortedFormatter,
  createTextFormatter,
  type Formatter,
  type TextLayout,
} from "./formatters.ts";
import { type NameLists, readRequests, type SupportedTlds } from "./names.ts";
import type { Wait } from "./remote_client.ts";
import type { CheckRequest, Row } from "./row.ts";
import { createScreen, drawProgress, startRate } from "./screen.ts";
import { refuse, runCommand, sanitize, type Terminal } from "./terminal.ts";

/** The exit status: all checked; wrong usage, no names, an invalid line or a failed start; an unknown result; interrupted. */
type CheckExit = 0 | 1 | 2 | 130;

/** Checks names. */
export interface Checker extends SupportedTlds {
  /** Yields a row for each TLD as it settles. */
  check(request: CheckRequest): AsyncIterable<Row>;
  /** The details of a domain, or why there are none. */
  findDetails(domain: string): Promise<Details>;
  /** Cancels what is under way; settles when the process may exit. */
  close?(): Promise<void>;
}

/** What the command needs from its process. */
export interface CheckContext {
  terminal: Terminal;
  lists: NameLists;
  /** Aborted by Ctrl-C. */
  stop: AbortSignal;
  /** The TLDs of the configuration. */
  configuredTlds: () => readonly string[];
  /** Opens the checker; else the error, whose message is for the user, as is what it notes. */
  openChecker(
    options: CheckOptions,
    wait: Wait,
    note: (text: string) => void,
  ): Promise<Checker | Error>;
  now: () => number;
  command: CommandWords;
}

/** Runs the command; the checker is opened only when the arguments are valid and the lists readable. */
export async function runCheck(
  args: readonly string[],
  context: CheckContext,
): Promise<CheckExit> {
  const { terminal, lists: { piped }, command } = context;
  const hint = `Run ${command.name} --help for usage\n`;
  const spec = { ...terminal, options: OPTIONS, usage: `${usageOf(command)}\n`, hint };
  return await runCommand(args, spec, async (values, positionals) => {
    if (values.version) return await terminal.write(`${VERSION}\n`), 0;
    return await checkNames(readOptions(values, { positionals, piped }), context);
  });
}

/** After so long without a result and without a progress line, the user is told what the command waits for. */
const SILENCE_MS = 10_000;

/** Opens the screen, finds out whether each list can be read, and opens the checker; then checks the names, or lists the domains. */
async function checkNames(options: CheckOptions, context: CheckContext): Promise<CheckExit> {
  const { terminal, lists, stop, configuredTlds, openChecker, now } = context;
  const { service, dryRun, details, concurrency } = options;
  const interrupted = new Promise<undefined>((resolve) => {
    stop.addEventListener("abort", () => resolve(undefined));
  });
  const counts = createResultCounts();
  const rate = startRate(counts.checked, now);
  /** How many domains are checked; undefined unless the lists can be read twice. */
  let total: number | undefined;
  // A row of JSON ends its line when the next one comes: a progress line would erase it.
  const isMixed = options.format === "json" && terminal.isTerminal;
  const columns = () => dryRun || isMixed ? 0 : terminal.columns();
  using screen = createScreen({ ...terminal, columns }, (columns) => {
    return drawProgress({ done: counts.checked(), total, perSecond: rate() }, columns);
  });
  const { note } = screen;
  const shape = { colour: terminal.colour, layout: layoutOf(options, terminal), now };
  const formatter = createFormatter(options, screen.write, shape);
  /** Ends the run before its first name: what programs read is complete all the same. */
  const end = async (message: string, exit: CheckExit) => {
    note(message);
    if (options.format !== "text") await formatter.end("");
    return exit;
  };
  const rereadable = await Promise.all(options.lists.map(lists.isRereadable))
    .catch((error: Error) => error);
  if (rereadable instanceof Error) {
    return await end(`Cannot read a list: ${sanitize(rereadable.message)}`, 1);
  }
  let waitingUntil = -Infinity;
  const wait = async (ms: number, why: string) => {
    // Other requests wait for the same, and after Ctrl-C none waits.
    if (!stop.aborted && now() + ms >= waitingUntil + 1_000) {
      note(`${why}; waiting ${Math.ceil(ms / 1_000)} s`);
    }
    waitingUntil = Math.max(waitingUntil, now() + ms);
    await pause(ms, stop);
  };
  // The domains of the configuration's TLDs are listed without look-ups.
  const checker = dryRun && !service
    ? undefined
    : await Promise.race([openChecker(options, wait, note), interrupted]);
  if (stop.aborted) return await end("Interrupted", 130);
  if (checker instanceof Error) return await end(checker.message, 1);
  await using _ = { [Symbol.asyncDispose]: async () => await checker?.close?.() };
  const { tlds: all, refusalOf }: SupportedTlds = checker ?? { tlds: configuredTlds() };
  const tlds = PRESETS[options.preset ?? ""]?.(all) ?? all;
  const readAll = (onInvalid: (message: string) => void) =>
    readRequests(options, { supported: { tlds, refusalOf }, lists, stop, onInvalid });
  const requests = readAll((message) => {
    counts.addInvalid();
    note(message);
  });
  const exitOf = (isEmpty: boolean): CheckExit => {
    if (stop.aborted) return 130;
    return counts.exitCode() || (isEmpty ? refuse("No names to check") : 0);
  };
  if (dryRun || checker === undefined) {
    return exitOf(await Promise.race([listDomains(requests, terminal), interrupted]) ?? true);
  }
  if (rereadable.every((can) => can) && columns() > 0) {
    total = 0;
    for await (const { tlds } of readAll(() => {})) total += tlds.length;
  }
  const startedAt = now();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const checkOne = async (request: CheckRequest) => {
    silence ??= setTimeout(() => {
      if (columns() === 0) note(`Waiting for ${service?.url.host ?? "DNS and registries"}`);
    }, SILENCE_MS);
    const rows = checker.check(request);
    const detailed = details ? merged([rows], (row) => withDetails(row, checker)) : rows;
    for await (const row of detailed) {
      clearTimeout(silence);
      // After Ctrl-C, rows report cancelled look-ups, not results.
      if (stop.aborted) return;
      counts.add(row);
      const isShown = !options.onlyAvailable || STATE_ENTRIES[row.state].isAvailable;
      if (isShown) await formatter.add(request, row);
    }
    await formatter.finish?.(request);
  };
  // After Ctrl-C it waits neither for running work nor for the list.
  await Promise.race([forEachInFlight(requests, checkOne, concurrency), interrupted]);
  clearTimeout(silence);
  screen.close();
  const isEmpty = counts.checked() === 0 && !stop.aborted;
  const summary = `${stop.aborted ? "Interrupted: " : ""}${counts.summary(now() - startedAt)}`;
  // Of nothing a text tells only why, which stands on stderr; a document for programs is complete.
  if (!isEmpty || options.format !== "text") await formatter.end(summary);
  if (options.format !== "text" && (stop.aborted || columns() > 0)) note(summary);
  return exitOf(isEmpty);
}

/** The row, with its details if it is taken. */
async function withDetails(row: Row, { findDetails }: Checker): Promise<Row> {
  if (row.state !== "taken") return row;
  const { domain: _, state: __, available: ___, ...details } = await findDetails(row.domain);
  return { ...row, details, record: { ...row.record, details } };
}

/** Prints the domains that would be checked; returns whether there are none. */
async function listDomains(
  requests: AsyncIterable<CheckRequest>,
  { write }: Terminal,
): Promise<boolean> {
  let isEmpty = true;
  for await (const { label, tlds } of requests) {
    isEmpty = false;
    await write(tlds.map((tld) => `${label}.${tld}\n`).join(""));
  }
  return isEmpty;
}

function createFormatter(
  { format, sort, columns }: CheckOptions,
  write: Terminal["write"],
  shape: Parameters<typeof createTextFormatter>[1],
): Formatter {
  const formatter = format === "text"
    ? createTextFormatter(write, shape)
    : createRecordFormatter(format, write, columns);
  return sort === undefined ? formatter : createSortedFormatter(formatter, sort);
}

/**
 * Several names typed by hand are shown each with its rows. The rows of a list are not kept together: a fast registry's must
 * not wait for a slow one's where programs read them. A line of a name has no place for what is shown below rows.
 */
function layoutOf(
  { lists, names, prefixes, suffixes, sort, explain, details }: CheckOptions,
  { isTerminal }: Pick<Terminal, "isTerminal">,
): TextLayout {
  if (sort === "state" || sort === "tld") return "rows";
  const areSeveral = names.length + prefixes.length + suffixes.length > 1;
  if (lists.length === 0) return areSeveral ? "groups" : "rows";
  return isTerminal && !explain && !details ? "names" : "rows";
}

/**
 * Does the work of each request beside that of others, while fewer than `concurrency` are under way; undefined: while theirs are
 * fewer than `LOCAL_ROWS` domains. The source may be endless.
 */
async function forEachInFlight(
  requests: AsyncIterable<CheckRequest>,
  work: (request: CheckRequest) => Promise<void>,
  concurrency: number | undefined,
): Promise<void> {
  const most = concurrency ?? LOCAL_ROWS;
  let size = 0;
  let onEnd = () => {};
  const nextEnd = () => new Promise<void>((resolve) => onEnd = resolve);
  for await (const request of requests) {
    const own = concurrency === undefined ? request.tlds.length : 1;
    size += own;
    // A failure is a bug, which ends the process.
    void work(request).then(() => {
      size -= own;
      onEnd();
    });
    while (size >= most) await nextEnd();
  }
  while (size > 0) await nextEnd();
}

/** Creates the counts of results by state, and of invalid lines, all 0. */
function createResultCounts() {
  const counts = new Map<State, number>();
  const of = (state: State) => counts.get(state) ?? 0;
  const checked = () => counts.values().reduce((sum, count) => sum + count, 0);
  let invalid = 0;
  return {
    checked,
    add({ state }: Row): void {
      counts.set(state, of(state) + 1);
    },
    /** Counts an invalid line, or an unreadable list. */
    addInvalid: () => void invalid++,
    /** 1 when a line was invalid, 2 when a result is unknown, else 0. */
    exitCode(): 0 | 1 | 2 {
      if (invalid > 0) return 1;
      return of("unknown") > 0 ? 2 : 0;
    },
    /** One line for the user. */
    summary(elapsedMs: number): string {
      const each = countsInWords(of);
      const took = `${plural(checked(), "domain")} in ${(elapsedMs / 1_000).toFixed(1)} s`;
      const rest = invalid > 0 ? `; ${plural(invalid, "invalid line")} skipped` : "";
      return `${took}${each && `: ${each}`}${rest}`;
    },
  };
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
