import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { createDelays } from "../delays.ts";
import { sendInManner } from "./send_in_manner.ts";
import type { ServerManner } from "./server_manner.ts";

/** A request that has arrived whole. */
export interface ServerRequest {
  method: string;
  /** The path with its query string. */
  path: string;
  body: string;
}

/** An HTTP server on loopback whose manner can change while it runs. */
export interface ManneredServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`, without a path. */
  url: string;
  setManner(manner: ServerManner): Promise<void>;
}

const HOSTNAME = "127.0.0.1";

/** Starts a server; `answer` is told of every request and gives the JSON of a good answer, or throws. */
export async function startManneredServer(
  answer: (request: ServerRequest) => string | Promise<string>,
): Promise<ManneredServer> {
  let manner: ServerManner = { kind: "ok" };
  let port = 0;
  const delays = createDelays();
  const server = createServer(async (incoming, response) => {
    const { socket } = incoming;
    try {
      const good = await answer(await readRequest(incoming));
      if (socket.destroyed) return;
      delays.after(manner.delayMs ?? 0, () => {
        if (!socket.destroyed) sendInManner(response, manner, { good, delays });
      });
    } catch (error) {
      // The caller has gone, or has asked for what makes no sense.
      if (!socket.destroyed) response.writeHead(400).end(String(error));
    }
  });
  const sockets = openSockets(server);
  const open = async () => {
    server.listen(port, HOSTNAME);
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  };
  const close = async () => {
    delays.clear();
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await open();
  return {
    url: `http://${HOSTNAME}:${port}`,
    async setManner(next) {
      manner = next;
      if (next.kind === "refused" && server.listening) await close();
      if (next.kind !== "refused" && !server.listening) await open();
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await close();
    },
  };
}

/** The connections of a server: to close, it has to end them itself. */
function openSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  return sockets;
}

async function readRequest(incoming: IncomingMessage): Promise<ServerRequest> {
  const { method = "GET", url: path = "/" } = incoming;
  return { method, path, body: await text(incoming) };
}
