/**
 * MCP over stdin and stdout, with the tools and the answers that HTTP has, and no limit: the machine is the user's own, and
 * the paces of the registries' hosts hold. Each request read before the end of stdin is answered, so that a script may pipe
 * its requests in: the transport of the protocol's package drops them when stdin ends, so it is shown the end late.
 */
import { Readable, Writable } from "node:stream";
import {
  INVALID_PARAMS,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  serializeMessage,
} from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { withDeadline } from "../flow/deadline.ts";
import { lines } from "../flow/async_iterables.ts";
import { isObject, parseJson } from "../rules/readers/http_message.ts";
import type { Services } from "../wiring/services.ts";
import { isRequestId, type McpReports, mendParams, prepareServers } from "./mcp.ts";

/** In characters: the longest call, with each letter as `\uXXXX`, has half a million. */
const LONGEST_LINE = 1_048_576;
/** Each call is answered within the time of an answer in JSON; a client that reads nothing takes none. */
const GRACE_MS = 60_000;

/** The streams of a client. */
interface ClientStreams {
  stdin: AsyncIterable<Uint8Array>;
  stdout: WritableStream<Uint8Array>;
}

/** Serves until `stop` is aborted, or the client has closed stdin and has its answers. */
export async function serveMcpOnStdio(
  services: Services,
  { reports, stop, ...streams }: ClientStreams & { reports: McpReports; stop: AbortSignal },
): Promise<void> {
  if (stop.aborted) return;
  const createServer = prepareServers(services, reports);
  const { transport, read, answered } = createTransport(streams);
  // Without a sender: none of the bounds that keep one site from another's share.
  const server = serveStdio(() => createServer(), {
    transport,
    onerror: (fault) => reports.debug("mcp.refused", { error: fault.message }),
  });
  stop.addEventListener("abort", () => void server.close(), { once: true });
  await read;
  await withDeadline(answered, GRACE_MS, undefined);
  await server.close();
}

/**
 * Creates the transport, which stays open at the end of stdin. Its promises say that all of stdin has been read, and that all of it
 * has been answered; both are resolved once it is closed.
 */
function createTransport({ stdin, stdout }: ClientStreams) {
  const read = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  /** Ids of the requests without an answer; clients should not, but may use an id twice. */
  const waiting: unknown[] = [];
  const output = Writable.fromWeb(stdout);
  let isRead = false;

  function settle(id: unknown): void {
    const at = waiting.indexOf(id);
    if (at >= 0) waiting.splice(at, 1);
    if (isRead && waiting.length === 0) answered.resolve();
  }

  async function* readAll(): AsyncGenerator<string> {
    for await (const line of lines(stdin, { most: LONGEST_LINE })) {
      const message = parseJson(line);
      const why = isObject(message) ? mendParams(message) : undefined;
      note(message);
      if (why === undefined) yield `${JSON.stringify(message) ?? line}\n`;
      else if (isObject(message) && isRequestId(message.id)) {
        const error = { code: INVALID_PARAMS, message: why };
        await transport.send({ jsonrpc: "2.0", id: message.id, error });
      }
    }
    isRead = true;
    read.resolve();
    settle(undefined);
    // At the end of this the transport would close.
    await new Promise<never>(() => {});
  }

  function note(message: unknown): void {
    // A subscription has no answer before the connection ends.
    if (isJSONRPCRequest(message) && message.method !== "subscriptions/listen") {
      waiting.push(message.id);
    } else if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      // The package answers no request that its client has cancelled.
      settle(message.params?.requestId);
    }
  }

  const transport = new class extends StdioServerTransport {
    /** Waits until the message is written, which the package's own does not: the process may exit after the last. */
    override async send(message: JSONRPCMessage) {
      await new Promise<void>((resolve, reject) => {
        output.write(serializeMessage(message), (error) => error ? reject(error) : resolve());
      });
      if (isJSONRPCResponse(message)) settle(message.id);
    }

    override async close() {
      read.resolve();
      answered.resolve();
      await super.close();
    }
  }(Readable.from(readAll(), { objectMode: false }), output);
  return { transport, read: read.promise, answered: answered.promise };
}
