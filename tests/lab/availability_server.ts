/** A registry's availability service: a line with a question, a text, and the end of the connection. */

/** A running server. */
export interface AvailabilityServer extends AsyncDisposable {
  /** `ip:port`. */
  address: string;
  /** The lines that it got. */
  questions: string[];
}

/** Starts one; `answer` returns the text for a line. */
export function startAvailabilityServer(answer: (line: string) => string): AvailabilityServer {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const questions: string[] = [];

  async function serve(connection: Deno.TcpConn): Promise<void> {
    using _ = connection;
    const buffer = new Uint8Array(512);
    const size = await connection.read(buffer) ?? 0;
    const line = new TextDecoder().decode(buffer.subarray(0, size)).trimEnd();
    // A KV client of another test reconnects to a port that was its server's.
    if (line.startsWith("POST ")) return;
    questions.push(line);
    await connection.write(new TextEncoder().encode(answer(line)));
  }

  const serving = (async () => {
    const open: Promise<void>[] = [];
    // A client that disconnects early is no fault of the server.
    for await (const connection of listener) open.push(serve(connection).catch(() => {}));
    await Promise.all(open);
  })();
  return {
    address: `127.0.0.1:${listener.addr.port}`,
    questions,
    async [Symbol.asyncDispose]() {
      listener.close();
      await serving;
    },
  };
}
