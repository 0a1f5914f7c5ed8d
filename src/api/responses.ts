/** Responses, with all headers in one literal: changing those of a finished one costs a third of the throughput. */
import type { ApiError } from "./errors.ts";
import type { LimitHeaders } from "./rate_limit.ts";

/** A request that has been counted: what the headers of its response need, and its client. */
export interface RequestContext {
  requestId: string;
  limit: LimitHeaders;
  /** The rate-limit key of the client. */
  client: string;
}

const REQUEST_ID = /^[\w.=-]{1,64}$/;
const EXPOSED = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Request-Id",
  "Server-Timing",
].join(", ");

/** The request headers that pages may send; the last three are MCP's. */
const ALLOWED = [
  "authorization",
  "content-type",
  "x-request-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
].join(", ");

/** The client's X-Request-Id if it is valid, else a new one. */
export function requestIdOf(request: Request): string {
  const sent = request.headers.get("x-request-id");
  return sent !== null && REQUEST_ID.test(sent) ? sent : crypto.randomUUID();
}

/** A response in JSON; `timing` is its Server-Timing. */
export function jsonResponse(context: RequestContext, body: unknown, timing?: string): Response {
  return new Response(JSON.stringify(body), { headers: timed(headersOf(context), timing) });
}

/** A response in JSON at a path that has other formats too. */
export function negotiatedResponse(
  context: RequestContext,
  body: unknown,
  timing?: string,
): Response {
  return new Response(JSON.stringify(body), { headers: timed(negotiated(context), timing) });
}

/** A response in another media type. */
export function textResponse(context: RequestContext, mediaType: string, body: string): Response {
  return new Response(body, { headers: { ...headersOf(context), "content-type": mediaType } });
}

/** A streamed response. */
export function streamResponse(
  context: RequestContext,
  mediaType: string,
  body: ReadableStream<Uint8Array>,
): Response {
  return new Response(body, {
    headers: {
      ...negotiated(context),
      "content-type": mediaType,
      // No compression and no buffering, so that rows arrive at once; X-Accel-Buffering is nginx's header for that.
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

/** An error; `extra` are the headers that its status requires. */
export function errorResponse(
  context: RequestContext,
  error: ApiError,
  extra: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(error.toBody()), {
    status: error.status,
    headers: { ...headersOf(context), ...extra },
  });
}

/** The response to a CORS preflight, for any origin. */
export function preflightResponse(context: RequestContext, allow: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...headersOf(context),
      "allow": allow,
      "access-control-allow-methods": allow,
      "access-control-allow-headers": ALLOWED,
      "access-control-max-age": "86400",
    },
  });
}

function timed(
  headers: Record<string, string>,
  timing: string | undefined,
): Record<string, string> {
  if (timing !== undefined) headers["server-timing"] = timing;
  return headers;
}

function negotiated(context: RequestContext): Record<string, string> {
  const all = headersOf(context);
  all.vary = "Accept";
  return all;
}

/** The headers of every response; documents override some of them. */
export function headersOf({ requestId, limit }: RequestContext): Record<string, string> {
  return {
    "content-type": "application/json; charset=utf-8",
    // A shared cache would serve one client's rate-limit headers to others, and hide requests from the limiter.
    "cache-control": "no-store",
    "x-request-id": requestId,
    "x-ratelimit-limit": limit.limit,
    "x-ratelimit-remaining": limit.remaining,
    "x-ratelimit-reset": limit.reset,
    "ratelimit-policy": limit.policy,
    "ratelimit": limit.state,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": EXPOSED,
    // Only the security headers that matter for JSON: each costs every response a microsecond or two.
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  };
}
