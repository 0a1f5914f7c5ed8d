/**
 * POSTs to `/mcp/`: checks the origin, reads the body and its cost, and answers or rejects the call.
 *
 * MCP is sessionless: each request has a server of its own, and nothing outlives it. The cost of a POST is in its body, so it
 * is counted after the body was read (within 5 s, at most 256 bodies at once, 32 of one address). Over the limit it is read
 * too, for the id of the call that the rejection answers.
 */
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import {
  BODY_LIMITS,
  type BodyFault,
  type BodyLimits,
  BUSY_SECONDS,
  createBodyReader,
  type PulledBody,
} from "../api/bodies.ts";
import { type AppContext, type AppHandler, send, senderOf } from "../api/context.ts";
import {
  limitByBody,
  limitOf,
  type ReadRequest,
  type RequestLimiter,
  socketAddress,
} from "../api/rate_limit.ts";
import { isLoopback } from "../rules/ip_address.ts";
import type { Services } from "../wiring/services.ts";
import {
  INVALID_REQUEST,
  isRequestId,
  JSON_TYPE,
  type McpError,
  readMcpMessage,
  REJECTED,
  sendMcp,
  sendMcpError,
  TIMED_OUT,
  tooLarge,
  toolError,
  tooManyRequests,
} from "./json_rpc.ts";
import { costOfMcp, createMcp, type McpReports } from "./mcp.ts";

/** Creates the endpoint. Its bodies are limited in size, in time and in how many are read at once. */
export function createMcpEndpoint(
  services: Services,
  { limiter, reports, pulledBody, bodyLimits = BODY_LIMITS }: {
    limiter: RequestLimiter;
    reports: McpReports;
    pulledBody: PulledBody;
    bodyLimits?: BodyLimits;
  },
): AppHandler {
  const answerMcp = createMcp(services, reports);
  const readBody = createBodyReader(bodyLimits);
  const { trustedProxies } = services.limits;

  async function read(c: AppContext): Promise<ReadRequest> {
    const request = c.req.raw;
    const isLocal = trustedProxies === 0 && isLoopback(socketAddress(c));
    const forbidden = originErrorOf(request, isLocal);
    if (forbidden !== undefined) return failed({ status: 403, code: REJECTED, message: forbidden });
    const body = await readBody(request, senderOf(c));
    if (body.kind === "refused") return unreadable(body.reason);
    const reading = readMcpMessage(body.text);
    if (reading.kind === "refused") return failed({ ...reading, status: 400 });
    const message = { ...reading.message };
    return mcpRequest(
      async (c) => sendMcp(c, await answerMcp(request, message, senderOf(c)), pulledBody),
      { cost: costOfMcp(message), message },
    );
  }

  // Read over the limit, too: a call is rejected by a result with its id, and told how long its own cost waits.
  return limitByBody(limiter, { read });
}

/**
 * Why Host or Origin forbid a request. A public service has no cookies, so every page may use it. On the client's own
 * machine a page could reach it by a host name that resolves to that machine (DNS rebinding), so both must be local.
 */
function originErrorOf({ url, headers }: Request, isLocal: boolean): string | undefined {
  const origin = headers.get("origin");
  if (!isLocal) return origin === null || isOrigin(origin) ? undefined : "Invalid Origin header";
  const host = validateHostHeader(new URL(url).host, localhostAllowedHostnames());
  if (!host.ok) return host.message;
  const checked = validateOriginHeader(origin, localhostAllowedOrigins());
  return checked.ok ? undefined : checked.message;
}

/** Browsers send `null` for a page without an origin, such as a file. */
function isOrigin(text: string): boolean {
  return text === "null" || URL.canParse(text);
}

function failed(error: McpError): ReadRequest {
  return mcpRequest((c) => sendMcpError(c, error));
}

function mcpRequest(
  answer: ReadRequest["answer"],
  { cost = 1, message = {} }: { cost?: number; message?: Readonly<Record<string, unknown>> } = {},
): ReadRequest {
  return { cost, answer, reject: (c, retryAfter) => reject(c, { cost, retryAfter, message }) };
}

/** Rejects the call of a tool by a result: clients take an HTTP error for a broken server, and models never read it. */
function reject(
  c: AppContext,
  { message: { method, id }, ...request }: {
    cost: number;
    retryAfter: number;
    message: Readonly<Record<string, unknown>>;
  },
): Response {
  const { retryAfter, ...error } = tooManyRequests({ ...request, ...limitOf(c) });
  const headers = retryAfter === undefined ? {} : { "retry-after": `${retryAfter}` };
  if (method !== "tools/call" || !isRequestId(id)) {
    return sendMcpError(c, { ...error, id }, headers);
  }
  const answer = { jsonrpc: "2.0", id, result: toolError(error.message) };
  return send(c, JSON.stringify(answer), { ...JSON_TYPE, ...headers });
}

const BODY_ERRORS: Readonly<Record<BodyFault, McpError>> = {
  tooLarge: { ...tooLarge(BODY_LIMITS.maxBytes), status: 413 },
  late: { status: 408, code: TIMED_OUT, message: "The body did not arrive in time" },
  busy: {
    status: 503,
    code: REJECTED,
    message: `Too many bodies are being read: retry in ${BUSY_SECONDS} s`,
    data: { error: "service_unavailable", retryAfter: BUSY_SECONDS },
  },
  // The client disconnected, or its chunks are malformed.
  broken: { status: 400, code: INVALID_REQUEST, message: "The body cannot be read" },
};

function unreadable(reason: BodyFault): ReadRequest {
  const extra = reason === "busy" ? { "retry-after": `${BUSY_SECONDS}` } : {};
  return mcpRequest((c) => sendMcpError(c, BODY_ERRORS[reason], extra));
}
