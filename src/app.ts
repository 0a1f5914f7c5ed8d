/** The table of contents: what is answered at which path, and what happens before and around it. */
import { type Handler, Hono } from "hono";
import { ApiError } from "./api/errors.ts";
import { isHostHeader } from "./api/host_header.ts";
import { createReadQuery, type Operation } from "./api/operation.ts";
import { operations } from "./api/operations.ts";
import { errorResponse, jsonResponse, preflightResponse, receive } from "./api/responses.ts";
import type { Log } from "./log.ts";
import type { Services } from "./services.ts";

const METHODS = "GET, HEAD, OPTIONS";

/** Creates the handler of all requests. */
export function createApp(
  services: Services,
  log: Log,
): (request: Request) => Response | Promise<Response> {
  const app = new Hono();
  for (const operation of operations) {
    app.get(operation.path, answer(operation, services));
    app.options(operation.path, (c) => preflightResponse(receive(c.req.raw), METHODS));
    app.all(
      operation.path,
      (c) =>
        errorResponse(receive(c.req.raw), new ApiError("method_not_allowed"), { allow: METHODS }),
    );
  }
  app.options("*", (c) => preflightResponse(receive(c.req.raw), METHODS));
  app.notFound((c) => errorResponse(receive(c.req.raw), new ApiError("not_found")));
  app.onError((error, c) => {
    const visit = receive(c.req.raw);
    if (error instanceof ApiError) return errorResponse(visit, error);
    log.error("request.failed", { ...visit, path: c.req.path, error: error.stack });
    return errorResponse(visit, new ApiError("internal_error"));
  });

  return (request) => {
    // Before any routing: the path is read from a URL that the Host header is part of.
    if (isHostHeader(request.headers.get("host"))) return app.fetch(request);
    return errorResponse(receive(request), new ApiError("invalid_host"));
  };
}

function answer(operation: Operation, services: Services): Handler {
  const readQuery = createReadQuery(operation);
  return async (c) => {
    const query = readQuery(c.req.queries());
    return jsonResponse(receive(c.req.raw), 200, await operation.run(query, services));
  };
}
