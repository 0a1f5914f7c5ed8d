import { type CheckContext, runCheck } from "../../src/cli/check.ts";
import { type CheckLookUps, createLocalChecker } from "../../src/cli/local_checker.ts";
import type { Row } from "../../src/cli/row.ts";
import { openRemoteChecker } from "../../src/cli/remote_checker.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { startService } from "./service.ts";
import { root } from "./source_files.ts";

/** The surroundings of a run; lists are given by their contents, `-` is piped input. */
export interface CliOptions {
  /** Whether stdout is a terminal. */
  isTerminal?: boolean;
  /** The width of stderr, if it is a terminal. */
  columns?: number;
  lists?: Readonly<Record<string, string | ReadableStream<Uint8Array>>>;
  stop?: AbortSignal;
  write?: (text: string) => Promise<void>;
}

/** An endless list of names. */
export function endlessNames(nameOf = (n: number) => `name-${n}.com`): ReadableStream<Uint8Array> {
  let n = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) =>
    controller.enqueue(new TextEncoder().encode(`${nameOf(n++)}\n`));
  return new ReadableStream({ pull });
}

/** Takes what a command writes, and has it as `written`. */
export function recordedTerminal() {
  const written = { out: "", err: "" };
  return {
    written,
    write: (text: string) => Promise.resolve(void (written.out += text)),
    err: (text: string) => void (written.err += text),
  };
}

/** Opens a checker of names under .com whose rows `rowOf` makes. */
export function checkerOf(
  rowOf: (label: string) => Row | Promise<Row>,
): CheckContext["openChecker"] {
  return () =>
    Promise.resolve({
      tlds: ["com"],
      findDetails: () => Promise.resolve({}),
      async *check({ label }) {
        yield await rowOf(label);
      },
    });
}

/** Runs the command in this process, with the look-ups of a service or with another checker; returns its exit status and output. */
export async function runCli(
  args: readonly string[],
  checks: CheckLookUps | CheckContext["openChecker"],
  { isTerminal = false, columns = 0, lists = {}, stop, write }: CliOptions = {},
) {
  const { written, ...terminal } = recordedTerminal();
  const code = await runCheck(args, {
    terminal: {
      ...terminal,
      ...(write && { write }),
      isTerminal,
      colour: false,
      columns: () => columns,
    },
    lists: {
      piped: "-" in lists,
      isRereadable: (path) =>
        Promise.resolve(path).then((path) => typeof listOf(path) === "string"),
      open: (path) => Promise.resolve(new Response(listOf(path)).body!),
    },
    stop: stop ?? new AbortController().signal,
    now: Date.now,
    command: { name: "deno task check" },
    configuredTlds: () => BUILT_IN_TLDS.map(({ tld }) => tld),
    openChecker: typeof checks === "function"
      ? checks
      : (options) => createLocalChecker(checks, options),
  });
  return { code, ...written };

  function listOf(path: string): string | ReadableStream<Uint8Array> {
    const list = lists[path];
    if (list === undefined) throw new Deno.errors.NotFound(`No such file: stat '${path}'`);
    return list;
  }
}

/** Runs the command in this process, by the look-ups of a service of its own on the lab. */
export async function runOnLab(lab: Lab, args: readonly string[], options?: CliOptions) {
  await using service = await startService(lab, { env: { TLDS: "com,dev,online,xyz" } });
  return await runCli(args, service.services, options);
}

/** Runs a command line on a lab of its own; also returns the names of the DNS queries that the lab got. */
export async function runLine(line: string, options?: CliOptions) {
  await using lab = await startLab();
  const ran = await runOnLab(lab, line.split(" ").filter(Boolean), options);
  return { ...ran, queried: lab.dnsQueries.map(({ name }) => name) };
}

/** Runs the command with `--url`, with a clock that only pauses advance: `waits` are those for the service in ms. */
export async function runRemote(args: readonly string[], options?: CliOptions) {
  const waits: number[] = [];
  let time = 0;
  const surroundings = {
    fetch,
    stop: new AbortController().signal,
    now: () => time,
    wait(ms: number) {
      waits.push(ms);
      time += ms;
      return Promise.resolve();
    },
  };
  const ran = await runCli(args, ({ service, explain }) => {
    if (service === undefined) throw new Error("Cannot open: no --url");
    return openRemoteChecker({ ...service, explain, ...surroundings });
  }, options);
  return { ...ran, waits };
}

/** Starts `deno task check`, or another command, as a separate process, on the lab. */
export function startCli(
  lab: Lab,
  args: readonly string[],
  { env = {}, stdin = "null", task = "check" }: {
    env?: Record<string, string>;
    stdin?: "null" | "piped";
    task?: string;
  } = {},
): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", task, ...args],
    cwd: root,
    env: { ...labEnv(lab), ...proxyEnv(lab), ...env },
    stdin,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}
