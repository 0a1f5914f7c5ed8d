import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Buffer } from "node:buffer";
import { createDelays, type Delays } from "../delays.ts";
import { openServer } from "../open_server.ts";

/** The ways in which a node or a gateway can answer: correct, then faulty. */
export type ServerBehaviour =
  & (
    | { kind: "ok" }
    /** Any other HTTP answer. */
    | { kind: "reply"; status: number; body: string; headers?: Readonly<Record<string, string>> }
    /** The good answer, behind so many bytes of white space. */
    | { kind: "oversized"; bytes: number }
    /** Half of the good answer, then the end of the connection. */
    | { kind: "cut" }
    /** The head at once, then a byte every few milliseconds, without end. */
    | { kind: "drip" }
    /** Takes the request and never answers. */
    | { kind: "hang" }
    /** Nothing listens on its port. */
    | { kind: "refused" }
  )
  & { delayMs?: number };

/** A request that has arrived whole. */
export interface ServerRequest {
  method: string;
  /** The path with its query string. */
  path: string;
  body: string;
}

/** An HTTP server on loopback whose behaviour can change while it runs. */
export interface FaultyServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`, without a path. */
  url: string;
  setBehaviour(behaviour: ServerBehaviour): Promise<void>;
}

/** Starts a server; `answer` gets every request and returns the JSON of a correct answer, or throws. */
export async function startFaultyServer(
  answer: (request: ServerRequest) => string | Promise<string>,
): Promise<FaultyServer> {
  let behaviour: ServerBehaviour = { kind: "ok" };
  const delays = createDelays();
  const server = createServer(async (incoming, response) => {
    const { socket } = incoming;
    try {
      const good = await answer(await readRequest(incoming));
      if (socket.destroyed) return;
      delays.after(behaviour.delayMs ?? 0, () => {
        if (!socket.destroyed) sendAnswer(response, behaviour, { good, delays });
      });
    } catch (error) {
      // The client has disconnected, or its request is invalid.
      if (!socket.destroyed) response.writeHead(400).end(String(error));
    }
  });
  let open = await openServer(server);
  const close = async () => {
    delays.clear();
    await open.close();
  };
  return {
    url: `http://${open.address}`,
    async setBehaviour(next) {
      behaviour = next;
      if (next.kind === "refused" && server.listening) await close();
      if (next.kind !== "refused" && !server.listening) open = await openServer(server, open.port);
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await close();
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<ServerRequest> {
  const { method = "GET", url: path = "/" } = incoming;
  return { method, path, body: await text(incoming) };
}

const DRIP_MS = 20;

const JSON_TYPE = { "content-type": "application/json" };

/** Answers a request by the behaviour; `good` is the correct answer. */
export function sendAnswer(
  response: ServerResponse,
  behaviour: ServerBehaviour,
  { good, delays }: { good: string; delays: Delays },
): void {
  switch (behaviour.kind) {
    case "ok":
      return void response.writeHead(200, JSON_TYPE).end(good);
    case "reply":
      return void response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body);
    case "oversized":
      return void response.writeHead(200, JSON_TYPE).end(" ".repeat(behaviour.bytes) + good);
    case "cut":
      return cut(response, good);
    case "drip":
      return drip(response, delays);
    case "hang":
    // A client that was connected before gets no answer.
    case "refused":
      return;
  }
}

function cut(response: ServerResponse, good: string) {
  response.writeHead(200, { ...JSON_TYPE, "content-length": Buffer.byteLength(good) });
  response.write(good.slice(0, good.length / 2), () => response.destroy());
}

/** JSON may start with white space, so that a client has no reason to stop reading. */
function drip(response: ServerResponse, delays: Delays) {
  response.writeHead(200, JSON_TYPE);
  const next = () => {
    if (response.destroyed || !response.socket || response.socket.destroyed) return;
    response.write(" ");
    delays.after(DRIP_MS, next);
  };
  next();
}
