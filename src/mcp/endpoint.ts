/** POSTs to `/mcp/`: checks Host and Origin, reads the body, says what its call costs, and has it answered. */
import { type BodyFault, type BodyLimits, createBodyReader } from "../api/request_body.ts";
import { ApiError } from "../api/errors.ts";
import { hasHost } from "../api/has_host.ts";
import { errorResponse, type RequestContext } from "../api/responses.ts";
import { clientAddress, rateLimitKey } from "../rules/client_address.ts";
import { isLoopback } from "../rules/ip_address.ts";
import type { Services } from "../wiring/services.ts";
import { costOfMcp, createMcp, type McpReports } from "./mcp.ts";
import { refusalOfOrigin } from "./guard.ts";
import { readMcpMessage } from "./message.ts";
import { type McpError, mcpErrorResponse, mcpResponse } from "./response.ts";

/** A POST to `/mcp/` that has been read: how many requests it counts as, and how it is answered then. */
export interface McpExchange {
  readonly cost: number;
  /** Answers it, or refuses it where the limiter has: `retryAfter` is in seconds. */
  respond(context: RequestContext, retryAfter: number | undefined): Response | Promise<Response>;
}

/** The endpoint. */
export interface McpEndpoint {
  /** Reads a POST. Its body is bounded in size and time, and so is how many are read at once. */
  read(request: Request, address: string): Promise<McpExchange>;
  /** Refuses a POST whose sender has no request left; its body stays unread. */
  refuse(context: RequestContext, retryAfter: number): Response;
}

/** Codes that JSON-RPC leaves to servers; the second is what MCP's own packages call a timeout. */
const REFUSED = -32_000;
const TIMED_OUT = -32_001;
const INVALID_REQUEST = -32_600;

/** Enough for any call of the tools, many times over. */
const MAX_BODY_BYTES = 65_536;

const BODY_LIMITS: BodyLimits = {
  maxBytes: MAX_BODY_BYTES,
  deadlineMs: 5_000,
  atOnce: 256,
  // Bodies that come at once are read in a millisecond: an agent may well send this many calls at the same time.
  perSubject: 32,
};

const BUSY_SECONDS = 1;

/** Creates the endpoint. */
export function createMcpEndpoint(
  services: Services,
  reports: McpReports,
  { bodyLimits = BODY_LIMITS }: { bodyLimits?: BodyLimits } = {},
): McpEndpoint {
  const answerMcp = createMcp(services, reports);
  const readBody = createBodyReader(bodyLimits);
  const { trustedProxies } = services.limits;

  function subjectOf({ headers }: Request, socket: string): string {
    const forwardedFor = headers.get("x-forwarded-for");
    return rateLimitKey(clientAddress({ socket, forwardedFor, trustedProxies }));
  }

  async function read(request: Request, address: string): Promise<McpExchange> {
    if (!hasHost(request)) {
      return exchange((context) => errorResponse(context, new ApiError("invalid_host")));
    }
    const refusal = refusalOfOrigin(request, trustedProxies === 0 && isLoopback(address));
    if (refusal !== undefined) return refused({ status: 403, code: REFUSED, message: refusal });
    const body = await readBody(request, subjectOf(request, address));
    if (body.kind === "refused") return exchange((context) => refuseBody(context, body.why));
    const reading = readMcpMessage(body.text);
    if (reading.kind === "refused") return refused({ ...reading, status: 400 });
    const { message } = reading;
    const answer = async (context: RequestContext) =>
      mcpResponse(context, await answerMcp(request, message));
    return exchange(answer, { cost: costOfMcp(message), id: message.id });
  }

  return { read, refuse: (context, retryAfter) => refuseForNow(context, { cost: 1, retryAfter }) };
}

function refused(error: McpError): McpExchange {
  return exchange((context) => mcpErrorResponse(context, error));
}

function exchange(
  answer: (context: RequestContext) => Response | Promise<Response>,
  { cost = 1, id }: { cost?: number; id?: unknown } = {},
): McpExchange {
  return {
    cost,
    respond(context, retryAfter) {
      if (retryAfter === undefined) return answer(context);
      if (cost > Number(context.limit.limit)) return refuseForGood(context, { cost, id });
      return refuseForNow(context, { cost, retryAfter, id });
    },
  };
}

function refuseForNow(
  context: RequestContext,
  { cost, retryAfter, id }: { cost: number; retryAfter: number; id?: unknown },
): Response {
  const { remaining } = context.limit;
  const message = cost === 1
    ? `Too many requests: try again in ${retryAfter} s`
    : `This call counts as ${cost} requests, and ${remaining} are left: send fewer names, or try again in ${retryAfter} s`;
  const data = { error: "rate_limit_exceeded", cost, retryAfter };
  return mcpErrorResponse(
    context,
    { status: 429, code: REFUSED, message, data, id },
    { "retry-after": `${retryAfter}` },
  );
}

/** However long it waits, such a call will not be let in: there is no time to name. */
function refuseForGood(
  context: RequestContext,
  { cost, id }: { cost: number; id: unknown },
): Response {
  const { limit } = context.limit;
  const message =
    `Send at most ${limit} names a call: each counts as one request, and ${limit} a minute are allowed`;
  const data = { error: "rate_limit_exceeded", cost };
  return mcpErrorResponse(context, { status: 429, code: REFUSED, message, data, id });
}

const BODY_REFUSALS: Readonly<Record<BodyFault, McpError>> = {
  tooLarge: {
    status: 413,
    code: INVALID_REQUEST,
    message: `Send at most ${MAX_BODY_BYTES} bytes`,
  },
  late: { status: 408, code: TIMED_OUT, message: "The body did not arrive in time" },
  busy: {
    status: 503,
    code: REFUSED,
    message: `Too many bodies are being read: try again in ${BUSY_SECONDS} s`,
    data: { error: "service_unavailable", retryAfter: BUSY_SECONDS },
  },
  // The sender left, or broke its own chunks.
  broken: { status: 400, code: INVALID_REQUEST, message: "The body could not be read" },
};

function refuseBody(context: RequestContext, why: BodyFault): Response {
  const extra = why === "busy" ? { "retry-after": `${BUSY_SECONDS}` } : {};
  return mcpErrorResponse(context, BODY_REFUSALS[why], extra);
}
