/** POSTs to `/mcp/`: checks the origin, reads the body and its cost, and answers or rejects the call. */
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
} from "../api/request_body.ts";
import { addressSubject } from "../api/rate_limit.ts";
import type { RequestContext } from "../api/responses.ts";
import type { Call, UnreadCall } from "../api/routes.ts";
import { isLoopback } from "../rules/ip_address.ts";
import type { Services } from "../wiring/services.ts";
import {
  INVALID_REQUEST,
  type McpError,
  mcpErrorResponse,
  mcpResponse,
  readMcpMessage,
  REJECTED,
  TIMED_OUT,
} from "./json_rpc.ts";
import { costOfMcp, createMcp, type McpReports } from "./mcp.ts";

/** Creates the endpoint. Its bodies are limited in size, in time and in how many are read at once. */
export function createMcpEndpoint(
  services: Services,
  reports: McpReports,
  { bodyLimits = BODY_LIMITS }: { bodyLimits?: BodyLimits } = {},
): UnreadCall {
  const answerMcp = createMcp(services, reports);
  const readBody = createBodyReader(bodyLimits);
  const { trustedProxies } = services.limits;

  async function read(request: Request, address: string): Promise<Call> {
    const message = originErrorOf(request, trustedProxies === 0 && isLoopback(address));
    if (message !== undefined) return failed({ status: 403, code: REJECTED, message });
    const body = await readBody(request, addressSubject(request, address, trustedProxies));
    if (body.kind === "refused") return unreadable(body.reason);
    const reading = readMcpMessage(body.text);
    if (reading.kind === "refused") return failed({ ...reading, status: 400 });
    return mcpCall(
      async (context) =>
        mcpResponse(context, await answerMcp(request, reading.message, context.client)),
      { cost: costOfMcp(reading.message), id: reading.message.id },
    );
  }

  return { read, reject: (context, retryAfter) => rejectForNow(context, { cost: 1, retryAfter }) };
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

function failed(error: McpError): Call {
  return mcpCall((context) => mcpErrorResponse(context, error));
}

function mcpCall(
  answer: Call["answer"],
  { cost = 1, id }: { cost?: number; id?: unknown } = {},
): Call {
  return {
    cost,
    answer,
    reject: (context, retryAfter) =>
      cost > Number(context.limit.limit)
        ? rejectForGood(context, { cost, id })
        : rejectForNow(context, { cost, retryAfter, id }),
  };
}

function rejectForNow(
  context: RequestContext,
  { cost, retryAfter, id }: { cost: number; retryAfter: number; id?: unknown },
): Response {
  const { remaining } = context.limit;
  const message = cost === 1
    ? `Too many requests: retry in ${retryAfter} s`
    : `This call costs ${cost} requests, and ${remaining} are left: send fewer names, or retry in ${retryAfter} s`;
  const data = { error: "rate_limit_exceeded", cost, retryAfter };
  return mcpErrorResponse(
    context,
    { status: 429, code: REJECTED, message, data, id },
    { "retry-after": `${retryAfter}` },
  );
}

/** Rejects a call that costs more than the whole limit: no wait would help, so there is no Retry-After. */
function rejectForGood(
  context: RequestContext,
  { cost, id }: { cost: number; id: unknown },
): Response {
  const { limit } = context.limit;
  const message =
    `Send at most ${limit} names per call: each costs one request, and the limit is ${limit} per minute`;
  const data = { error: "rate_limit_exceeded", cost };
  return mcpErrorResponse(context, { status: 429, code: REJECTED, message, data, id });
}

const BODY_ERRORS: Readonly<Record<BodyFault, McpError>> = {
  tooLarge: {
    status: 413,
    code: INVALID_REQUEST,
    message: `The body is too large: send at most ${BODY_LIMITS.maxBytes} bytes`,
  },
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

function unreadable(reason: BodyFault): Call {
  const extra = reason === "busy" ? { "retry-after": `${BUSY_SECONDS}` } : {};
  return mcpCall((context) => mcpErrorResponse(context, BODY_ERRORS[reason], extra));
}
