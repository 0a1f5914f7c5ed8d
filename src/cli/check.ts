/** `deno task check`: the service's own look-ups in this process, results as they arrive. */
import { asSettled } from "../flow/as_settled.ts";
import type { DomainResult } from "../lookup/check.ts";
import type { Services } from "../services.ts";
import { readArguments, USAGE, type Wish } from "./arguments.ts";
import { isUnknown, lineOf, summaryOf } from "./line.ts";
import type { Terminal } from "./terminal.ts";

/** The exit status: all answered, wrong use, something unknown. */
export type ExitCode = 0 | 1 | 2;

type Checks = Pick<Services, "checkDomain" | "tlds">;

/** How results are written one by one. */
interface Format {
  head: string;
  of(result: DomainResult): string;
  between: string;
  tail: string;
}

/** One JSON document, of which every line can be used as it arrives. */
const JSON_ARRAY: Format = { head: "[\n", of: JSON.stringify, between: ",\n", tail: "\n]\n" };

function linesOf(look: { colour: boolean; width: number }): Format {
  return { head: "", of: (result) => lineOf(result, look), between: "\n", tail: "\n" };
}

const CLEAR_LINE = "\r\x1b[2K";

/** Runs the command; `openChecks` is called only once there is something to check. */
export async function runCheck(
  args: readonly string[],
  terminal: Terminal,
  openChecks: () => Promise<Checks>,
): Promise<ExitCode> {
  const read = readArguments(args);
  if (read.kind === "help") return terminal.out(`${USAGE}\n`), 0;
  if (read.kind === "refused") return terminal.err(`${read.why}\n\n${USAGE}\n`), 1;
  const { checkDomain, tlds } = await openChecks();
  const enabled = await tlds.enabled();
  const wrong = read.wishes.find(({ tld }) => tld !== undefined && !enabled.includes(tld));
  if (wrong !== undefined) {
    terminal.err(`TLD ${wrong.tld} is not supported; use one of ${enabled.join(", ")}\n`);
    return 1;
  }
  const domains = read.wishes.flatMap((wish) => expand(wish, enabled));
  const startedAt = performance.now();
  const running = domains.map(({ label, tld }) => checkDomain(label, tld));
  const width = Math.max(...domains.map(({ label, tld }) => label.length + tld.length + 1));
  const format = read.json ? JSON_ARRAY : linesOf({ colour: terminal.colour, width });
  const results = await print(running, terminal, format);
  if (!read.json) terminal.out(`\n${summaryOf(results, performance.now() - startedAt)}\n`);
  return results.some(isUnknown) ? 2 : 0;
}

function expand({ label, tld }: Wish, enabled: readonly string[]) {
  return (tld === undefined ? enabled : [tld]).map((tld) => ({ label, tld }));
}

async function print(
  running: Promise<DomainResult>[],
  terminal: Terminal,
  format: Format,
): Promise<DomainResult[]> {
  const results: DomainResult[] = [];
  const progress = () => terminal.err(`${CLEAR_LINE}${results.length}/${running.length} checked`);
  const clear = () => terminal.err(CLEAR_LINE);
  terminal.out(format.head);
  if (terminal.watched) progress();
  for await (const result of asSettled(running)) {
    if (terminal.watched) clear();
    terminal.out(`${results.length > 0 ? format.between : ""}${format.of(result)}`);
    results.push(result);
    if (terminal.watched) progress();
  }
  if (terminal.watched) clear();
  terminal.out(format.tail);
  return results;
}
