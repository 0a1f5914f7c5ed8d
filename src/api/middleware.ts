/** The middleware of every request but the rate limit, and the headers that a request is routed by and a document has. */
import type { Hono } from "hono";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import { routePath } from "hono/route";
import { parseAccept } from "hono/utils/accept";
import { memoized } from "../flow/cache/memory.ts";
import type { Services } from "../wiring/services.ts";
import {
  type AppContext,
  type AppEnv,
  type AppHandler,
  type AppMiddleware,
  send,
  sendError,
} from "./context.ts";
import { ApiError } from "./errors.ts";

/** The route, in metrics and spans, of requests that match no row, and of rejected ones. */
const OTHER_ROUTE = "other";

/** The pattern of the row that answered, without a parameter's expression, as in `:file{\w+}`. */
function routeOf(c: AppContext): string {
  const [pattern = ""] = routePath(c).split("{", 1);
  return c.res.status === 429 || pattern.endsWith("*") ? OTHER_ROUTE : pattern;
}

/** The ids that clients may give their requests; those of some proxies have dots. */
const REQUEST_ID = /^[\w.=-]{1,64}$/;

/** The headers of our own that pages of other origins may read. */
const EXPOSED_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Request-Id",
  "Server-Timing",
  "ETag",
] as const;

/**
 * The headers of every response, which a handler may override. Not Hono's `cors` and `secureHeaders`: the former answers
 * OPTIONS without Allow, the latter overrides the policy of a page, and both change a finished response.
 */
const EVERY_RESPONSE = {
  // A shared cache would serve one client's rate-limit headers to others, and hide requests from the limiter.
  "cache-control": "no-store",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED_HEADERS.join(", "),
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/**
 * What every request has in common: its id and the other headers of its response, a Host header that is a host, since the path
 * was read from a URL with that host in it, the length of the body that HEAD lacks, and its count, time and span by route.
 */
export function frame(
  { metrics: { requests, requestTime }, nameSpan }: Pick<Services, "metrics" | "nameSpan">,
  limited: AppMiddleware,
): AppMiddleware {
  return async (c, next) => {
    const startedAt = performance.now();
    const sent = c.req.header("x-request-id") ?? "";
    const requestId = REQUEST_ID.test(sent) ? sent : crypto.randomUUID();
    c.set("headers", { ...EVERY_RESPONSE, "x-request-id": requestId });
    const refuse = async () => void (c.res = await sendError(c, INVALID_HOST));
    const rejected = hasValidHost(c.req.raw) ? await next() : await limited(c, refuse);
    if (rejected instanceof Response) c.res = rejected;
    if (c.req.method === "HEAD" && c.res.body !== null) {
      // Hono drops the body, and Deno would announce 0.
      const { byteLength } = await c.res.clone().arrayBuffer();
      c.header("content-length", `${byteLength}`);
    }
    const route = routeOf(c);
    requests.add(1, { route, status: `${c.res.status}` });
    requestTime.observe(performance.now() - startedAt, { route });
    nameSpan?.(c.req.method, route);
  };
}

/** Answers OPTIONS, a CORS preflight of any origin or not, by the methods of the path. */
export function answerOptions(app: Hono<AppEnv>): AppHandler {
  return (c) => {
    const methods = methodsOf(app, c.req.path);
    const asked = c.req.header("access-control-request-headers") ?? "*";
    // After a preflight, a page reads the 404 of its own request.
    const isPreflight = c.req.header("access-control-request-method") !== undefined;
    if (methods.length === 0 && !isPreflight) return sendError(c, NOT_FOUND);
    const allow = methods.join(", ") || "GET, HEAD, OPTIONS";
    const headers = {
      "allow": allow,
      "access-control-allow-methods": allow,
      // Any header: no cookie or other secret of a browser is ever read.
      "access-control-allow-headers": asked,
      "access-control-max-age": "86400",
    };
    return send(c, null, headers, 204);
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

/** A host name (underscores occur, so they are accepted) or an IP address, with an optional port. */
const HOST =
  /^(?:[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_-]{1,63})*\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** A service has few hosts, but a client may send any. */
const MAX_HOSTS = 100;
const isHost = memoized((host) => HOST.test(host) && URL.canParse(`http://${host}/`), MAX_HOSTS);
/** The host in a URL, as Deno builds it. */
const URL_HOST = /^https?:\/\/([^/?#]*)/;

/**
 * Whether the Host header, or the absolute URL in its place, is a host. Deno builds the request's URL from it, so `a/check?`
 * would become its path, and `256.1.1.1` would leave no valid URL. HTTP/1.0 and HTTP/2 send no such header.
 */
function hasValidHost({ headers, url }: Request): boolean {
  const sent = headers.get("host");
  return (sent === null || isHost(sent)) && isHost(URL_HOST.exec(url)?.[1] ?? "");
}

/**
 * The service's own address as this client reaches it, without a trailing slash. The host is that of the Host header, which
 * `hasValidHost` has checked; X-Forwarded-Proto counts only behind a trusted proxy.
 */
export function baseUrl({ url, headers }: Request, trustedProxies: number): string {
  const { protocol, host } = new URL(url);
  const forwarded = trustedProxies > 0 ? headers.get("x-forwarded-proto") : null;
  const isKnown = forwarded === "http" || forwarded === "https";
  return `${isKnown ? `${forwarded}:` : protocol}//${host}`;
}

/** The Link header, which leads programs to the documents (RFC 8288; llms.txt is `describedby`). */
export const LINK = [
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</openapi.yaml>; rel="service-desc"; type="application/yaml"',
  '</docs>; rel="service-doc"; type="text/html"',
].join(", ");

/** Answers 304 where If-None-Match has the response's ETag; the headers of every response stay. */
export const revalidate: AppMiddleware = etag({
  // The same for plain and compressed bytes.
  weak: true,
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    ...EXPOSED_HEADERS,
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
  ],
});

/** Whether the client accepts gzip. */
export function acceptsGzip(acceptEncoding = ""): boolean {
  return parseAccept(acceptEncoding).some(({ type, q }) => type === "gzip" && q > 0);
}
