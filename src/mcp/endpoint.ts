/** `/mcp/`: counts what a message asks for, guards the door, and puts every answer under the headers of all. */
import { isLoopback } from "../rules/loopback.ts";
import type { Services } from "../services.ts";
import { ApiError } from "../api/errors.ts";
import { hasHost } from "../api/host_header.ts";
import { costOfMcp, createMcp, type McpReports } from "./mcp.ts";
import { refusalOfOrigin } from "./guard.ts";
import { type McpReading, readMcpMessage } from "./message.ts";
import { mcpErrorResponse, mcpResponse } from "./response.ts";
import type { LimitRequest } from "../api/rate_limit.ts";
import { errorResponse, requestIdOf, type Visit } from "../api/responses.ts";

/** Codes that JSON-RPC leaves to servers. */
const REFUSED = -32_000;

/** Answers a POST to the endpoint. */
export type AnswerMcpPost = (request: Request, address: string) => Promise<Response>;

/** Creates the endpoint. */
export function createMcpEndpoint(
  services: Services,
  reports: McpReports,
  limitRequest: LimitRequest,
): AnswerMcpPost {
  const answer = createMcp(services, reports);
  const isBehindProxy = services.limits.trustedProxies > 0;

  return async (request, address) => {
    const reading = await readMcpMessage(request);
    const cost = reading.kind === "message" ? costOfMcp(reading.message) : 1;
    const { headers: limit, retryAfter } = await limitRequest(request, address, cost);
    const visit: Visit = { requestId: requestIdOf(request), limit };
    if (retryAfter !== undefined) return refuseForNow(visit, { reading, cost, retryAfter });
    if (!hasHost(request)) {
      return errorResponse(visit, new ApiError("invalid_host"));
    }
    const refusal = refusalOfOrigin(request, !isBehindProxy && isLoopback(address));
    if (refusal !== undefined) {
      return mcpErrorResponse(visit, { status: 403, code: REFUSED, message: refusal });
    }
    if (reading.kind === "refused") return mcpErrorResponse(visit, reading);
    return mcpResponse(visit, await answer(request, reading.message));
  };
}

function refuseForNow(
  visit: Visit,
  { reading, cost, retryAfter }: { reading: McpReading; cost: number; retryAfter: number },
): Response {
  const { remaining, limit } = visit.limit;
  // However long it waits, such a call will not be let in: there is no time to be told.
  const isTooMuch = cost > Number(limit);
  const message = cost === 1
    ? `Too many requests: try again in ${retryAfter} s`
    : isTooMuch
    ? `Send at most ${limit} names a call: each counts as one request, and ${limit} a minute are allowed`
    : `This call counts as ${cost} requests, and ${remaining} are left: send fewer names, or try again in ${retryAfter} s`;
  return mcpErrorResponse(visit, {
    status: 429,
    code: REFUSED,
    message,
    data: { error: "rate_limit_exceeded", cost, ...(!isTooMuch && { retryAfter }) },
    id: reading.kind === "message" ? reading.message.id : undefined,
  }, isTooMuch ? {} : { "retry-after": `${retryAfter}` });
}
