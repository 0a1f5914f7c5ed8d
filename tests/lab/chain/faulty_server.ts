import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { type HttpBehaviour, sendResponse } from "../http_behaviour.ts";
import { openServer } from "../open_server.ts";

/** The ways in which a node or a gateway can answer: correct, then faulty. */
export type ServerBehaviour =
  | { kind: "ok" }
  /** The good answer, behind so many bytes of white space. */
  | { kind: "padded"; bytes: number }
  /** Nothing listens on its port. */
  | { kind: "refused" }
  | HttpBehaviour;

/**
 * Starts an HTTP server on loopback whose behaviour can change while it runs; `answer` gets every request and returns the
 * JSON of a correct answer, or throws.
 */
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
  const answer = { kind: "text", status: 200, contentType: "application/json" } as const;
  switch (behaviour.kind) {
    case "ok":
      return { ...answer, body: good };
    case "padded":
      return { ...answer, body: " ".repeat(behaviour.bytes) + good };
    // A client that was connected before gets no answer.
    case "refused":
      return { kind: "silent" };
    default:
      return behaviour;
  }
}
