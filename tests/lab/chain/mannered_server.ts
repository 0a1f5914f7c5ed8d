import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
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

/** Starts a server; `answer` is told of every request and gives the JSON of a good answer. */
export async function startManneredServer(
  answer: (request: ServerRequest) => string | Promise<string>,
): Promise<ManneredServer> {
  let manner: ServerManner = { kind: "ok" };
  let port = 0;
  const delays = createDelays();
  const sockets = new Set<Socket>();
  const server = createServer(async (incoming, response) => {
    const { socket } = incoming;
    const request = await readRequest(incoming);
    if (request === undefined) return;
    const good = await answer(request);
    delays.after(manner.delayMs ?? 0, () => {
      if (!socket.destroyed) sendInManner(response, manner, { good, delays });
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
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

/** Nothing, if the caller went away before its request was whole. */
async function readRequest(incoming: IncomingMessage): Promise<ServerRequest | undefined> {
  const { method = "GET", url: path = "/" } = incoming;
  try {
    return { method, path, body: await text(incoming) };
  } catch {
    return undefined;
  }
}
