import { createInterface } from "node:readline";
import { Readable } from "node:stream";

/** A line of a service's log, parsed, and when it arrived here (ms of `performance.now()`). */
export type LogLine = Record<string, unknown> & { arrivedAt: number };

/** A service with a movable clock, in its own process. */
export interface ChaosProcess {
  /** Settles with its address once it listens; rejects if it exits before. */
  url: Promise<string>;
  status: Promise<Deno.CommandStatus>;
  /** Sends a command of `service_main.ts`; lost if the process has exited. */
  command(line: string): void;
  /** Sends a signal; does nothing if the process has exited. */
  kill(signal: Deno.Signal): void;
}

const root = new URL("../../", import.meta.url);

/** Starts the service; `onLog` is given every line of its log. */
export function startChaosProcess(
  env: Record<string, string>,
  onLog: (line: LogLine) => void,
): ChaosProcess {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "tests/chaos/service_main.ts"],
    cwd: root,
    env,
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const listening = Promise.withResolvers<string>();
  // Nothing waits for the address of a process that is killed while it starts.
  listening.promise.catch(() => {});
  const last: string[] = [];
  const reading = (async () => {
    // deno-lint-ignore no-explicit-any -- Node's and Deno's types of the same web stream differ
    const lines = createInterface({ input: Readable.fromWeb(child.stderr as any) });
    for await (const text of lines) {
      last.push(text);
      if (last.length > 5) last.shift();
      const line = parse(text);
      if (line.event === "listening") listening.resolve(`http://127.0.0.1:${line.port}`);
      onLog(line);
    }
    listening.reject(new Error(`the service did not start: ${last.join(" ")}`));
  })();
  const writer = child.stdin.getWriter();
  const encoder = new TextEncoder();
  // The pipe breaks when the process is killed.
  writer.closed.catch(() => {});
  const status = child.status.then(async (status) => {
    await reading;
    await writer.close().catch(() => {});
    return status;
  });
  return {
    url: listening.promise,
    status,
    command: (line) => void writer.write(encoder.encode(`${line}\n`)).catch(() => {}),
    kill(signal) {
      try {
        child.kill(signal);
      } catch (error) {
        // It has exited.
        if (!(error instanceof TypeError)) throw error;
      }
    },
  };
}

function parse(text: string): LogLine {
  const arrivedAt = performance.now();
  if (!text.startsWith("{")) return { event: "text", text, arrivedAt };
  try {
    return { ...JSON.parse(text), arrivedAt };
  } catch {
    // The last line of a process that was killed while it wrote.
    return { event: "text", text, arrivedAt };
  }
}
