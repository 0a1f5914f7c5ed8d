import { Buffer } from "node:buffer";
import type { ServerResponse } from "node:http";
import type { Delays } from "../delays.ts";
import type { ServerManner } from "./server_manner.ts";

const DRIP_MS = 20;

const JSON_TYPE = { "content-type": "application/json" };

/** Answers a request in the manner of the server, which knows what a good answer is. */
export function sendInManner(
  response: ServerResponse,
  manner: ServerManner,
  { good, delays }: { good: string; delays: Delays },
): void {
  switch (manner.kind) {
    case "ok":
      return void response.writeHead(200, JSON_TYPE).end(good);
    case "reply":
      return void response.writeHead(manner.status, manner.headers).end(manner.body);
    case "oversized":
      return void response.writeHead(200, JSON_TYPE).end(" ".repeat(manner.bytes) + good);
    case "cut":
      return cut(response, good);
    case "drip":
      return drip(response, delays);
    case "hang":
    // Who was connected already, hears nothing.
    case "refused":
      return;
  }
}

function cut(response: ServerResponse, good: string) {
  response.writeHead(200, { ...JSON_TYPE, "content-length": Buffer.byteLength(good) });
  response.write(good.slice(0, good.length / 2), () => response.destroy());
}

/** White space may stand before any JSON, so that a reader has no reason to give up. */
function drip(response: ServerResponse, delays: Delays) {
  response.writeHead(200, JSON_TYPE);
  const next = () => {
    if (response.destroyed || !response.socket || response.socket.destroyed) return;
    response.write(" ");
    delays.after(DRIP_MS, next);
  };
  next();
}
