import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";

/** The address of every server of the lab. */
export const HOSTNAME = "127.0.0.1";

/** Makes a server listen; port 0 takes any free one. */
export async function openServer(server: Server, port = 0) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(port, HOSTNAME);
  await once(server, "listening");
  /** Ends the connections that are still open, too. */
  const close = async () => {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const { port: taken } = server.address() as AddressInfo;
  return { address: `${HOSTNAME}:${taken}`, port: taken, close, [Symbol.asyncDispose]: close };
}
