import { runCheck } from "../../src/cli/check.ts";
import { type Checks, createHere } from "../../src/cli/here.ts";
import type { Opening, Surroundings } from "../../src/cli/run.ts";
import type { Lab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";

/** What a run of the command wrote, and its exit status. */
export interface CliRun {
  code: number;
  out: string;
  err: string;
}

/** What the command meets; files are what they hold, `-` is what is piped into it. */
export interface CliOptions {
  colour?: boolean;
  columns?: number;
  lists?: Readonly<Record<string, string | ReadableStream<Uint8Array>>>;
  stop?: AbortSignal;
  /** Whether it waits for registries that ask for a pause. */
  patient?: boolean;
  write?: (text: string) => Promise<void>;
}

/** Runs the command in this process, over the look-ups of a service or whoever else is opened. */
export async function runCli(
  args: readonly string[],
  answers: Checks | Surroundings["open"],
  { colour = false, columns = 0, lists = {}, patient = false, write, ...options }: CliOptions = {},
): Promise<CliRun> {
  const said = { out: "", err: "" };
  const out = (text: string) => void (said.out += text);
  const stop = options.stop ?? new AbortController().signal;
  const now = Date.now;
  const code = await runCheck(args, {
    terminal: {
      out,
      write: write ?? ((text) => Promise.resolve(out(text))),
      err: (text) => void (said.err += text),
      colour,
      columns: () => columns,
    },
    lists: {
      piped: "-" in lists,
      isKept: (path) => Promise.resolve(typeof listOf(path) === "string"),
      open: (path) => Promise.resolve(toStream(listOf(path))),
    },
    stop,
    now,
    version: "1.2.3",
    open: typeof answers === "function" ? answers : async (_order, pauses): Promise<Opening> => {
      const waiter = await createHere(answers, {
        pauses: patient ? pauses : undefined,
        stop,
        monotonic: now,
      });
      return { kind: "asker", waiter };
    },
  });
  return { code, ...said };

  function listOf(path: string): string | ReadableStream<Uint8Array> {
    const list = lists[path];
    if (list === undefined) throw new Deno.errors.NotFound(`No such file: stat '${path}'`);
    return list;
  }
}

function toStream(list: string | ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return typeof list === "string" ? new Blob([list]).stream() : list;
}

/** Starts `deno task check` as a process of its own, on the lab. */
export function startCli(
  lab: Lab,
  args: readonly string[],
  { env = {}, stdin = "null" }: { env?: Record<string, string>; stdin?: "null" | "piped" } = {},
): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "check", ...args],
    cwd: new URL("../../", import.meta.url),
    env: { ...labEnv(lab), ...proxyEnv(lab), ...env },
    stdin,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}
