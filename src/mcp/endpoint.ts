/**
 * POSTs to `/mcp/`: checks the origin, reads the body and its cost, and answers or rejects the call.
 *
 * MCP is sessionless: each request has a server of its own, and nothing outlives it. The cost of a POST is in its body, so it
 * is counted after the body was read (within 5 s, at most 256 bodies at once, 32 of one address). Over the limit it is read
 * too, for the id of the call that the rejection answers.
 */
import {
  INVALID_REQUEST,
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
  chunksOf,
  createBodyReader,
  type PulledBody,
} from "../api/bodies.ts";
import {
  type AppContext,
  type AppHandler,
  JSON_TYPE,
  send,
  sendBytes,
  senderOf,
} from "../api/context.ts";
import type { ErrorCode } from "../api/errors.ts";
import {
  limitByBody,
  limitOf,
  type ReadRequest,
  type RequestLimiter,
  socketAddress,
} from "../api/rate_limit.ts";
import { isLoopback } from "../rules/ip_address.ts";
import type { Services } from "../wiring/services.ts";
import { isRequestId, readMcpMessage, tooLarge } from "./json_rpc.ts";
import { costOfMcp, createMcp, type McpReports } from "./mcp.ts";

/** Codes that JSON-RPC leaves to servers; MCP's own packages call the second a timeout. */
const REJECTED = -32_000;
const TIMED_OUT = -32_001;

/** A JSON-RPC error and its HTTP status. */
interface McpError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: {
    readonly error: ErrorCode;
    readonly cost?: number;
    readonly retryAfter?: number;
  };
  /** The id of the request that it answers, where that was read. */
  readonly id?: string | number | undefined;
}

/** Creates the endpoint. Its bodies are limited in size, in time and in how many are read at once. */
export function createMcpEndpoint(
  services: Services,
  { limiter, reports, pulledBody, bodyLimits }: {
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
    if (body.kind === "refused") return failed(BODY_ERRORS[body.reason]);
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
  const { method, id } = message;
  return {
    cost,
    answer,
    /** The call of a tool by a result: clients take an HTTP error for a broken server, and models never read it. */
    reject(c, retryAfter) {
      const error = tooManyRequests(c, { cost, retryAfter });
      if (method !== "tools/call" || !isRequestId(id)) {
        return sendMcpError(c, { ...error, ...(isRequestId(id) && { id }) });
      }
      // The 2026 revision requires `resultType`; earlier ones ignore it.
      const content = [{ type: "text", text: error.message }];
      const result = { resultType: "complete", content, isError: true };
      return send(c, JSON.stringify({ jsonrpc: "2.0", id, result }), headersOf(error));
    },
  };
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

/** The error of a request over the limit; of one that costs more than all of it, for which no wait would help. */
function tooManyRequests(
  c: AppContext,
  { cost, retryAfter }: { cost: number; retryAfter: number },
): McpError {
  const { limit, remaining } = limitOf(c);
  const rejected = { status: 429, code: REJECTED };
  const error = "rate_limit_exceeded";
  if (cost > Number(limit)) {
    const message =
      `Send at most ${limit} names per call: each costs one request, and the limit is ${limit} per minute`;
    return { ...rejected, message, data: { error, cost } };
  }
  const message = cost === 1
    ? `Too many requests: retry in ${retryAfter} s`
    : `This call costs ${cost} requests, and ${remaining} are left: send fewer names, or retry in ${retryAfter} s`;
  return { ...rejected, message, data: { error, cost, retryAfter } };
}

/** Answers with a JSON-RPC error. */
function sendMcpError(c: AppContext, failure: McpError): Response {
  const { status, code, message, data, id = null } = failure;
  const error = { code, message, ...(data !== undefined && { data }) };
  return send(c, JSON.stringify({ jsonrpc: "2.0", error, id }), headersOf(failure), status);
}

function headersOf({ data }: McpError): Record<string, string> {
  const seconds = data?.retryAfter;
  return { ...JSON_TYPE, ...(seconds !== undefined && { "retry-after": `${seconds}` }) };
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
    const bytes = new Uint8Array(await response.arrayBuffer());
    return sendBytes(c, bytes, headers, { status, pulledBody });
  }
  async function* chunks(body: ReadableStream<Uint8Array>) {
    for await (const chunk of body) yield* chunksOf(chunk);
  }
  // Without it nginx would buffer a stream until its end.
  const headers = { "content-type": type, "x-accel-buffering": "no" };
  return send(c, pulledBody(chunks(body), senderOf(c)), headers, status);
}
