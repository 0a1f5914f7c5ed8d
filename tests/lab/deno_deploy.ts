/**
 * Simulates Deno Deploy for one process. The protocol is the one of Deno's runtime (ext/cron/socket.rs and
 * tests/specs/run/unstable_cron_socket_serve_reject in denoland/deno, Deno 2.6.7 to 2.9), one JSON object a line. Before
 * 2.6.7, Deno has the control socket only, and schedules jobs itself.
 *
 * - Control socket: Deno listens. The platform sends `{cwd, args, env}`, the command line to run; Deno sends "Serving"
 *   (2.9: `{"Serving": …}`) once `Deno.serve` has been called.
 * - Cron socket: the platform listens. Deno sends `register` for each job, and `result` after each run; the platform
 *   sends `invoke` to run a job, and `reject-new-crons` after "Serving".
 */
import { lines } from "../../src/flow/lines.ts";
import { within } from "../support/until.ts";

/** A job as the platform knows it. */
interface RegisteredJob {
  name: string;
  schedule: string;
  backoff_schedule?: number[];
}

/** A process that the platform started. */
export type Revision = Awaited<ReturnType<typeof startRevision>>;

/**
 * Starts `script` as the platform would; the process reads `env` besides the environment of this one. Without the cron
 * socket, the process's own Deno schedules the jobs, and the platform knows none.
 */
export async function startRevision(
  script: string,
  { executable, env, hasCronSocket = true }: {
    executable: string;
    env: Readonly<Record<string, string>>;
    hasCronSocket?: boolean;
  },
) {
  const folder = await Deno.makeTempDir();
  const cronPath = `${folder}/cron`;
  const controlPath = `${folder}/control`;
  const listener = Deno.listen({ transport: "unix", path: cronPath });
  const child = new Deno.Command(executable, {
    env: {
      ...env,
      DENO_DEPLOY: "true",
      ...hasCronSocket ? { DENO_UNSTABLE_CRON_SOCK: `unix:${cronPath}` } : {},
      DENO_UNSTABLE_CONTROL_SOCK: `unix:${controlPath}`,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const jobs: RegisteredJob[] = [];
  const stdout: string[] = [];
  const stderr: string[] = [];
  const results = new Map<string, PromiseWithResolvers<boolean>>();
  const listening = Promise.withResolvers<number>();
  const refusing = Promise.withResolvers<void>();
  const cron = Promise.withResolvers<Deno.Conn>();
  const open: Disposable[] = [listener];

  async function readOutput(stream: typeof child.stdout, into: string[]): Promise<void> {
    for await (const line of linesOf(stream)) {
      into.push(line);
      const event = line.startsWith("{") ? JSON.parse(line) : {};
      if (event.event === "listening") listening.resolve(event.port);
    }
  }

  async function readCron(): Promise<void> {
    const accepting = listener.accept();
    // Without a job it rejects when the listener is closed, as expected.
    cron.resolve(accepting);
    cron.promise.catch(() => {});
    const connection = await accepting;
    open.push(connection);
    for await (const line of linesOf(connection.readable)) {
      const message = JSON.parse(line);
      if (message.kind === "register") jobs.push(...message.crons);
      if (message.kind === "result") results.get(message.name)?.resolve(message.success);
    }
  }

  async function readControl(connection: Deno.Conn): Promise<void> {
    for await (const line of linesOf(connection.readable)) {
      if (!line.includes("Serving")) continue;
      const reason = "The lab refuses jobs after Deno.serve";
      if (hasCronSocket) await sendLine(await cron.promise, { kind: "reject-new-crons", reason });
      refusing.resolve();
    }
  }

  /** Settles with the promise; rejects if the process exits before, or after 60 s. */
  function before<T>(what: string, promise: Promise<T>): Promise<T> {
    const ended = child.status.then(({ code }) => {
      const output = [...stdout, ...stderr].join("\n");
      throw new Error(`The process ended with ${code} before ${what}: ${output}`);
    });
    return within(what, Promise.race([promise, ended]));
  }

  const output = Promise.all([
    readOutput(child.stdout, stdout),
    readOutput(child.stderr, stderr),
  ]);
  // A connection that ends in the middle of a test fails what waits for it.
  const reading: Promise<unknown>[] = [output, readCron().catch(() => {})];

  const control = await before("its control socket", connect(controlPath));
  open.push(control);
  reading.push(readControl(control).catch(() => {}));
  const args = ["run", "--allow-all", script];
  await sendLine(control, { cwd: Deno.cwd(), args, env: [] });

  return {
    /** The jobs that the platform knows. */
    jobs,
    /** What the process has written. */
    stdout,
    stderr,
    /** Settles with the port of the process's `listening` line once "Serving" is read and further jobs are refused. */
    async serving() {
      await before("Deno.serve", refusing.promise);
      return await before("its listening line", listening.promise);
    },
    /** Runs a job and settles with whether it succeeded. */
    async invoke(job: string) {
      const result = Promise.withResolvers<boolean>();
      results.set(job, result);
      await sendLine(await before("a job", cron.promise), { kind: "invoke", name: job });
      return await before(`the end of ${job}`, result.promise);
    },
    /** Sends SIGINT, as the platform does when it stops an instance. */
    async stop() {
      child.kill("SIGINT");
      await output;
      return await child.status;
    },
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGKILL");
      } catch (error) {
        // It has exited already.
        if (!(error instanceof TypeError)) throw error;
      }
      await child.status;
      for (const one of open) {
        try {
          one[Symbol.dispose]();
        } catch {
          // It has closed itself at the end of its stream.
        }
      }
      await Promise.all(reading);
      await Deno.remove(folder, { recursive: true });
    },
  };
}

const CONNECT_PAUSE_MS = 10;

/** The lines of a stream, without the empty ones: each message is one of JSON. */
async function* linesOf(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  for await (const line of lines(bytes, { most: Infinity })) {
    if (line !== "") yield line;
  }
}

/** Sends a message as one line of JSON. */
async function sendLine(connection: Deno.Conn, message: unknown): Promise<void> {
  const writer = connection.writable.getWriter();
  await writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  writer.releaseLock();
}

/** Connects to a Unix socket once it exists, which Deno does not signal. */
async function connect(path: string): Promise<Deno.Conn> {
  for (;;) {
    try {
      return await Deno.connect({ transport: "unix", path });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, CONNECT_PAUSE_MS));
    }
  }
}
