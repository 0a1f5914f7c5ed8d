/** MCP over stdin and stdout, with the tools and the limit that HTTP has; the client is whoever started the process. */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Services } from "../wiring/services.ts";
import { LOCAL_MCP_NAME } from "./identity.ts";
import { toolError, tooManyRequests } from "./json_rpc.ts";
import {
  costOfMcp,
  inheritedNameError,
  MAX_SUBSCRIPTIONS,
  type McpReports,
  prepareServers,
} from "./mcp.ts";

/** All processes of a user that share KV share one limit. */
const SENDER = { client: "stdio", site: "stdio" };

/** Serves until the client closes stdin or `stop` is aborted. */
export async function serveMcpOnStdio(
  services: Services,
  { reports, stop }: { reports: McpReports; stop: AbortSignal },
): Promise<void> {
  const createServer = prepareServers(services, reports);
  const transport = limited(new StdioServerTransport(), services);
  const closed = new Promise<void>((resolve) => transport.onended = resolve);
  const server = serveStdio(() => createServer(LOCAL_MCP_NAME, SENDER), {
    transport,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (fault) => reports.debug("mcp.refused", { error: fault.message }),
  });
  stop.addEventListener("abort", () => void server.close(), { once: true });
  await closed;
}

/** Answers the requests that exceed the limit itself; passes on all other messages, in their order. */
function limited(
  inner: Transport,
  { limits: { limiter, perAddress: limit } }: Pick<Services, "limits">,
): Transport & { onended?: () => void } {
  let passing = Promise.resolve();
  const outer: ReturnType<typeof limited> = {
    start() {
      inner.onmessage = (message) => void (passing = passing.then(() => pass(message)));
      inner.onerror = (error) => outer.onerror?.(error);
      inner.onclose = () => (outer.onclose?.(), outer.onended?.());
      return inner.start();
    },
    send: (message) => inner.send(message),
    close: () => inner.close(),
  };

  async function pass(message: JSONRPCMessage): Promise<void> {
    const rejection = "id" in message && "method" in message
      ? inheritedNameError(message) ?? await limitError(message)
      : undefined;
    if (rejection === undefined) outer.onmessage?.(message);
    else await inner.send(rejection).catch((error) => outer.onerror?.(error));
  }

  async function limitError(
    { id, ...request }: Extract<JSONRPCMessage, { method: string; id: unknown }>,
  ) {
    const cost = costOfMcp(request);
    const decision = await limiter.admit(SENDER.client, limit, cost);
    if (decision.kind === "admitted") return undefined;
    const retryAfter = Math.max(1, Math.ceil(decision.retryAfterMs / 1_000));
    const { remaining } = decision;
    const { code, message, data } = tooManyRequests({ cost, limit, remaining, retryAfter });
    const answer = { jsonrpc: "2.0" as const, id };
    return request.method === "tools/call"
      ? { ...answer, result: toolError(message) }
      : { ...answer, error: { code, message, data } };
  }

  return outer;
}
