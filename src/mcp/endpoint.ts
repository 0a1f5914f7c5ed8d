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
import { type BodyLimits, chunksOf, createBodyReader, type PulledBody } from "../api/bodies.ts";
import {
  type AppContext,
  type AppHandler,
  JSON_TYPE,
  send,
  sendBytes,
  senderOf,
} from "../api/context.ts";
import { ApiError, type ErrorCode } from "../api/errors.ts";
import {
  limitByBody,
  limitError,
  type ReadRequest,
  type RequestLimiter,
  socketAddress,
} from "../api/rate_limit.ts";
import { isLoopback } from "../rules/ip_address.ts";
import type { Services } from "../wiring/services.ts";
import { isRequestId, readMcpMessage } from "./json_rpc.ts";
import { costOfMcp, createMcp, type McpReports } from "./mcp.ts";

/** The code that JSON-RPC leaves to servers. */
const REJECTED = -32_000;

/** A JSON-RPC error and its HTTP status. */
interface McpError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly error: ErrorCode; readonly retryAfter?: number };
  /** The id of the request that it answers, where that was read. */
  readonly id?: string | number | undefined;
}

/** An error of the API in the form of the protocol; `data` says when to retry. */
function errorOf({ code: error, status, message, headers }: ApiError): McpError {
  if (status !== 429 && status !== 503) return { status, code: INVALID_REQUEST, message };
  const seconds = headers["retry-after"];
  const data = { error, ...(seconds !== undefined && { retryAfter: Number(seconds) }) };
  return { status, code: REJECTED, message, data };
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
    const body = await readBody(request, senderOf(c)).catch((error) => {
      if (error instanceof ApiError) return error;
      throw error;
    });
    if (body instanceof ApiError) return failed(errorOf(body));
    const reading = readMcpMessage(body);
    if (reading.kind === "refused") return failed({ ...reading, status: 400 });
    const message = { ...reading.message };
    return mcpRequest(
      async (c) => sendMcp(c, await answerMcp(request, message, senderOf(c)), pulledBody),
      message,
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
  message: Readonly<Record<string, unknown>> = {},
): ReadRequest {
  const { method, id } = message;
  const cost = costOfMcp(message);
  return {
    cost,
    answer,
    /** The call of a tool by a result: clients take an HTTP error for a broken server, and models never read it. */
    reject(c, retryAfter) {
      const error = errorOf(limitError(c, cost, retryAfter));
      if (method !== "tools/call" || !isRequestId(id)) {
        return sendMcpError(c, { ...error, id: isRequestId(id) ? id : undefined });
      }
      // The 2026 revision requires `resultType`; earlier ones ignore it.
      const content = [{ type: "text", text: error.message }];
      const result = { resultType: "complete", content, isError: true };
      return send(c, JSON.stringify({ jsonrpc: "2.0", id, result }), headersOf(error));
    },
  };
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
