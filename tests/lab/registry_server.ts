import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { createDelays } from "./delays.ts";
import { type HttpBehaviour, sendResponse } from "./http_behaviour.ts";
import { openServer } from "./open_server.ts";

/** A request as the server saw it. */
export interface RecordedRequest {
  /** The host that was asked for, with its port if one was named. */
  host: string;
  /** The path with its query string. */
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  /** On the clock of `performance.now()`. */
  at: number;
}

/**
 * Starts one server for all hosts: it distinguishes them by the absolute URL, `X-Forwarded-Host` (Deno's fetch sets no
 * Host header) or the Host header.
 */
export async function startRegistryServer(
  answer: (request: Omit<RecordedRequest, "at">) => HttpBehaviour,
) {
  const requests: RecordedRequest[] = [];
  const delays = createDelays();
  const record = (incoming: IncomingMessage) => {
    const request = { ...target(incoming), headers: incoming.headers, at: performance.now() };
    requests.push(request);
    return request;
  };
  const server = createServer((incoming, response) => {
    const request = record(incoming);
    const behaviour = answer(request);
    delays.after(behaviour.delayMs ?? 0, () => {
      if (!incoming.socket.destroyed) sendResponse(incoming, response, behaviour, delays);
    });
  });
  // A tunnel would need the certificate of every registry: the lab supports plain HTTP only, and answers 405.
  server.on("connect", (incoming, socket) => {
    record(incoming);
    socket.end("HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  });
  const open = await openServer(server);
  const close = async () => {
    delays.clear();
    await open.close();
  };
  // A forward proxy, and an ordinary server for origin-form requests.
  return { requests, url: `http://${open.address}`, close };
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

function target({ url = "/", headers, method = "GET" }: IncomingMessage) {
  const absolute = ABSOLUTE.exec(url);
  const host = absolute?.[1] ?? `${headers["x-forwarded-host"] ?? headers.host ?? ""}`;
  return { host: host.toLowerCase(), path: (absolute ? absolute[2] : url) || "/", method };
}
