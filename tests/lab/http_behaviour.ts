import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

interface Head {
  status: number;
  contentType?: string;
  headers?: Readonly<Record<string, string>>;
}

/** The ways in which the lab's HTTP server can answer a request: first the correct ones, then the hostile. */
export type HttpBehaviour =
  & (
    /** With RDAP's media type unless another is given. */
    | { kind: "json"; body: unknown } & Head
    | { kind: "text"; body: string | Uint8Array } & Head
    | { kind: "empty" } & Head
    | { kind: "redirect"; status: number; location: string }
    /** Takes the request and never answers. */
    | { kind: "silent" }
    /** A body shorter than its Content-Length, then the end of the connection. */
    | { kind: "cut" }
    /** The end of the connection in the middle of the head. */
    | { kind: "cutHeader" }
    /** Bytes that are not HTTP. */
    | { kind: "garbage" }
    /** These bytes, then the end of the connection. */
    | { kind: "raw"; bytes: string }
    /** JSON of at least so many bytes, a 404 in status and body. */
    | { kind: "oversized"; bytes: number }
    /** The same, sent as a small gzip. */
    | { kind: "gzipBomb" }
    /** A TCP reset in place of an answer. */
    | { kind: "reset" }
  )
  & { delayMs?: number };

/** The media type of RDAP. */
export const RDAP_JSON = "application/rdap+json";

const NOT_FOUND: Head = { status: 404, contentType: RDAP_JSON };
const BOMB_BYTES = 16 * 1024 * 1024;

/** Answers one request by a behaviour. */
export function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  behaviour: HttpBehaviour,
): void {
  switch (behaviour.kind) {
    case "json":
      return send(response, JSON.stringify(behaviour.body), {
        contentType: RDAP_JSON,
        ...behaviour,
      });
    case "text":
      return send(response, behaviour.body, behaviour);
    case "empty":
      return send(response, "", behaviour);
    case "redirect":
      return send(response, "", { ...behaviour, headers: { location: behaviour.location } });
    case "oversized":
      return send(response, paddedNotFound(behaviour.bytes), NOT_FOUND);
    case "gzipBomb": {
      const body = gzipSync(paddedNotFound(BOMB_BYTES));
      return send(response, body, { ...NOT_FOUND, headers: { "content-encoding": "gzip" } });
    }
    case "silent":
      return;
    case "raw":
      return void request.socket.end(behaviour.bytes);
    case "reset":
      return void request.socket.resetAndDestroy();
    default:
      return void request.socket.end(LAST_WORDS[behaviour.kind]);
  }
}

function send(
  response: ServerResponse,
  body: string | Uint8Array,
  { status, contentType, headers }: Head,
) {
  response.writeHead(status, {
    ...(contentType !== undefined && { "content-type": contentType }),
    ...headers,
    // A 304 has no body, and no length either.
    ...(status !== 304 && { "content-length": Buffer.byteLength(body) }),
  });
  response.end(body);
}

const LAST_WORDS = {
  cut: `HTTP/1.1 404 Not Found\r\ncontent-type: ${RDAP_JSON}\r\ncontent-length: 4096\r\n\r\n` +
    `{"errorCode":404,"title":"Not F`,
  cutHeader: "HTTP/1.1 404 Not Found\r\ncontent-ty",
  garbage: "\u0001\u0002 this is not HTTP\r\n\r\n",
};

/** A 404 that would count if it were read whole: JSON of at least `bytes` bytes. */
function paddedNotFound(bytes: number): string {
  const notFound = { errorCode: 404, title: "Not Found", description: ["Object not found"] };
  return JSON.stringify({ ...notFound, padding: " ".repeat(bytes) });
}
