/** The route table, and the steps of every request: find its route, count it, answer it, record it. */
import { preferredType } from "./api/accept.ts";
import { accuracy } from "./api/accuracy.ts";
import { answerOperation, answerPost, type ReportFault } from "./api/answer_operation.ts";
import { check } from "./api/check.ts";
import { checkNames } from "./api/check_names.ts";
import { ensCheck } from "./api/ens_check.ts";
import { ensMetadata } from "./api/ens_metadata.ts";
import { ApiError } from "./api/errors.ts";
import { health, ready } from "./api/health.ts";
import type { Operation } from "./api/operation.ts";
import { METRICS, type Operations } from "./api/operations.ts";
import { createRequestLimiter, type LimitDecision, type LimitHeaders } from "./api/rate_limit.ts";
import { register } from "./api/register.ts";
import { errorResponse, type RequestContext, requestIdOf, textResponse } from "./api/responses.ts";
import {
  type AnyCall,
  type Begin,
  type Call,
  createCall,
  createRouter,
  type Handler,
  LIMITED,
  OTHER_ROUTE,
  type Route,
  type UnreadCall,
} from "./api/routes.ts";
import { tlds } from "./api/tlds.ts";
import type { DocumentPath } from "./documents/documents.ts";
import { type Awaitable, recover, whenReady } from "./flow/awaitable.ts";
import { lazy } from "./flow/lazy.ts";
import type { Log } from "./log.ts";
import type { PagePath } from "./page/paths.ts";
import type { Services } from "./wiring/services.ts";

function prefersHtml({ headers }: Request): boolean {
  return preferredType(headers.get("accept") ?? "", ["text/html"]) !== undefined;
}

type Path =
  | Operations["path"]
  | typeof METRICS.path
  | PagePath
  | DocumentPath
  | "/mcp"
  | "/mcp/";

/** Every path that the service answers. Without a row for a path of an operation, page or document it does not compile. */
function createRoutes(
  services: Services,
  { log, reportFault }: { log: Log; reportFault: ReportFault },
): Readonly<Record<Path, Route>> {
  const { page, documents, mcp } = openLazyModules(services, log);
  const get = (answer: Handler): Route => ({ GET: createCall(answer) });
  const api = (operation: Operation): Route => ({
    GET: answerOperation(operation, { services, reportFault }),
  });
  const metrics = get((context) =>
    textResponse(context, METRICS.mediaType, services.printMetrics())
  );
  const showPage: Handler = async (context, request, path) =>
    (await page.get()).answer(context, path, request);
  const { answer: accuracyInJson } = answerOperation(accuracy, { services, reportFault });
  const pageFile: Route = { GET: createCall(showPage, 0) };
  const search: Route = {
    GET: {
      ...createCall(showPage),
      reject: async (context, retryAfter) =>
        (await page.get()).renderError(context, LIMITED, { "retry-after": `${retryAfter}` }),
    },
  };
  const document = get(async (...args) => (await documents.get())(...args));
  const tools: Route = {
    POST: {
      read: async (...args) => (await mcp.get()).read(...args),
      reject: async (...args) => (await mcp.get()).reject(...args),
    },
  };
  return {
    "/check": { ...api(check), POST: answerPost(checkNames, { services, reportFault }) },
    "/tlds": api(tlds),
    "/register": api(register),
    "/v1/ens/check": api(ensCheck),
    "/v1/ens/metadata": api(ensMetadata),
    "/accuracy": get((...args) =>
      prefersHtml(args[1]) ? showPage(...args) : accuracyInJson(...args)
    ),
    "/health": api(health),
    "/health/ready": api(ready),
    "/metrics": metrics,

    "/": pageFile,
    "/tld-offers.json": pageFile,
    // No name that a URL parser would make another path of: such a path costs a request.
    "/static/:file{[\\w-]+(?:\\.[\\w-]+)*}": pageFile,
    "/search": search,

    "/mcp": tools,
    "/mcp/": tools,

    "/openapi.yaml": document,
    "/openapi.json": document,
    "/docs": document,
    "/docs/rapidoc-9.3.8.min.js": document,
    "/llms.txt": document,
    "/robots.txt": document,
    "/server.json": document,
    "/mcp/server-card": document,
    "/.well-known/mcp/server-card.json": document,
    "/.well-known/api-catalog": document,
    "/.well-known/ai-catalog.json": document,
  };
}

/** Modules that are imported at their first request, so that a start does not pay for them. */
function openLazyModules(services: Services, log: Log) {
  return {
    page: lazy(async () => (await import("./page/page.ts")).openPage(services)),
    documents: lazy(async () => (await import("./documents/serve.ts")).openDocuments(services)),
    mcp: lazy(async () => (await import("./mcp/endpoint.ts")).createMcpEndpoint(services, log)),
  };
}

/** Answers a request that came from an address. */
export type Handle = (request: Request, address: string) => Awaitable<Response>;

/** Creates the handler of all requests. */
export function createApp(services: Services, log: Log): Handle {
  const { metrics: { requests, requestTime }, nameSpan } = services;
  const reportFault: ReportFault = (error, { requestId }, path) =>
    log.error("request.failed", {
      requestId,
      path,
      error: error instanceof Error ? error.stack : `${error}`,
    });
  const limiter = createRequestLimiter(services);
  /** The clients for whom an answer has begun while the limiter waits for KV. */
  const beginning = new Set<string>();
  const findRoute = createRouter(createRoutes(services, { log, reportFault }));

  return (request, address) => {
    const startedAt = performance.now();
    const { call, route, path } = findRoute(request);
    const requestId = requestIdOf(request);
    return whenReady(count(call, request, address), ({ limit, client, answer, isRejected }) => {
      const context = { requestId, limit, client };
      const answering = recover(
        () => answer(context, request, path),
        (error) => answerError(error, context, path),
      );
      return whenReady(answering, (response) => {
        const label = isRejected ? OTHER_ROUTE : route;
        requests.add(1, label, `${response.status}`);
        requestTime.observe(performance.now() - startedAt, label);
        nameSpan?.(request.method, label);
        return response;
      });
    });
  };

  function count(call: AnyCall, request: Request, address: string): Awaitable<Counted> {
    if ("read" in call) return countUnread(call, request, address);
    let begun: Handler | undefined;
    const deciding = limiter.count(request, address, call.cost, (client) => {
      // One at a time for a client: its requests may yet be rejected, and their look-ups would be a load without a limit.
      if (call.begin === undefined || beginning.has(client)) return;
      beginning.add(client);
      begun = beginAnswer(call.begin, request, client);
    });
    return whenReady(deciding, (decision) => {
      if (begun !== undefined) beginning.delete(decision.client);
      return counted(call, decision, begun);
    });
  }

  function answerError(error: unknown, context: RequestContext, path: string): Response {
    if (error instanceof ApiError) return errorResponse(context, error);
    reportFault(error, context, path);
    return errorResponse(context, new ApiError("internal_error"));
  }

  /** Counts a request whose cost is in its body: once, and after it has been read. */
  async function countUnread(
    call: UnreadCall,
    request: Request,
    address: string,
  ): Promise<Counted> {
    const { headers: limit, client, retryAfter } = await limiter.peek(request, address);
    if (retryAfter !== undefined) {
      const answer: Handler = (context) => call.reject(context, retryAfter);
      return { limit, client, answer, isRejected: true };
    }
    let read: Call;
    try {
      read = await call.read(request, address);
    } catch (error) {
      read = createCall(() => Promise.reject(error));
    }
    return counted(read, await limiter.count(request, address, read.cost), undefined);
  }
}

/** A request that the limiter has decided on. */
interface Counted {
  readonly limit: LimitHeaders;
  readonly client: string;
  readonly answer: Handler;
  readonly isRejected: boolean;
}

/** Begins an answer while the limiter waits for KV; an error of its input is kept for the handler. */
function beginAnswer(begin: Begin, request: Request, client: string): Handler {
  try {
    return begin(request, client);
  } catch (error) {
    return () => Promise.reject(error);
  }
}

function counted(
  { answer, reject }: Call,
  { headers: limit, client, retryAfter }: LimitDecision,
  begun: Handler | undefined,
): Counted {
  if (retryAfter === undefined) {
    return { limit, client, answer: begun ?? answer, isRejected: false };
  }
  const rejected: Handler = (context) => reject(context, retryAfter);
  return { limit, client, answer: rejected, isRejected: true };
}
