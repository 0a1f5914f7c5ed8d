/** The table of contents: what is answered at which path, and what happens before and around it. */
import { type Context, type Handler, Hono } from "hono";
import { ApiError } from "./api/errors.ts";
import { hasHost } from "./api/host_header.ts";
import { createReadQuery, METHODS, type Operation } from "./api/operation.ts";
import { operations } from "./api/operations.ts";
import { createLimitRequest, type LimitRequest } from "./api/rate_limit.ts";
import {
  errorResponse,
  jsonResponse,
  negotiatedResponse,
  preflightResponse,
  requestIdOf,
  streamResponse,
  type Visit,
} from "./api/responses.ts";
import { lazy } from "./flow/lazy.ts";
import type { Log } from "./log.ts";
import { isPageFile, PAGE_ROUTES, TABLE_PATH } from "./page/paths.ts";
import type { Services } from "./services.ts";

/** Made once: an error's stack costs more than the refusal, and a flood is when it must be cheap. */
const LIMITED = new ApiError("rate_limit_exceeded");
const WRONG_METHOD = new ApiError("method_not_allowed", "send a GET request");
const WRONG_METHOD_FOR_MCP = new ApiError("method_not_allowed", "MCP takes POST requests");

/** What no stream's name is in need not be looked at by `stream.ts`, nor that be read. */
const MAY_NAME_A_STREAM = /ndjson|event-stream/i;

const MCP_PATHS = ["/mcp/", "/mcp"];
const MCP_METHODS = "POST, OPTIONS";

/** What a route finds in its context: the visit that its answer is for. */
interface Env {
  Bindings: { visit: Visit; isHead: boolean };
}

/** Answers a request that came from an address. */
export type Handle = (request: Request, address: string) => Promise<Response>;

/** Creates the handler of all requests. */
export function createApp(services: Services, log: Log): Handle {
  const limitRequest = createLimitRequest(services, isForPageFile);
  const rooms = openRooms(services, { log, limitRequest });
  const app = createRoutes(services, { log, rooms });

  /** How much a call counts as is in its body, so the endpoint does its own counting. */
  async function answerMcp(request: Request, address: string): Promise<Response> {
    try {
      return await (await rooms.mcp.get())(request, address);
    } catch (error) {
      log.error("mcp.failed", { error: String(error) });
      const { headers: limit } = await limitRequest(request, address);
      const visit: Visit = { requestId: requestIdOf(request), limit };
      return errorResponse(visit, new ApiError("internal_error"));
    }
  }

  return async (request, address) => {
    if (request.method === "POST" && isMcp(request)) return answerMcp(request, address);
    const requestId = requestIdOf(request);
    const { headers: limit, retryAfter } = await limitRequest(request, address);
    const visit: Visit = { requestId, limit };
    if (retryAfter !== undefined) {
      const extra = { "retry-after": `${retryAfter}` };
      if (pathOf(request) !== TABLE_PATH) return errorResponse(visit, LIMITED, extra);
      return (await rooms.page.get()).refuse(visit, LIMITED, extra);
    }
    // Before any routing: the path is read from a URL that the Host header is part of.
    if (!hasHost(request)) {
      return errorResponse(visit, new ApiError("invalid_host"));
    }
    const isHead = request.method === "HEAD";
    // Deno leaves out the body; Hono would take it away before anybody knew its length, and 0 would be told.
    const routed = isHead ? new Request(request, { method: "GET" }) : request;
    return app.fetch(routed, { visit, isHead });
  };
}

/** What is read when it is first asked for: a start does not pay for it, nor does a process that nobody asks. */
function openRooms(
  services: Services,
  { log, limitRequest }: { log: Log; limitRequest: LimitRequest },
) {
  return {
    page: lazy(async () => (await import("./page/page.ts")).openPage(services)),
    library: lazy(async () => (await import("./documents/library.ts")).openLibrary(services)),
    mcp: lazy(async () => {
      const { createMcpEndpoint } = await import("./mcp/endpoint.ts");
      return createMcpEndpoint(services, log, limitRequest);
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
  const reportFault: ReportFault = (error, { env: { visit: { requestId } }, req }) =>
    log.error("request.failed", {
      requestId,
      path: req.path,
      error: error instanceof Error ? error.stack : `${error}`,
    });
  const onError = (error: unknown, c: Context<Env>) => {
    const { visit } = c.env;
    if (error instanceof ApiError) return errorResponse(visit, error);
    reportFault(error, c);
    return errorResponse(visit, new ApiError("internal_error"));
  };
  for (const operation of operations) {
    app.all(operation.path, forGet(answer(operation, { services, reportFault })));
  }
  // A router is built at its first request, the longer the more routes it has: these have one of their own.
  const others = lazy(() => Promise.resolve(createOtherRoutes(rooms).onError(onError)));
  app.notFound(async (c) => (await others.get()).fetch(c.req.raw, c.env));
  app.onError(onError);
  return app;
}

function createOtherRoutes({ page, library }: ReturnType<typeof openRooms>): Hono<Env> {
  const app = new Hono<Env>();
  for (const path of PAGE_ROUTES) {
    app.all(
      path,
      forGet(async ({ env, req }) => (await page.get()).answer(env.visit, req.path, req.raw)),
    );
  }
  for (const path of MCP_PATHS) {
    app.options(path, (c) => preflightResponse(c.env.visit, MCP_METHODS));
    app.all(path, (c) => errorResponse(c.env.visit, WRONG_METHOD_FOR_MCP, { allow: MCP_METHODS }));
  }
  app.options("*", (c) => preflightResponse(c.env.visit, METHODS));
  // What is nothing else may be a document about the API.
  app.notFound(async (c) => (await library.get())(c.req.raw, c.env.visit));
  return app;
}

/** Answers GET, as HEAD is by now; all else is a preflight or not allowed. */
function forGet(handler: (c: Context<Env>) => Promise<Response>): Handler<Env> {
  return (c) => {
    const { env: { visit }, req: { raw: { method } } } = c;
    if (method === "GET") return handler(c);
    if (method === "OPTIONS") return preflightResponse(visit, METHODS);
    return errorResponse(visit, WRONG_METHOD, { allow: METHODS });
  };
}

function answer(
  operation: Operation,
  { services, reportFault }: { services: Services; reportFault: ReportFault },
): (c: Context<Env>) => Promise<Response> {
  const readQuery = createReadQuery(operation);
  const { run, stream } = operation;
  return async (c) => {
    const { env: { visit, isHead }, req } = c;
    const query = readQuery(req.queries());
    if (stream === undefined) return jsonResponse(visit, 200, await run(query, services, req.raw));
    const accept = req.raw.headers.get("accept") ?? "";
    const writing = MAY_NAME_A_STREAM.test(accept) ? await import("./api/stream.ts") : undefined;
    const format = writing?.streamFormatOf(accept);
    if (writing === undefined || format === undefined) {
      return negotiatedResponse(visit, await run(query, services, req.raw));
    }
    // A body of no pieces has no length to be told, and nothing is looked up for it.
    if (isHead) return streamResponse(visit, format.mediaType, ReadableStream.from([]));
    const pieces = await stream.run(query, services, req.raw);
    const onError = (error: unknown) => reportFault(error, c);
    return streamResponse(visit, format.mediaType, writing.streamBody(pieces, { format, onError }));
  };
}
