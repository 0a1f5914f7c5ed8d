/** A TCP listener before an HTTP server, so that a test can cut a connection, which `Deno.serve` offers no way to do. */

/** The listener. */
export interface TcpFront {
  readonly port: number;
  /** Cuts the connection whose requests reach the server from this port. */
  cut(serverSidePort: number): void;
  /** Stops listening and cuts all connections: clients find the connection refused. */
  stop(): void;
  /** Listens again, on the same port. */
  start(): void;
}

const HOSTNAME = "127.0.0.1";

/** Starts to listen on `port` (any if 0) for a server on loopback. */
export function startTcpFront(serverPort: number, port = 0): TcpFront {
  const cuts = new Map<number, () => void>();
  let listener: Deno.TcpListener | undefined;
  let ownPort = port;

  function start(): void {
    if (listener !== undefined) return;
    listener = Deno.listen({ hostname: HOSTNAME, port: ownPort });
    ownPort = listener.addr.port;
    void acceptAll(listener);
  }

  async function acceptAll(from: Deno.TcpListener): Promise<void> {
    for await (const client of from) void join(client);
  }

  async function join(client: Deno.TcpConn): Promise<void> {
    const server = await Deno.connect({ hostname: HOSTNAME, port: serverPort })
      .catch(() => undefined);
    // The whole server has been closed meanwhile.
    if (server === undefined) return client.close();
    const { port } = server.localAddr;
    const cut = () => {
      if (!cuts.delete(port)) return;
      client.close();
      server.close();
    };
    cuts.set(port, cut);
    // The server is stopped while this connection was being made.
    if (listener === undefined) return cut();
    // One direction that ends, or is cut, ends the other.
    await Promise.race([copy(client, server), copy(server, client)]);
    cut();
  }

  start();
  return {
    get port() {
      return ownPort;
    },
    cut: (serverSidePort) => cuts.get(serverSidePort)?.(),
    stop() {
      listener?.close();
      listener = undefined;
      for (const cut of [...cuts.values()]) cut();
    },
    start,
  };
}

/** Copies what one side sends to the other until it ends or either is closed. */
async function copy(from: Deno.TcpConn, to: Deno.TcpConn): Promise<void> {
  const buffer = new Uint8Array(64 * 1_024);
  try {
    for (let size = await from.read(buffer); size !== null; size = await from.read(buffer)) {
      for (let sent = 0; sent < size;) sent += await to.write(buffer.subarray(sent, size));
    }
  } catch {
    // A connection that was cut or reset has ended, which is all that the caller asks for.
  }
}
