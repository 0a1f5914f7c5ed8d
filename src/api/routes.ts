/** What a row of the route table is, and the router that finds the row for a request. */
import { RegExpRouter } from "hono/router/reg-exp-router";
import { getPath } from "hono/utils/url";
import type { Awaitable } from "../flow/awaitable.ts";
import { ApiError } from "./errors.ts";
import { hasValidHost } from "./host.ts";
import { errorResponse, preflightResponse, type RequestContext } from "./responses.ts";

/** Answers a request that has been counted; `path` is the path by which it was routed. */
export type Handler = (
  context: RequestContext,
  request: Request,
  path: string,
) => Awaitable<Response>;

/** Answers 429 to a request that its client's limit does not allow; `retryAfter` is in seconds. */
export type Reject = (
  context: RequestContext,
  retryAfter: number,
) => Awaitable<Response>;

/** Begins the look-ups of an answer for a client, and returns the handler that completes it. */
export type Begin = (request: Request, client: string) => Handler;

/** A request whose cost is known. */
export interface Call {
  /** How many requests of the client's limit it uses. */
  readonly cost: number;
  readonly answer: Handler;
  /** Used in place of `answer` where the limiter waits for KV; if absent, all of the answer waits, too. */
  readonly begin?: Begin;
  readonly reject: Reject;
}

/** A request whose cost is in its body. */
export interface UnreadCall {
  /** Reads the body, before the request is counted and only if its client has a request left. */
  read(request: Request, address: string): Promise<Call>;
  /** Rejects it with its body unread. */
  readonly reject: Reject;
}

/** A request, whether its cost is known or not. */
export type AnyCall = Call | UnreadCall;

/** A row of the route table: the methods of a path. HEAD, OPTIONS and 405 follow from them. */
export interface Route {
  readonly GET?: AnyCall;
  readonly POST?: AnyCall;
}

/** What the router found for a request. */
export interface Match {
  readonly call: AnyCall;
  /** The row's pattern, for metrics and spans. */
  readonly route: string;
  readonly path: string;
}

/** The route of requests that match no row, and of rejected ones. */
export const OTHER_ROUTE = "other";

// Created once: capturing a stack costs more than the answer, and these must be cheap in a flood.

/** The error of a rejected request. */
export const LIMITED = new ApiError("rate_limit_exceeded");
const NOT_FOUND = new ApiError("not_found", "see /docs for the endpoints");
const INVALID_HOST = new ApiError("invalid_host");

/** Rejects a request in JSON. */
export const rejectInJson: Reject = (context, retryAfter) =>
  errorResponse(context, LIMITED, { "retry-after": `${retryAfter}` });

/** A call that is rejected in JSON. */
export function createCall(answer: Handler, cost = 1): Call {
  return { cost, answer, reject: rejectInJson };
}

const invalidHost = createCall((context) => errorResponse(context, INVALID_HOST));
const notFound = createCall((context, { method }) =>
  method === "OPTIONS"
    ? preflightResponse(context, "GET, HEAD, OPTIONS")
    : errorResponse(context, NOT_FOUND)
);

/** Finds the row and method of a request. */
export type Router = (request: Request) => Match;

/** Creates the router of a table, by Hono's patterns. */
export function createRouter(table: Readonly<Record<string, Route>>): Router {
  const router = new RegExpRouter<Row>();
  for (const [pattern, route] of Object.entries(table)) {
    router.add("ALL", pattern, createRow(pattern, route));
  }
  return (request) => {
    // Before any routing: the path is read from a URL that the Host header is part of.
    if (!hasValidHost(request)) return { call: invalidHost, route: OTHER_ROUTE, path: "" };
    const path = getPath(request);
    const row = router.match("ALL", path)[0][0]?.[0];
    if (row === undefined) return { call: notFound, route: OTHER_ROUTE, path };
    return { call: row.byMethod.get(request.method) ?? row.otherwise, route: row.route, path };
  };
}

interface Row {
  readonly route: string;
  readonly byMethod: ReadonlyMap<string, AnyCall>;
  readonly otherwise: AnyCall;
}

function createRow(pattern: string, { GET, POST }: Route): Row {
  const byMethod = new Map<string, AnyCall>();
  if (GET !== undefined) byMethod.set("GET", GET).set("HEAD", GET);
  if (POST !== undefined) byMethod.set("POST", POST);
  const cost = GET !== undefined && "cost" in GET ? GET.cost : 1;
  const allow = [...byMethod.keys(), "OPTIONS"].join(", ");
  byMethod.set("OPTIONS", createCall((context) => preflightResponse(context, allow), cost));
  const methods = [...(GET === undefined ? [] : ["GET"]), ...(POST === undefined ? [] : ["POST"])];
  const error = new ApiError("method_not_allowed", `use ${methods.join(" or ")}`);
  return {
    // A parameter's expression, as in `:file{\w+}`, is left out. Linear: the patterns are ours.
    route: pattern.replace(/\{.*\}/, ""),
    byMethod,
    otherwise: createCall((context) => errorResponse(context, error, { allow }), cost),
  };
}
