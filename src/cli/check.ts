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
import { countsInWords } from "../../static/vocabulary.js";
import type { State } from "../rules/verdict.ts";
import {
  type CheckOptions,
  type CommandWords,
  readCheckArguments,
  usageOf,
} from "./check_options.ts";
import {
  createRecordFormatter,
  createSortedFormatter,
  createTextFormatter,
  domainWidth,
  type Formatter,
  type TextLayout,
} from "./formatters.ts";
import {
  type CheckRequest,
  forGenerated,
  type NameLists,
  PRESETS,
  readRequests,
  requestOf,
  type SupportedTlds,
} from "./names.ts";
import type { Wait } from "./remote_client.ts";
import { type CheckerOpening, isAvailable, type Row, rowState, shownName } from "./row.ts";
import { createScreen, drawProgress, startRate } from "./screen.ts";
import { sanitize, type Terminal } from "./terminal.ts";

/** The exit status: all checked; wrong usage, no names or an invalid line; an unknown result; interrupted. */
type CheckExit = 0 | 1 | 2 | 130;

/** What the command needs from its process. */
export interface CheckContext {
  terminal: Terminal;
  lists: NameLists;
  /** Aborted by Ctrl-C. */
  stop: AbortSignal;
  /** The TLDs of the configuration. */
  configuredTlds: () => readonly string[];
  openChecker(options: CheckOptions, wait: Wait): Promise<CheckerOpening>;
  now: () => number;
  version: string;
  command: CommandWords;
}

/** Runs the command; the checker is opened only when the arguments are valid and the lists readable. */
export async function runCheck(
  args: readonly string[],
  context: CheckContext,
): Promise<CheckExit> {
  const { terminal, lists, version, command } = context;
  const read = readCheckArguments(args, { piped: lists.piped });
  switch (read.kind) {
    case "help":
      return await terminal.write(`${usageOf(command)}\n`), 0;
    case "version":
      return await terminal.write(`${version}\n`), 0;
    case "refused":
      return terminal.err(`${usageError(read.message, context)}\n`), 1;
    case "check":
      return await openLists(read.options, context);
  }
}

/** Of empty lists, as from a pipe whose command found nothing. */
const NO_NAMES = "No names to check";

/** The whole usage would scroll the message off the screen. */
function usageError(message: string, { command }: CheckContext): string {
  return `${message}\nRun ${command.name} --help for usage`;
}

/** Finds out whether each list can be read, and read twice, before anything is opened. */
async function openLists(options: CheckOptions, context: CheckContext): Promise<CheckExit> {
  const { terminal, lists } = context;
  let canReread = true;
  for (const path of options.lists) {
    try {
      canReread = await lists.isRereadable(path) && canReread;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return terminal.err(`Cannot read ${sanitize(path)}: ${sanitize(message)}\n`), 1;
    }
  }
  return options.dryRun
    ? await listDomains(options, context)
    : await checkNames(options, context, { canReread });
}

/** Prints the domains that would be checked. Which TLDs are enabled a service tells, and which can be checked the look-ups. */
async function listDomains(options: CheckOptions, context: CheckContext): Promise<CheckExit> {
  const { terminal, lists, stop, configuredTlds, openChecker } = context;
  const note = (line: string) => terminal.err(`${line}\n`);
  let any: SupportedTlds;
  if (options.service === undefined) any = { tlds: configuredTlds() };
  else {
    const opening = await openChecker(options, createWait(note, stop));
    if (opening.kind === "refused") return note(opening.message), stop.aborted ? 130 : 1;
    any = opening.checker;
  }
  const supported = supportedBy(any, options);
  let isEmpty = true;
  let exit: CheckExit = 0;
  const onInvalid = (message: string) => {
    note(message);
    exit = 1;
  };
  notesOf(options, supported).forEach(note);
  for await (const { label, tlds } of readRequests(options, { supported, lists, onInvalid })) {
    if (stop.aborted) return 130;
    isEmpty = false;
    await terminal.write(tlds.map((tld) => `${label}.${tld}\n`).join(""));
  }
  if (!isEmpty || exit !== 0) return exit;
  return note(usageError(NO_NAMES, context)), 1;
}

/** Notes why a service is waited for, and waits; less when the run is stopped. */
function createWait(note: (line: string) => void, stop: AbortSignal): Wait {
  return async (ms, why) => {
    note(`${why}; waiting ${Math.ceil(ms / 1_000)} s`);
    await pause(ms, stop);
  };
}

/** What can be checked, where names without a TLD are checked under those of the group that the user chose. */
function supportedBy(
  { tlds, refusalOf }: SupportedTlds,
  { preset }: Pick<CheckOptions, "preset">,
): SupportedTlds {
  return { tlds: PRESETS[preset ?? ""]?.(tlds) ?? tlds, refusalOf };
}

/** What the user should know of generated names before they are checked. */
function notesOf(
  { tlds, prefixes, suffixes }: CheckOptions,
  { tlds: defaults }: SupportedTlds,
): string[] {
  const generates = prefixes.length + suffixes.length > 0;
  const left = new Set(defaults).difference(new Set(forGenerated(defaults)));
  if (!generates || tlds !== undefined || left.size === 0) return [];
  const list = [...left].map((tld) => `.${tld}`).join(", ");
  return [
    `Generated names are not tried under ${list}: Radix suspends such names. Use --tld to try them`,
  ];
}

/** Opens the checker and the screen; when lists can be read twice, counts the domains first. */
async function checkNames(
  options: CheckOptions,
  context: CheckContext,
  { canReread }: { canReread: boolean },
): Promise<CheckExit> {
  const { terminal, lists, stop, openChecker, now } = context;
  const counts = createResultCounts();
  const rate = startRate(counts.checked, now);
  // Unless the lists can be measured. The width fits most names.
  let size: RunSize = { domains: undefined, width: 24 };
  using screen = createScreen(terminal, (columns) => {
    return drawProgress(
      { done: counts.checked(), total: size.domains, perSecond: rate() },
      columns,
    );
  });
  const opening = await openChecker(options, createWait(screen.note, stop));
  if (stop.aborted) return screen.note("Interrupted"), 130;
  if (opening.kind === "refused") return screen.note(opening.message), 1;
  const { checker } = opening;
  const supported = supportedBy(checker, options);
  const refusal = await refusalOf(options, supported);
  if (refusal !== undefined) return screen.note(refusal), 1;
  notesOf(options, supported).forEach(screen.note);
  const readAll = (onInvalid: (message: string) => void) =>
    readRequests(options, { supported, lists, onInvalid });
  const layout = layoutOf(options, terminal);
  if (canReread && (options.format === "text" || terminal.columns() > 0)) {
    size = await measure(readAll(() => {}), { layout, stop });
  }
  const requests = readAll((message) => {
    counts.addInvalid();
    screen.note(message);
  });
  const startedAt = now();
  const shape = { colour: terminal.colour, width: size.width, layout };
  const formatter = await openFormatter(options, screen.write, shape);
  const checkOne = async (request: CheckRequest) => {
    for await (const row of checker.check(request)) {
      // After Ctrl-C, rows report cancelled look-ups, not results.
      if (stop.aborted) return;
      counts.add(row);
      if (!options.onlyAvailable || isAvailable(row)) await formatter.add(request, row);
    }
    await formatter.finish(request);
  };
  const { concurrency: most } = options;
  const inFlight = most === undefined ? checker.inFlight : { most, sizeOf: () => 1 };
  await forEachInFlight(requests, checkOne, { ...inFlight, stop });
  screen.close();
  const summary = `${stop.aborted ? "Interrupted: " : ""}${counts.summary(now() - startedAt)}`;
  await formatter.end(summary);
  if (options.format !== "text" && (stop.aborted || terminal.columns() > 0)) screen.note(summary);
  if (stop.aborted) return 130;
  if (counts.checked() > 0 || counts.exitCode() !== 0) return counts.exitCode();
  return screen.note(usageError(NO_NAMES, context)), 1;
}

/** The domains to check, unless a list cannot be read twice, and the width of the longest name at the start of a line. */
interface RunSize {
  domains: number | undefined;
  width: number;
}

/** Counts and measures the requests before the run; stops once `stop` is aborted. */
async function measure(
  requests: AsyncIterable<CheckRequest>,
  { layout, stop }: { layout: TextLayout; stop: AbortSignal },
): Promise<RunSize> {
  let [domains, width] = [0, 0];
  for await (const request of requests) {
    if (stop.aborted) break;
    domains += request.tlds.length;
    width = Math.max(width, widthOf(request, layout));
  }
  return { domains, width };
}

/**
 * Several names typed by hand are shown each with its rows. The rows of a list are not kept together: a fast registry's must
 * not wait for a slow one's where programs read them. A line of a name has no place for what is shown below rows.
 */
function layoutOf(
  { lists, names, sort, explain, details }: CheckOptions,
  { isTerminal }: Pick<Terminal, "isTerminal">,
): TextLayout {
  if (sort === "state" || sort === "tld") return "rows";
  if (lists.length === 0) return names.length > 1 ? "groups" : "rows";
  return isTerminal && !explain && !details ? "names" : "rows";
}

/** How wide the start of a request's lines is; groups have widths of their own. */
function widthOf({ label, tlds }: CheckRequest, layout: TextLayout): number {
  if (layout === "rows" || tlds.length === 1) return domainWidth({ label, tlds });
  return layout === "names" ? shownName(label).length : 0;
}

async function openFormatter(
  { format, sort, columns }: CheckOptions,
  write: Terminal["write"],
  shape: Parameters<typeof createTextFormatter>[1],
): Promise<Formatter> {
  const formatter = format === "text"
    ? createTextFormatter(write, shape)
    : await createRecordFormatter(format, write, columns);
  return sort === undefined ? formatter : createSortedFormatter(formatter, sort);
}

/** The message when --tld has a TLD that the checker does not support, or every name on the command line does. */
async function refusalOf(
  { names, lists, tlds }: CheckOptions,
  supported: SupportedTlds,
): Promise<string | undefined> {
  const refusalsOf = async (names: CheckOptions["names"]) =>
    (await Promise.all(names.map((name) => requestOf(name, supported))))
      .flatMap((reading) => reading.kind === "refused" ? [reading.why] : []);
  const [chosen] = await refusalsOf(tlds ? [{ label: "", tlds, isGenerated: false }] : []);
  if (chosen !== undefined || lists.length > 0) return chosen;
  const refusals = await refusalsOf(names);
  return refusals.length === names.length ? refusals[0] : undefined;
}

/**
 * Does the work of a source's items beside each other while their sizes together are below `most`; an item of any size starts where
 * none is under way. The source may be endless. Once `stop` is aborted it settles without waiting for running work or for the
 * source.
 */
async function forEachInFlight<T>(
  source: AsyncIterable<T>,
  work: (item: T) => Promise<void>,
  { most, sizeOf, stop }: { most: number; sizeOf: (item: T) => number; stop: AbortSignal },
): Promise<void> {
  if (stop.aborted) return;
  const ending = Promise.withResolvers<void>();
  stop.addEventListener("abort", () => ending.resolve(), { once: true });
  let size = 0;
  let onEnd = () => {};
  const nextEnd = () => new Promise<void>((resolve) => onEnd = resolve);

  async function startAll(): Promise<void> {
    for await (const item of source) {
      if (stop.aborted) return;
      const own = sizeOf(item);
      size += own;
      work(item).then(() => {
        size -= own;
        onEnd();
      }, ending.reject);
      while (size >= most) await nextEnd();
    }
    while (size > 0) await nextEnd();
  }

  await Promise.race([startAll(), ending.promise]);
}

/** Creates the counts of results by state, and of invalid lines, all 0. */
function createResultCounts() {
  const counts = new Map<State, number>();
  const of = (state: State) => counts.get(state) ?? 0;
  const checked = () => counts.values().reduce((sum, count) => sum + count, 0);
  let invalid = 0;
  return {
    checked,
    add(row: Row): void {
      const state = rowState(row);
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
