/** A keep-alive connection that sends the same request again and again. */
export interface Connection extends Disposable {
  /** Sends the request and gives the whole answer, head and body, as text. Throws where its status is another. */
  exchange(): Promise<string>;
}

const LENGTH = /\r\ncontent-length: (\d+)\r\n/i;
/** Every answer of the service fits in it many times. */
const BUFFER_BYTES = 65_536;

/** What may be told of a connection. */
export interface ConnectionOptions {
  /** The status of every answer; any other is thrown. */
  status?: number | "any";
  /** A header line for each request, with its line end. */
  header?: () => string;
}

/** Connects to a port of this machine. It does as little as can be, lest the client be what is measured. */
export async function openConnection(
  port: number,
  path: string,
  { status = 200, header = () => "" }: ConnectionOptions = {},
): Promise<Connection> {
  const socket = await Deno.connect({ hostname: "127.0.0.1", port });
  socket.setNoDelay(true);
  const encoder = new TextEncoder();
  const head = `GET ${path} HTTP/1.1\r\nhost: localhost\r\n`;
  const buffer = new Uint8Array(BUFFER_BYTES);
  const decoder = new TextDecoder();

  async function exchange(): Promise<string> {
    await socket.write(encoder.encode(`${head}${header()}\r\n`));
    for (let filled = 0;;) {
      const count = await socket.read(buffer.subarray(filled));
      if (count === null) throw new Error("Cannot read the answer: the connection ended");
      filled += count;
      const text = decoder.decode(buffer.subarray(0, filled));
      if (filled >= sizeOf(text, status)) return text;
    }
  }

  return { exchange, [Symbol.dispose]: () => socket.close() };
}

/** The bytes of an answer, once its head (which is ASCII) is there. */
function sizeOf(text: string, status: number | "any"): number {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return Infinity;
  const length = LENGTH.exec(text)?.[1];
  const isExpected = status === "any" || text.startsWith(`HTTP/1.1 ${status} `);
  if (!isExpected || length === undefined) {
    throw new Error(`Cannot count the answer: ${text.slice(0, end)}`);
  }
  return end + 4 + Number(length);
}
