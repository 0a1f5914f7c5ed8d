import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { type HttpBehaviour, sendResponse } from "../http_behaviour.ts";
import { openServer } from "../open_server.ts";

/** The ways in which a node or a gateway can answer: correct, then faulty. */
export type ServerBehaviour =
  | { kind: "ok" }
  /** Any other HTTP answer. */
  | { kind: "reply"; status: number; body: string; headers?: Readonly<Record<string, string>> }
  /** The good answer, behind so many bytes of white space. */
  | { kind: "oversized"; bytes: number }
  /** Half of the good answer, then the end of the connection. */
  | { kind: "cut" }
  /** Nothing listens on its port. */
  | { kind: "refused" }
  | Extract<HttpBehaviour, { kind: "drip" | "silent" }>;

/** An HTTP server on loopback whose behaviour can change while it runs. */
export type FaultyServer = Awaited<ReturnType<typeof startFaultyServer>>;

/** Starts a server; `answer` gets every request and returns the JSON of a correct answer, or throws. */
export async function startFaultyServer(
  answer: (body: string, path: string) => string | Promise<string>,
) {
  let behaviour: ServerBehaviour = { kind: "ok" };
  const server = createServer(async (incoming, response) => {
    const { socket, url = "/" } = incoming;
    try {
      const good = await answer(await text(incoming), url);
      if (!socket.destroyed) sendResponse(incoming, response, answerBy(behaviour, good));
    } catch (error) {
      // The client has disconnected, or its request is invalid.
      if (!socket.destroyed) response.writeHead(400).end(String(error));
    }
  });
  let open = await openServer(server);
  return {
    /** `http://127.0.0.1:port`, without a path. */
    url: `http://${open.address}`,
    async setBehaviour(next: ServerBehaviour) {
      behaviour = next;
      if (next.kind === "refused" && server.listening) await open.close();
      if (next.kind !== "refused" && !server.listening) open = await openServer(server, open.port);
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await open.close();
    },
  };
}

/** What is sent by a behaviour; `good` is the correct answer. */
function answerBy(behaviour: ServerBehaviour, good: string): HttpBehaviour {
  const text = { kind: "text", status: 200, contentType: "application/json" } as const;
  switch (behaviour.kind) {
    case "ok":
      return { ...text, body: good };
    case "reply":
      return { ...text, ...behaviour, kind: "text" };
    case "oversized":
      return { ...text, body: " ".repeat(behaviour.bytes) + good };
    case "cut": {
      const head =
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${good.length}`;
      return { kind: "raw", bytes: `${head}\r\n\r\n${good.slice(0, good.length / 2)}` };
    }
    // A client that was connected before gets no answer.
    case "refused":
      return { kind: "silent" };
    default:
      return behaviour;
  }
}
