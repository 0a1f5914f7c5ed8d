/** HTTP on plain sockets: the client does as little as it can, so that the server is what is measured. */

const LENGTH = /\r\ncontent-length: (\d+)\r\n/i;
/** Many times the service's longest response. */
const BUFFER_BYTES = 65_536;

/** Opens a keep-alive connection to a port of this machine, which repeats one request; `header` makes a header line for each request, with its line end. */
export async function openConnection(port: number, path: string, header = () => "") {
  const socket = await Deno.connect({ hostname: "127.0.0.1", port });
  socket.setNoDelay(true);
  const encoder = new TextEncoder();
  const request = () => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${header()}\r\n`;
  const buffer = new Uint8Array(BUFFER_BYTES);
  const decoder = new TextDecoder();

  /** Sends the request and returns the whole response, head and body. Throws if its status is not 200. */
  async function exchange(): Promise<string> {
    await socket.write(encoder.encode(request()));
    for (let filled = 0;;) {
      const count = await socket.read(buffer.subarray(filled));
      if (count === null) throw new Error("Cannot read the response: the connection ended");
      filled += count;
      const text = decoder.decode(buffer.subarray(0, filled));
      if (filled >= sizeOf(text)) return text;
    }
  }

  return { exchange, [Symbol.dispose]: () => socket.close() };
}

/** The size of a response, once its head (which is ASCII) is there; before, infinity. */
function sizeOf(text: string): number {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return Infinity;
  const length = LENGTH.exec(text)?.[1];
  if (!text.startsWith("HTTP/1.1 200 ") || length === undefined) {
    throw new Error(`Cannot read the response: ${text.slice(0, end)}`);
  }
  return end + 4 + Number(length);
}

/** Headers that Deno.serve adds to every response. */
const OWN_HEADERS = ["date", "content-length"];

/** Splits a response into body and headers, for a server that repeats them. */
export function answerOf(text: string): { body: string; headers: Record<string, string> } {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const lines = head.split("\r\n").slice(1).map((line) => line.split(/: (.*)/, 2));
  const headers = lines.filter(([name = ""]) => !OWN_HEADERS.includes(name));
  return { body, headers: Object.fromEntries(headers) };
}

/** Enough to keep one server thread busy while some of them wait for a KV commit of the limiter. */
const CONNECTIONS = 64;

/** Responses a second over all connections, each of which repeats its request. */
export async function requestsPerSecond(
  port: number,
  path: string,
  durationMs: number,
  header: () => string,
): Promise<number> {
  const startedAt = performance.now();
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    using connection = await openConnection(port, path, header);
    let answers = 0;
    while (performance.now() < startedAt + durationMs) {
      await connection.exchange();
      answers++;
    }
    return answers;
  }));
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return answers / (performance.now() - startedAt) * 1_000;
}
