import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { Lab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { START_ARGS } from "../lab/start_args.ts";
import { UNLIMITED } from "./unlimited.ts";

/** The service as a process of its own. */
export interface ServiceProcess extends AsyncDisposable {
  url: string;
  /** Sends a signal; SIGKILL leaves it no time for anything. */
  kill(signal: Deno.Signal): void;
  status: Promise<Deno.CommandStatus>;
  /** What it has logged so far, parsed. */
  events: Record<string, unknown>[];
  /** Settles once it has logged such an event. */
  heard(event: string): Promise<void>;
}

/** No job of a full ten minutes comes between a test and its lab, but where the test is about jobs. */
const QUIET = { DENO_TIMELINE: "preview/test" };

const root = new URL("../../", import.meta.url);

/** Starts `main.ts` on the lab, by the arguments of `deno task start` or others, and waits until it listens. */
export async function startProcess(
  lab: Lab,
  env: Record<string, string> = {},
  { args = START_ARGS }: { args?: readonly string[] } = {},
): Promise<ServiceProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: root,
    env: { ...labEnv(lab), ...proxyEnv(lab), ...UNLIMITED, ...QUIET, ...env },
    stdin: "null",
    // Where OpenTelemetry is on, info goes to stdout.
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const events: Record<string, unknown>[] = [];
  const listening = Promise.withResolvers<string>();
  const awaited = new Map<string, PromiseWithResolvers<void>>();
  const heard = (event: string) => {
    const one = awaited.get(event) ?? Promise.withResolvers<void>();
    awaited.set(event, one);
    return one;
  };
  const read = async (stream: ReadableStream<Uint8Array>) => {
    // deno-lint-ignore no-explicit-any -- Node's and Deno's types of the same web stream differ
    const lines = createInterface({ input: Readable.fromWeb(stream as any) });
    for await (const line of lines) {
      const event = readEvent(line);
      events.push(event);
      heard(`${event.event}`).resolve();
      if (event.event === "listening") listening.resolve(`http://127.0.0.1:${event.port}`);
    }
  };
  const reading = Promise.all([read(child.stdout), read(child.stderr)]).then(() =>
    listening.reject(new Error(`the service did not start: ${JSON.stringify(events)}`))
  );
  const status = child.status.then(async (status) => (await reading, status));
  return {
    url: await listening.promise,
    kill: (signal) => child.kill(signal),
    status,
    events,
    heard: (event) => heard(event).promise,
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGKILL");
      } catch (error) {
        // It has ended already, which is what a test may be about.
        if (!(error instanceof TypeError)) throw error;
      }
      await status;
    },
  };
}

function readEvent(line: string): Record<string, unknown> {
  return line.startsWith("{") ? JSON.parse(line) : { text: line };
}
