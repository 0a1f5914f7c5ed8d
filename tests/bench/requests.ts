/** HTTP on plain sockets: the client does as little as it can, so that the server is what is measured. */

const LENGTH = /\r\ncontent-length: (\d+)\r\n/i;
/** Many times the service's longest response. */
const BUFFER_BYTES = 65_536;
/** Enough to keep one server thread busy while some of them wait for a KV commit of the limiter. */
const CONNECTIONS = 64;

/** Responses a second over all connections, each of which repeats a GET; `header` makes a header line for each request. */
export async function requestsPerSecond(
  url: string,
  durationMs: number,
  header: () => string,
): Promise<number> {
  const { port, pathname, search } = new URL(url);
  const encoder = new TextEncoder();
  const startedAt = performance.now();
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    using socket = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
    socket.setNoDelay(true);
    const buffer = new Uint8Array(BUFFER_BYTES);
    let answers = 0;
    for (; performance.now() < startedAt + durationMs; answers++) {
      const head = `GET ${pathname}${search} HTTP/1.1\r\nhost: localhost\r\n${header()}\r\n\r\n`;
      await socket.write(encoder.encode(head));
      await readResponse(socket, buffer);
    }
    return answers;
  }));
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return answers / (performance.now() - startedAt) * 1_000;
}

const decoder = new TextDecoder();

/** Reads a whole response, head and body. Throws if its status is not 200. */
async function readResponse(socket: Deno.TcpConn, buffer: Uint8Array): Promise<void> {
  for (let filled = 0, size = Infinity; filled < size;) {
    const count = await socket.read(buffer.subarray(filled));
    if (count === null) throw new Error("Cannot read the response: the connection ended");
    filled += count;
    size = sizeOf(decoder.decode(buffer.subarray(0, filled)));
  }
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
