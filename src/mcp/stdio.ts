/**
 * MCP over stdin and stdout, with the tools and the answers that HTTP has, and no limit: the machine is the user's own, and
 * the paces of the registries' hosts hold. Each request read before the end of stdin is answered, so that a script may pipe
 * its requests in. The protocol's package has a transport that drops them, and that answers no malformed line.
 */
import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { BODY_LIMITS } from "../api/bodies.ts";
import { withDeadline } from "../flow/deadline.ts";
import { lines } from "../flow/lines.ts";
import type { Services } from "../wiring/services.ts";
import { LOCAL_MCP_NAME } from "./identity.ts";
import { readMcpMessage } from "./json_rpc.ts";
import { MAX_SUBSCRIPTIONS, type McpReports, prepareServers, refusalOf } from "./mcp.ts";

/** A client that has crashed must not keep the registries asked for as long as a list takes. */
const GRACE_MS = 60_000;

/** The streams of a client. */
interface ClientStreams {
  stdin: AsyncIterable<Uint8Array>;
  stdout: WritableStream<Uint8Array>;
}

/**
 * Serves until `stop` is aborted, or the client has closed stdin and has its answers. What is not found out `graceMs` after
 * that is answered as unknown.
 */
export async function serveMcpOnStdio(
  services: Services,
  { reports, stop, graceMs = GRACE_MS, ...streams }: ClientStreams & {
    reports: McpReports;
    stop: AbortSignal;
    graceMs?: number;
  },
): Promise<void> {
  const createServer = prepareServers(services, reports);
  const transport = createTransport(streams);
  // Without a sender: none of the bounds that keep one site from another's share.
  const server = serveStdio(() => createServer({ name: LOCAL_MCP_NAME }), {
    transport,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (fault) => reports.debug("mcp.refused", { error: fault.message }),
  });
  stop.addEventListener("abort", () => void server.close(), { once: true });
  await transport.read;
  await withDeadline(transport.answered, graceMs, undefined);
  services.giveUp();
  // A client that reads nothing takes no answer either.
  await withDeadline(transport.answered, GRACE_MS, undefined);
  await server.close();
}

/** A transport whose promises say how far it has come; both are resolved once it is closed. */
interface StdioTransport extends Transport {
  /** All of stdin has been read. */
  read: Promise<void>;
  /** All of it has been answered. */
  answered: Promise<void>;
}

/** Passes on messages in their order, but those that are refused. */
function createTransport({ stdin, stdout }: ClientStreams): StdioTransport {
  const read = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const writer = stdout.getWriter();
  const encoder = new TextEncoder();
  /** Ids of the requests without an answer; clients should not, but may use an id twice. */
  const waiting: unknown[] = [];
  let isRead = false;
  let isClosed = false;

  const transport: StdioTransport = {
    read: read.promise,
    answered: answered.promise,
    start() {
      void readAll();
      return Promise.resolve();
    },
    async send(message) {
      if (isClosed) throw new Error("Cannot send: the connection is closed");
      try {
        await writer.write(encoder.encode(`${JSON.stringify(message)}\n`));
      } catch (error) {
        // The client reads no more.
        await transport.close();
        throw error;
      }
      if (isJSONRPCResponse(message)) settle(message.id);
    },
    close() {
      if (!isClosed) {
        isClosed = true;
        read.resolve();
        answered.resolve();
        transport.onclose?.();
      }
      return Promise.resolve();
    },
  };

  function settle(id: unknown): void {
    const at = waiting.indexOf(id);
    if (at >= 0) waiting.splice(at, 1);
    if (isRead && waiting.length === 0) answered.resolve();
  }

  async function readAll(): Promise<void> {
    try {
      for await (const line of lines(stdin, { most: BODY_LIMITS.maxBytes + 1 })) {
        if (line.trim() !== "") await pass(line).catch((error) => transport.onerror?.(error));
      }
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(`${error}`));
    }
    isRead = true;
    read.resolve();
    settle(undefined);
  }

  async function pass(line: string): Promise<void> {
    if (isClosed) return;
    const reading = readMcpMessage(line);
    if (reading.kind === "refused") {
      const { code, message, id } = reading;
      // A message without a readable id is answered with null, which the package's type does not have.
      return await transport.send(
        { jsonrpc: "2.0", error: { code, message }, id: id ?? null } as JSONRPCMessage,
      );
    }
    const { message } = reading;
    if (isJSONRPCRequest(message)) {
      const rejection = refusalOf({ ...message });
      if (rejection !== undefined) return await transport.send(rejection);
      // A subscription has no answer before the connection ends.
      if (message.method !== "subscriptions/listen") waiting.push(message.id);
    } else if ("method" in message && message.method === "notifications/cancelled") {
      // The package answers no request that its client has cancelled.
      settle(message.params?.requestId);
    }
    transport.onmessage?.(message);
  }

  return transport;
}
