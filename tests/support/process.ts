import { lines } from "../../src/flow/async_iterables.ts";
import type { Lab } from "../lab/lab.ts";
import { labEnv, proxyEnv, START_ARGS } from "../lab/lab_env.ts";
import { root } from "./source_files.ts";
import { UNLIMITED } from "./unlimited.ts";
import { until, within } from "./until.ts";

/** Off production's timeline no job runs, so that none asks the lab in the middle of a test. */
const QUIET = { DENO_TIMELINE: "preview/test" };

/** Starts `main.ts` on the lab, by the arguments of `deno task start` or others, and waits until it listens. */
export async function startProcess(
  lab: Lab,
  env: Record<string, string> = {},
  { executable = Deno.execPath(), args = START_ARGS }: {
    executable?: string | undefined;
    args?: readonly string[];
  } = {},
) {
  const child = new Deno.Command(executable, {
    args: [...args],
    cwd: root,
    env: { ...labEnv(lab), ...proxyEnv(lab), ...UNLIMITED, ...QUIET, ...env },
    stdin: "null",
    // Where OpenTelemetry or Deno Deploy collects logs, info goes to stdout.
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const events: Record<string, unknown>[] = [];
  const stdout: typeof events = [];
  const stderr: typeof events = [];
  const listening = Promise.withResolvers<string>();
  const read = async (stream: ReadableStream<Uint8Array>, own: typeof events) => {
    for await (const line of lines(stream, { most: Infinity })) {
      const event = line.startsWith("{") ? JSON.parse(line) : { text: line };
      events.push(event);
      own.push(event);
      if (event.event === "listening") listening.resolve(`http://127.0.0.1:${event.port}`);
    }
  };
  const reading = Promise.all([read(child.stdout, stdout), read(child.stderr, stderr)]).then(() =>
    listening.reject(new Error(`The service did not start: ${JSON.stringify(events)}`))
  );
  const status = child.status.then(async (status) => (await reading, status));
  return {
    url: await within("the service listens", listening.promise),
    pid: child.pid,
    kill: (signal: Deno.Signal) => child.kill(signal),
    status,
    /** What it has logged so far, parsed. */
    events,
    /** The same by the stream. */
    stdout,
    stderr,
    /** Settles once it has logged such an event. */
    logged: (name: string) =>
      until(`the service logs ${name}`, () => events.some(({ event }) => event === name)),
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGKILL");
      } catch (error) {
        // It has exited already, as some tests expect.
        if (!(error instanceof TypeError)) throw error;
      }
      await status;
    },
  };
}

/** A port on which nothing listens at this moment. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
