/** Connections on which each message is a line of JSON. */

const CONNECT_PAUSE_MS = 10;

/** The lines of a stream, without the empty ones. */
export async function* linesOf(
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string> {
  let rest = "";
  for await (const text of bytes.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
}

/** Sends a message as one line of JSON. */
export async function sendLine(connection: Deno.Conn, message: unknown): Promise<void> {
  const writer = connection.writable.getWriter();
  await writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  writer.releaseLock();
}

/** Connects to a Unix socket once it exists, which Deno does not signal. */
export async function connect(path: string): Promise<Deno.Conn> {
  for (;;) {
    try {
      return await Deno.connect({ transport: "unix", path });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, CONNECT_PAUSE_MS));
    }
  }
}

/** How a connection ends when either side closes it or the process dies. */
const ENDS = [
  Deno.errors.BadResource,
  Deno.errors.Interrupted,
  Deno.errors.ConnectionReset,
  Deno.errors.BrokenPipe,
];

/** Settles when the reading ends. */
export function closed(reading: Promise<void>): Promise<void> {
  return reading.catch((error) => {
    if (!ENDS.some((end) => error instanceof end)) throw error;
  });
}

/** Closes a connection that may have closed itself at the end of its stream. */
export function close(one: Disposable): void {
  try {
    one[Symbol.dispose]();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}
