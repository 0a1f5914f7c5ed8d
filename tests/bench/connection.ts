/** HTTP on plain sockets: the client does as little as it can, so that the server is what is measured. */

/** A keep-alive connection that repeats one request. */
export interface Connection extends Disposable {
  /** Sends the request and returns the whole response, head and body. Throws if its status is another than expected. */
  exchange(): Promise<string>;
}

const LENGTH = /\r\ncontent-length: (\d+)\r\n/i;
/** Many times the service's longest response. */
const BUFFER_BYTES = 65_536;

/** Options of a connection. */
export interface ConnectionOptions {
  /** The status of every response; any other throws. */
  status?: number | "any";
  /** A header line for each request, with its line end. */
  header?: () => string;
  /** A part of the query for each request, added to the path. */
  query?: () => string;
}

/** Connects to a port of this machine. */
export async function openConnection(
  port: number,
  path: string,
  { status = 200, header = () => "", query = () => "" }: ConnectionOptions = {},
): Promise<Connection> {
  const socket = await Deno.connect({ hostname: "127.0.0.1", port });
  socket.setNoDelay(true);
  const encoder = new TextEncoder();
  const request = () => `GET ${path}${query()} HTTP/1.1\r\nhost: localhost\r\n${header()}\r\n`;
  const buffer = new Uint8Array(BUFFER_BYTES);
  const decoder = new TextDecoder();

  async function exchange(): Promise<string> {
    await socket.write(encoder.encode(request()));
    for (let filled = 0;;) {
      const count = await socket.read(buffer.subarray(filled));
      if (count === null) throw new Error("Cannot read the response: the connection ended");
      filled += count;
      const text = decoder.decode(buffer.subarray(0, filled));
      if (filled >= sizeOf(text, status)) return text;
    }
  }

  return { exchange, [Symbol.dispose]: () => socket.close() };
}

/** The size of a response, once its head (which is ASCII) is there; before, infinity. */
function sizeOf(text: string, status: number | "any"): number {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return Infinity;
  const length = LENGTH.exec(text)?.[1];
  const isExpected = status === "any" || text.startsWith(`HTTP/1.1 ${status} `);
  if (!isExpected || length === undefined) {
    throw new Error(`Cannot read the response: ${text.slice(0, end)}`);
  }
  return end + 4 + Number(length);
}

/** A response's body and headers, for a server that repeats them. */
export interface Answer {
  body: string;
  headers: Record<string, string>;
}

/** Headers that Deno.serve adds to every response. */
const OWN_HEADERS = ["date", "content-length"];

/** Splits a response into body and headers. */
export function answerOf(text: string): Answer {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const lines = head.split("\r\n").slice(1).map((line) => line.split(/: (.*)/, 2));
  const headers = lines.filter(([name = ""]) => !OWN_HEADERS.includes(name));
  return { body, headers: Object.fromEntries(headers) };
}

const START_LIMIT_MS = 30_000;

/** Sends a request to a starting server as soon as its port accepts, and returns the first response. */
export async function firstAnswer(
  port: number,
  path: string,
  options?: ConnectionOptions,
): Promise<string> {
  const until = performance.now() + START_LIMIT_MS;
  while (performance.now() < until) {
    using connection = await tryToOpen(port, path, options);
    if (connection !== undefined) return await connection.exchange();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error(`Cannot measure the start: nothing listens on port ${port}`);
}

async function tryToOpen(
  port: number,
  path: string,
  options?: ConnectionOptions,
): Promise<Connection | undefined> {
  try {
    return await openConnection(port, path, options);
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return undefined;
    throw error;
  }
}

/** Enough to keep one server thread busy while some of them wait for a KV commit of the limiter. */
const CONNECTIONS = 64;

/** Responses a second over all connections, each of which repeats its request; `path` may differ by connection. */
export async function requestsPerSecond(
  port: number,
  path: string | ((connection: number) => string),
  durationMs: number,
  options?: ConnectionOptions,
): Promise<number> {
  const startedAt = performance.now();
  const until = startedAt + durationMs;
  const counts = await Promise.all(
    Array.from(
      { length: CONNECTIONS },
      (_, n) => askUntil(until, port, typeof path === "string" ? path : path(n), options),
    ),
  );
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return answers / (performance.now() - startedAt) * 1_000;
}

async function askUntil(
  until: number,
  port: number,
  path: string,
  options?: ConnectionOptions,
): Promise<number> {
  using connection = await openConnection(port, path, options);
  let answers = 0;
  while (performance.now() < until) {
    await connection.exchange();
    answers++;
  }
  return answers;
}
