/** The table of contents: what is answered at which path, and what happens before and around it. */
import { type Context, type Handler, Hono } from "hono";
import { ApiError } from "./api/errors.ts";
import { isHostHeader } from "./api/host_header.ts";
import { createReadQuery, type Operation } from "./api/operation.ts";
import { operations } from "./api/operations.ts";
import { createLimitRequest } from "./api/rate_limit.ts";
import {
  errorResponse,
  jsonResponse,
  negotiatedResponse,
  preflightResponse,
  requestIdOf,
  streamResponse,
  type Visit,
} from "./api/responses.ts";
import { streamBody, streamFormatOf } from "./api/stream.ts";
import type { Log } from "./log.ts";
import type { Services } from "./services.ts";

const METHODS = "GET, HEAD, OPTIONS";
/** Made once: an error's stack costs more than the refusal, and a flood is when it must be cheap. */
const LIMITED = new ApiError("rate_limit_exceeded");

/** What a route finds in its context: the visit that its answer is for. */
interface Env {
  Bindings: { visit: Visit };
}

/** Answers a request that came from an address. */
export type Handle = (request: Request, address: string) => Promise<Response>;

/** Creates the handler of all requests. */
export function createApp(services: Services, log: Log): Handle {
  const app = createRoutes(services, log);
  const limitRequest = createLimitRequest(services);
  return async (request, address) => {
    const requestId = requestIdOf(request);
    const { headers: limit, retryAfter } = await limitRequest(request, address);
    const visit: Visit = { requestId, limit };
    if (retryAfter !== undefined) {
      return errorResponse(visit, LIMITED, { "retry-after": `${retryAfter}` });
    }
    // Before any routing: the path is read from a URL that the Host header is part of.
    if (isHostHeader(request.headers.get("host"))) return app.fetch(request, { visit });
    return errorResponse(visit, new ApiError("invalid_host"));
  };
}

function createRoutes(services: Services, log: Log): Hono<Env> {
  const app = new Hono<Env>();
  const reportFault = (error: unknown, { env: { visit: { requestId } }, req }: Context<Env>) =>
    log.error("request.failed", {
      requestId,
      path: req.path,
      error: error instanceof Error ? error.stack : `${error}`,
    });
  for (const operation of operations) {
    app.get(operation.path, answer(operation, { services, reportFault }));
    app.options(operation.path, (c) => preflightResponse(c.env.visit, METHODS));
    app.all(
      operation.path,
      (c) => errorResponse(c.env.visit, new ApiError("method_not_allowed"), { allow: METHODS }),
    );
  }
  app.options("*", (c) => preflightResponse(c.env.visit, METHODS));
  app.notFound((c) => errorResponse(c.env.visit, new ApiError("not_found")));
  app.onError((error, c) => {
    const { visit } = c.env;
    if (error instanceof ApiError) return errorResponse(visit, error);
    reportFault(error, c);
    return errorResponse(visit, new ApiError("internal_error"));
  });
  return app;
}

function answer(
  operation: Operation,
  { services, reportFault }: {
    services: Services;
    reportFault: (error: unknown, c: Context<Env>) => void;
  },
): Handler<Env> {
  const readQuery = createReadQuery(operation);
  const { run, stream } = operation;
  return async (c) => {
    const { env: { visit }, req } = c;
    const query = readQuery(req.queries());
    if (stream === undefined) return jsonResponse(visit, 200, await run(query, services, req.raw));
    const format = streamFormatOf(req.raw.headers.get("accept"));
    if (format === undefined) return negotiatedResponse(visit, await run(query, services, req.raw));
    const pieces = await stream.run(query, services, req.raw);
    const onError = (error: unknown) => reportFault(error, c);
    return streamResponse(visit, format.mediaType, streamBody(pieces, { format, onError }));
  };
}
