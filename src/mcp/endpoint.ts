/**
 * POSTs to `/mcp/`: checks the origin, reads the body and its cost, and answers or rejects the call.
 *
 * MCP is sessionless: each request has a server of its own, and nothing outlives it. The cost of a POST is in its body, so it
 * is counted after the body was read (within 5 s, at most 256 bodies at once, 32 of one address). A body that cannot be read
 * has the errors of the API.
 */
import {
  createMcpHandler,
  INVALID_PARAMS,
  INVALID_REQUEST,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  PARSE_ERROR,
  validateHostHeader,
} from "@modelcontextprotocol/server";
import { chunksOf, createBodyReader, type PulledBody, type Sender } from "../api/bodies.ts";
import {
  type AppContext,
  type AppHandler,
  JSON_TYPE,
  send,
  sendError,
  sendLong,
} from "../api/context.ts";
import {
  type CountRequest,
  limitByInput,
  type ReadRequest,
  socketAddress,
} from "../api/rate_limit.ts";
import { isLoopback } from "../rules/ip_address.ts";
import { isObject, type JsonObject, parseJson } from "../rules/readers/http_message.ts";
import type { Services } from "../wiring/services.ts";
import { isRequestId, type McpReports, mendParams, prepareServers } from "./mcp.ts";
import { mcpSchema } from "./tool.ts";
import { tools } from "./tools.ts";

/** The code that JSON-RPC leaves to servers. */
const REJECTED = -32_000;

/** Creates the endpoint. */
export function createMcpEndpoint(
  services: Services,
  { count, reports, pulledBody }: {
    count: CountRequest;
    reports: McpReports;
    pulledBody: PulledBody;
  },
): AppHandler {
  const readBody = createBodyReader();
  const { perAddress: limit, trustedProxies } = services.limits;
  const createServer = prepareServers(services, reports, limit);
  /** The package passes on the request, and nothing else of ours. */
  const senders = new WeakMap<Request, Sender>();
  const handler = createMcpHandler(
    ({ requestInfo }) => createServer(senders.get(requestInfo!)),
    {
      // Deno (2.9.6) reads a connection no more once a body that came in a second packet is read, until it writes to it: without
      // headers at once it would not see that the client has left.
      responseMode: "sse",
      onerror: (fault) => reports.debug("mcp.refused", { error: fault.message }),
    },
  );

  async function answer(c: AppContext, message: JsonObject): Promise<Response> {
    const request = acceptingBoth(c.req.raw);
    if (request === undefined) {
      const why = `Send Accept: ${BOTH_TYPES}`;
      return await sendMcp(c, refusal(406, REJECTED, why, message.id), pulledBody);
    }
    senders.set(request, c.get("sender"));
    const response = await handler.fetch(request, { parsedBody: message });
    if (response.status >= 500) reports.error("mcp.failed", { method: message.method });
    return await sendMcp(c, response, pulledBody);
  }

  async function read(c: AppContext): Promise<ReadRequest> {
    const isLocal = trustedProxies === 0 && isLoopback(socketAddress(c));
    const forbidden = isLocal ? rebound(c.req.raw) : undefined;
    const message = forbidden ?? readMessage(await readBody(c.req.raw, c.get("sender")));
    if (message instanceof Response) {
      return { cost: 1, answer: (c) => sendMcp(c, message, pulledBody) };
    }
    return {
      cost: await costOf(message, services).catch(() => 1),
      answer: (c) => answer(c, message),
      /** The call of a tool by a result: clients take an HTTP error for a broken server, and models never read it. */
      reject(c, error) {
        const { method, id } = message;
        if (method !== "tools/call" || !isRequestId(id)) {
          return sendError(c, error);
        }
        // The 2026 revision requires `resultType`; earlier ones ignore it.
        const content = [{ type: "text", text: error.message }];
        const result = { resultType: "complete", content, isError: true };
        const headers = { ...JSON_TYPE, ...error.headers };
        return send(c, JSON.stringify({ jsonrpc: "2.0", id, result }), headers);
      },
    };
  }

  return limitByInput(count, read);
}

/**
 * Refuses a request to the client's own machine that is not addressed to it. A public service has no cookies, so every page may
 * use it; on that machine a page could reach it by a host name that resolves to it (DNS rebinding).
 */
function rebound(request: Request): Response | undefined {
  // HTTP/2 has no such header.
  const host = validateHostHeader(new URL(request.url).host, localhostAllowedHostnames());
  if (!host.ok) return refusal(403, REJECTED, host.message);
  return originValidationResponse(request, localhostAllowedOrigins());
}

/** Reads the message of a body, which the package checks, or the answer to what is none. */
function readMessage(body: string): JsonObject | Response {
  const message = parseJson(body);
  if (message === undefined) return refusal(400, PARSE_ERROR, "The message is not JSON");
  if (isObject(message) && !Array.isArray(message)) {
    const why = mendParams(message);
    return why === undefined ? message : refusal(400, INVALID_PARAMS, why, message.id);
  }
  // A batch would be many calls at the cost of one: MCP has had none since 2025.
  return refusal(400, INVALID_REQUEST, "Send one JSON-RPC message: batches are not supported");
}

function refusal(status: number, code: number, message: string, sentId?: unknown): Response {
  const id = isRequestId(sentId) ? sentId : null;
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id }, { status });
}

/** How many requests a message costs: the tool's cost for a valid call, else 1. */
async function costOf({ method, params }: JsonObject, services: Services): Promise<number> {
  if (method !== "tools/call") return 1;
  const { name, arguments: input } = Object(params);
  const called = COSTLY.find((tool) => tool.name === name);
  if (called === undefined) return 1;
  const reading = await called.schema["~standard"].validate(input);
  return reading.issues ? 1 : await called.cost(reading.value, services);
}

/** The tools whose calls have a cost of their own. */
const COSTLY = tools.flatMap(({ name, cost, query }) =>
  cost === undefined ? [] : [{ name, cost, schema: mcpSchema(query(), "input") }]
);

/** The types of an answer: clients must take both. */
const BOTH_TYPES = "application/json, text/event-stream";

/**
 * The request with both types by name, if its client takes them or any: of those that do not, the package answers the ones of
 * the 2026 revision all the same.
 */
function acceptingBoth({ url, method, headers, signal }: Request): Request | undefined {
  const accept = (headers.get("accept") ?? "").toLowerCase();
  const isTaken = (type: string) => accept.includes(type);
  if (!/^\s*$|\*\/\*/.test(accept) && !BOTH_TYPES.split(", ").every(isTaken)) return undefined;
  const named = new Headers(headers);
  named.set("accept", BOTH_TYPES);
  return new Request(url, { method, headers: named, signal });
}

/** Answers with a response of the protocol's own server, which may be a stream. */
async function sendMcp(
  c: AppContext,
  response: Response,
  pulledBody: PulledBody,
): Promise<Response> {
  const { body, status } = response;
  const type = response.headers.get("content-type");
  if (body === null || type !== "text/event-stream") {
    const headers = type === null ? JSON_TYPE : { "content-type": type };
    return sendLong(c, await response.text(), headers, { status, pulledBody });
  }
  async function* chunks(body: ReadableStream<Uint8Array>) {
    for await (const chunk of body) yield* chunksOf(chunk);
  }
  // Without it nginx would buffer a stream until its end.
  const headers = { "content-type": type, "x-accel-buffering": "no" };
  try {
    return send(c, pulledBody(chunks(body), c.get("sender")), headers, status);
  } catch (error) {
    // Its call has begun, and must not go on without a reader.
    await body.cancel();
    throw error;
  }
}
