import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createDelays } from "./delays.ts";
import { type HttpBehaviour, sendResponse } from "./http_behaviour.ts";
import { createRequestLog, type RequestLog } from "./request_log.ts";

/** A request as `answer` gets it. */
export interface RegistryRequest {
  host: string;
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
}

/** Options of a registry server. */
export interface RegistryServerOptions {
  answer: (request: RegistryRequest) => HttpBehaviour;
  port?: number;
}

/** A running HTTP server that simulates every host by name. */
export interface RegistryServer extends RequestLog, AsyncDisposable {
  /** `http://127.0.0.1:port`: a forward proxy, and an ordinary server for origin-form requests. */
  url: string;
  close(): Promise<void>;
}

const HOSTNAME = "127.0.0.1";

/**
 * Starts one server for all hosts: it distinguishes them by the absolute URL, `X-Forwarded-Host` (Deno's fetch sets no
 * Host header) or the Host header.
 */
export async function startRegistryServer(
  { answer, port = 0 }: RegistryServerOptions,
): Promise<RegistryServer> {
  const log = createRequestLog();
  const delays = createDelays();
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    const request = { ...target(incoming), headers: incoming.headers };
    response.on("close", log.begin(request));
    const behaviour = answer(request);
    delays.after(behaviour.delayMs ?? 0, () => {
      if (!incoming.socket.destroyed) sendResponse(incoming, response, behaviour, delays);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  // A tunnel would need the certificate of every registry: the lab supports plain HTTP only, and answers 405.
  server.on("connect", (incoming, socket) => {
    log.begin({ ...target(incoming), headers: incoming.headers })();
    socket.end("HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  });
  server.listen(port, HOSTNAME);
  await once(server, "listening");
  const close = async () => {
    delays.clear();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const url = `http://${HOSTNAME}:${(server.address() as AddressInfo).port}`;
  return { ...log, url, close, [Symbol.asyncDispose]: close };
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

function target({ url = "/", headers, method = "GET" }: IncomingMessage) {
  const absolute = ABSOLUTE.exec(url);
  const host = absolute?.[1] ?? `${headers["x-forwarded-host"] ?? headers.host ?? ""}`;
  return { host: host.toLowerCase(), path: (absolute ? absolute[2] : url) || "/", method };
}
