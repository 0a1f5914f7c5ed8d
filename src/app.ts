/** The table of contents: what is answered at which path, and what happens before and around it. */
import { type Context, type Handler, Hono } from "hono";
import { ApiError } from "./api/errors.ts";
import { hasHost } from "./api/has_host.ts";
import { METRICS } from "./api/metrics.ts";
import { createReadQuery, METHODS, type Operation } from "./api/operation.ts";
import { operations } from "./api/operations.ts";
import { createLimitRequest, type LimitHeaders } from "./api/rate_limit.ts";
import {
  errorResponse,
  jsonResponse,
  negotiatedResponse,
  preflightResponse,
  type RequestContext,
  requestIdOf,
  streamResponse,
  textResponse,
} from "./api/responses.ts";
import { streamBody, streamFormatOf } from "./api/stream.ts";
import type { Spent, Waiter } from "./flow/flight.ts";
import { lazy } from "./flow/lazy.ts";
import type { Log } from "./log.ts";
import { isPageFile, PAGE_ROUTES, TABLE_PATH } from "./page/paths.ts";
import type { McpExchange } from "./mcp/endpoint.ts";
import type { Services } from "./wiring/services.ts";

/** Made once: an error's stack costs more than the refusal, and a flood is when it must be cheap. */
const LIMITED = new ApiError("rate_limit_exceeded");
const WRONG_METHOD = new ApiError("method_not_allowed", "send a GET request");
const WRONG_METHOD_FOR_MCP = new ApiError("method_not_allowed", "MCP takes POST requests");

/** The route of a request that none answers, or that was refused before one was looked for. */
const OTHER_ROUTE = "other";
const MCP_ROUTE = "/mcp/";
const MCP_PATHS = [MCP_ROUTE, "/mcp"];
const MCP_METHODS = "POST, OPTIONS";

/** What a route finds in its context: the visit that its answer is for. */
interface Env {
  Bindings: { context: RequestContext; isHead: boolean };
}

/** Answers a request that came from an address. */
export type Handle = (request: Request, address: string) => Promise<Response>;

/** Creates the handler of all requests. */
export function createApp(services: Services, log: Log): Handle {
  const limitRequest = createLimitRequest(services, isForPageFile);
  const rooms = openRooms(services, log);
  const app = createRoutes(services, { log, rooms });

  /**
   * How much a POST to `/mcp/` counts as is in its body, so it is counted once that has been read: whole, or not at all.
   * A sender who has no request left is refused before that.
   */
  async function answerMcp(request: Request, address: string): Promise<Response> {
    const requestId = requestIdOf(request);
    const visitOf = (limit: LimitHeaders): RequestContext => ({ requestId, limit });
    const fail = (error: unknown, context: RequestContext) => {
      log.error("mcp.failed", { requestId, error: String(error) });
      return errorResponse(context, new ApiError("internal_error"));
    };
    const left = await limitRequest(request, address, 0);
    let exchange: McpExchange;
    try {
      const mcp = await rooms.mcp.get();
      if (left.retryAfter !== undefined) return mcp.refuse(visitOf(left.headers), left.retryAfter);
      exchange = await mcp.read(request, address);
    } catch (error) {
      exchange = { cost: 1, respond: (context) => fail(error, context) };
    }
    const { headers, retryAfter } = await limitRequest(request, address, exchange.cost);
    const context = visitOf(headers);
    try {
      return await exchange.respond(context, retryAfter);
    } catch (error) {
      return fail(error, context);
    }
  }

  const { metrics: { requests, requestTime }, nameSpan } = services;
  function noted(request: Request, startedAt: number, route: string, response: Response): Response {
    requests.add(1, route, `${response.status}`);
    requestTime.observe(performance.now() - startedAt, route);
    nameSpan?.(request.method, route);
    return response;
  }

  return async (request, address) => {
    const startedAt = performance.now();
    if (request.method === "POST" && isMcp(request)) {
      const answered = await answerMcp(request, address);
      return noted(request, startedAt, MCP_ROUTE, answered);
    }
    const requestId = requestIdOf(request);
    const { headers: limit, retryAfter } = await limitRequest(request, address);
    const context: RequestContext = { requestId, limit, route: OTHER_ROUTE };
    if (retryAfter !== undefined) {
      const extra = { "retry-after": `${retryAfter}` };
      const refusal = pathOf(request) === TABLE_PATH
        ? (await rooms.page.get()).renderError(context, LIMITED, extra)
        : errorResponse(context, LIMITED, extra);
      return noted(request, startedAt, OTHER_ROUTE, refusal);
    }
    // Before any routing: the path is read from a URL that the Host header is part of.
    if (!hasHost(request)) {
      const refusal = errorResponse(context, new ApiError("invalid_host"));
      return noted(request, startedAt, OTHER_ROUTE, refusal);
    }
    const isHead = request.method === "HEAD";
    // Deno leaves out the body; Hono would take it away before anybody knew its length, and 0 would be told.
    const routed = isHead ? new Request(request, { method: "GET" }) : request;
    const response = await app.fetch(routed, { context, isHead });
    return noted(request, startedAt, context.route ?? OTHER_ROUTE, response);
  };
}

/** What is read when it is first asked for: a start does not pay for it, nor does a process that nobody asks. */
function openRooms(services: Services, log: Log) {
  return {
    page: lazy(async () => (await import("./page/page.ts")).openPage(services)),
    library: lazy(async () => (await import("./documents/library.ts")).openLibrary(services)),
    mcp: lazy(async () => {
      const { createMcpEndpoint } = await import("./mcp/endpoint.ts");
      return createMcpEndpoint(services, log);
    }),
  };
}

function isMcp(request: Request): boolean {
  return MCP_PATHS.includes(pathOf(request));
}

/** A Host header that holds a path must not pass for one. */
function isForPageFile(request: Request): boolean {
  return isPageFile(pathOf(request)) && hasHost(request);
}

/** The path as it stands in the URL; a `URL` would cost every request more than its routing does. */
function pathOf({ url }: Request): string {
  const start = url.indexOf("/", "https://".length);
  const end = url.indexOf("?", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

type ReportFault = (error: unknown, c: Context<Env>) => void;

/** The operations, and behind them whatever else is here. */
function createRoutes(
  services: Services,
  { log, rooms }: { log: Log; rooms: ReturnType<typeof openRooms> },
): Hono<Env> {
  const app = new Hono<Env>();
  const reportFault: ReportFault = (error, { env: { context: { requestId } }, req }) =>
    log.error("request.failed", {
      requestId,
      path: req.path,
      error: error instanceof Error ? error.stack : `${error}`,
    });
  const onError = (error: unknown, c: Context<Env>) => {
    const { context } = c.env;
    if (error instanceof ApiError) return errorResponse(context, error);
    reportFault(error, c);
    return errorResponse(context, new ApiError("internal_error"));
  };
  for (const operation of operations) {
    app.all(operation.path, forGet(operation.path, answer(operation, { services, reportFault })));
  }
  // A router is built at its first request, the longer the more routes it has: these have one of their own.
  const others = lazy(() => Promise.resolve(createOtherRoutes(rooms, services).onError(onError)));
  app.notFound(async (c) => (await others.get()).fetch(c.req.raw, c.env));
  app.onError(onError);
  return app;
}

function createOtherRoutes(
  { page, library }: ReturnType<typeof openRooms>,
  { printMetrics }: Pick<Services, "printMetrics">,
): Hono<Env> {
  const app = new Hono<Env>();
  for (const path of PAGE_ROUTES) {
    app.all(
      path,
      forGet(
        path,
        async ({ env, req }) => (await page.get()).answer(env.context, req.path, req.raw),
      ),
    );
  }
  app.all(
    METRICS.path,
    forGet(
      METRICS.path,
      ({ env: { context } }) => textResponse(context, METRICS.mediaType, printMetrics()),
    ),
  );
  for (const path of MCP_PATHS) {
    app.options(path, (c) => preflightResponse(c.env.context, MCP_METHODS));
    app.all(
      path,
      (c) => errorResponse(c.env.context, WRONG_METHOD_FOR_MCP, { allow: MCP_METHODS }),
    );
  }
  app.options("*", (c) => preflightResponse(c.env.context, METHODS));
  // What is nothing else may be a document about the API.
  app.notFound(async (c) => (await library.get())(c.req.raw, c.env.context));
  return app;
}

/** Answers GET, as HEAD is by now; all else is a preflight or not allowed. */
function forGet(
  route: string,
  handler: (c: Context<Env>) => Response | Promise<Response>,
): Handler<Env> {
  return (c) => {
    const { env: { context }, req: { raw: { method } } } = c;
    context.route = route;
    if (method === "GET") return handler(c);
    if (method === "OPTIONS") return preflightResponse(context, METHODS);
    return errorResponse(context, WRONG_METHOD, { allow: METHODS });
  };
}

/** The request as its answer's asker; a class, for to make an object with a getter costs a microsecond. */
class TimedWaiter implements Waiter {
  spent: Spent | undefined;
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  /** A request makes its signal when it is first asked for it. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }

  onSpent(spent: Spent): void {
    this.spent = spent;
  }
}

function answer(
  operation: Operation,
  { services, reportFault }: { services: Services; reportFault: ReportFault },
): (c: Context<Env>) => Promise<Response> {
  const readQuery = createReadQuery(operation);
  const { run, stream, serverTiming } = operation;
  return async (c) => {
    const { env: { context, isHead }, req } = c;
    const query = readQuery(req.queries());
    if (stream === undefined) {
      const body = await run(query, services, req.raw);
      return jsonResponse(context, body, serverTiming?.(body, undefined));
    }
    const accept = req.raw.headers.get("accept") ?? "";
    const format = streamFormatOf(accept);
    if (format === undefined) {
      const waiter = new TimedWaiter(req.raw);
      const body = await run(query, services, waiter);
      return negotiatedResponse(context, body, serverTiming?.(body, waiter.spent));
    }
    // A body of no pieces has no length to be told, and nothing is looked up for it.
    if (isHead) return streamResponse(context, format.mediaType, ReadableStream.from([]));
    const pieces = await stream.run(query, services, req.raw);
    const onError = (error: unknown) => reportFault(error, c);
    return streamResponse(
      context,
      format.mediaType,
      streamBody(pieces, { format, onError }),
    );
  };
}
