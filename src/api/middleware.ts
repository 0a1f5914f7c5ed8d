/** The middleware of every request but the rate limit. */
import type { Hono } from "hono";
import { requestId } from "hono/request-id";
import { routePath } from "hono/route";
import type { Services } from "../wiring/services.ts";
import type { AppContext, AppEnv, AppHandler, AppMiddleware } from "./app_env.ts";
import { ApiError } from "./errors.ts";
import { hasValidHost } from "./host.ts";
import { sendError } from "./responses.ts";

/** The route, in metrics and spans, of requests that match no row, and of rejected ones. */
const OTHER_ROUTE = "other";

/** Counts and times requests by route and status, and names their spans. */
export function observe(
  { metrics: { requests, requestTime }, nameSpan }: Pick<Services, "metrics" | "nameSpan">,
): AppMiddleware {
  return async (c, next) => {
    const startedAt = performance.now();
    await next();
    const route = routeOf(c);
    requests.add(1, route, `${c.res.status}`);
    requestTime.observe(performance.now() - startedAt, route);
    nameSpan?.(c.req.method, route);
  };
}

/** The pattern of the row that answered, without a parameter's expression, as in `:file{\w+}`. */
function routeOf(c: AppContext): string {
  const [pattern = ""] = routePath(c).split("{", 1);
  return c.res.status === 429 || pattern.endsWith("*") ? OTHER_ROUTE : pattern;
}

const REQUEST_ID = /^[\w.=-]{1,64}$/;

/** Gives each request an id: the client's if it is valid. Hono's pattern lacks the dots that ids of some proxies have. */
export const identifyRequests: AppMiddleware = requestId({
  limitLength: 64,
  generator: (c) => {
    const sent = c.req.header("x-request-id") ?? "";
    return REQUEST_ID.test(sent) ? sent : crypto.randomUUID();
  },
});

/** The headers of our own that pages of other origins may read. */
export const EXPOSED_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Request-Id",
  "Server-Timing",
] as const;

/** The headers that such pages may send; the last three are MCP's. */
const ALLOWED_HEADERS = [
  "authorization",
  "content-type",
  "x-request-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
].join(", ");

/**
 * The headers of every response, which a handler may override. Not Hono's `cors` and `secureHeaders`: the former writes to
 * `c.res`, whose headers then override those of the handler, and answers OPTIONS without Allow; the latter overrides the
 * policy of a page.
 */
const EVERY_RESPONSE = {
  // A shared cache would serve one client's rate-limit headers to others, and hide requests from the limiter.
  "cache-control": "no-store",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED_HEADERS.join(", "),
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/** Sets the headers of every response. */
export const setHeaders: AppMiddleware = async (c, next) => {
  for (const [name, value] of Object.entries(EVERY_RESPONSE)) c.header(name, value);
  await next();
};

/** Announces the length of the body that HEAD lacks: Hono drops the body, and Deno would announce 0. */
export const announceLength: AppMiddleware = async (c, next) => {
  await next();
  if (c.req.method !== "HEAD" || c.res.body === null) return;
  const { byteLength } = await c.res.clone().arrayBuffer();
  c.header("content-length", `${byteLength}`);
};

/** Answers a request whose Host header is no host, before any route: the path was read from a URL with that host in it. */
export function checkHost(limited: AppMiddleware): AppMiddleware {
  const refuse: AppHandler = (c) => sendError(c, INVALID_HOST);
  return async (c, next) =>
    hasValidHost(c.req.raw) ? await next() : await limited(c, async () => {
      c.res = await refuse(c, next);
    });
}

/** Answers OPTIONS, a CORS preflight of any origin or not, by the methods of the path. */
export function answerOptions(app: Hono<AppEnv>): AppHandler {
  return (c) => {
    const allow = methodsOf(app, c.req.path).join(", ") || "GET, HEAD, OPTIONS";
    return c.body(null, 204, {
      "allow": allow,
      "access-control-allow-methods": allow,
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": "86400",
    });
  };
}

/** Answers what no route answers: 405 if the path has other methods, else 404. */
export function answerRest(app: Hono<AppEnv>): (c: AppContext) => Response {
  return (c) => {
    const methods = methodsOf(app, c.req.path);
    if (methods.length === 0) return sendError(c, NOT_FOUND);
    const usable = methods.filter((method) => method !== "HEAD" && method !== "OPTIONS");
    const advice = `use ${usable.join(" or ")}`;
    const allow = methods.join(", ");
    return sendError(c, new ApiError("method_not_allowed", advice, undefined, { allow }));
  };
}

/** The methods of a path in the order of Allow; none if it has no row. */
function methodsOf(app: Hono<AppEnv>, path: string): readonly string[] {
  const has = (method: string) =>
    app.router.match(method, path)[0].some(([[, row]]) => row.method === method);
  const own = [...(has("GET") ? ["GET", "HEAD"] : []), ...(has("POST") ? ["POST"] : [])];
  return own.length === 0 ? [] : [...own, "OPTIONS"];
}

// Created once: capturing a stack costs more than the answer, and these must be cheap in a flood.
const NOT_FOUND = new ApiError("not_found", "see /docs for the endpoints");
const INVALID_HOST = new ApiError("invalid_host");
