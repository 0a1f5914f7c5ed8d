/** The Hono app: its middleware, its routes, and the answers to the rest. */
import { Hono } from "hono";
import { compress } from "hono/compress";
import { answerOperation } from "./api/answer_operation.ts";
import { createPulledBody, type PulledBodyOptions } from "./api/bodies.ts";
import { check } from "./api/check.ts";
import { checkNames } from "./api/check_names.ts";
import { type AppContext, type AppEnv, sendError } from "./api/context.ts";
import { details } from "./api/details.ts";
import { ensCheck, ensMetadata } from "./api/ens.ts";
import { ApiError } from "./api/errors.ts";
import { health, metrics, ready } from "./api/health.ts";
import { answerOptions, answerRest, frame, revalidate } from "./api/middleware.ts";
import type { Operation } from "./api/operation.ts";
import { createRequestCounter, rateLimit } from "./api/rate_limit.ts";
import { register } from "./api/register.ts";
import { tlds } from "./api/tlds.ts";
import { watchAtom, watchCalendar } from "./api/watch.ts";
import type { DocumentPath } from "./documents/documents.ts";
import { lazy } from "./flow/cache/flight.ts";
import type { Log } from "./log.ts";
import type { Services } from "./wiring/services.ts";

const DOCUMENT_PATHS: DocumentPath[] = [
  "/openapi.yaml",
  "/openapi.json",
  "/docs",
  "/docs/rapidoc-9.3.8.min.js",
  "/llms.txt",
  "/skill.md",
  "/robots.txt",
  "/server.json",
];

/** Creates the app; `Deno.serve` serves its `fetch`. */
export function createApp(
  services: Services,
  log: Log,
  /** The bounds of long answers and streams. */
  bounds: Pick<PulledBodyOptions, "ms" | "limits"> = {},
): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const count = createRequestCounter(services);
  const limited = rateLimit(count);
  const unlimited = rateLimit(count, { cost: 0 });
  const reportFault = (error: unknown, c: AppContext) =>
    log.error("request.failed", {
      requestId: c.get("headers")["x-request-id"],
      path: c.req.path,
      error: error instanceof Error ? error.stack : `${error}`,
    });
  const pulledBody = createPulledBody({ ...bounds, ending: services.ending });
  // Imported at their first request, so that a start does not pay for them.
  const page = lazy(async () => (await import("./page/page.ts")).openPage(services));
  const documents = lazy(async () =>
    (await import("./documents/documents.ts")).openDocuments(services)
  );
  const mcp = lazy(async () => {
    const { createMcpEndpoint } = await import("./mcp/endpoint.ts");
    return createMcpEndpoint(services, { count, reports: log, pulledBody });
  });
  const answer = (operation: Operation) =>
    answerOperation(operation, { services, count, reportFault, pulledBody });

  app.use(frame(services, limited));

  app.get(check.path, limited, answer(check));
  // It and the feeds count themselves: a request costs one for each of its names.
  app.post(checkNames.path, answer(checkNames));
  app.get(tlds.path, limited, answer(tlds));
  app.get(register.path, limited, answer(register));
  app.get(details.path, limited, answer(details));
  app.get(watchAtom.path, revalidate, answer(watchAtom));
  app.get(watchCalendar.path, revalidate, answer(watchCalendar));
  app.get(ensCheck.path, limited, answer(ensCheck));
  app.get(ensMetadata.path, limited, answer(ensMetadata));
  // What monitors the service neither uses up the limit of its address, nor is rejected for the requests of another.
  const monitored = rateLimit(count, { counter: "status:" });
  app.get(health.path, monitored, answer(health));
  app.get(ready.path, unlimited, answer(ready));
  app.get(metrics.path, monitored, answer(metrics));
  app.on("POST", ["/mcp", "/mcp/"], async (c, next) => await (await mcp.get())(c, next));

  app.get("/", unlimited, compress(), revalidate, async (c) => await (await page.get()).home(c));
  app.get(
    // No name that a URL parser would make another path of: such a path costs a request.
    "/static/:file{[\\w-]+(?:\\.[\\w-]+)*}",
    unlimited,
    revalidate,
    async (c) => (await page.get()).file(c),
  );
  app.get(
    "/tld-offers.json",
    unlimited,
    compress(),
    async (c) => await (await page.get()).tldOffers(c),
  );
  app.get(
    "/search",
    compress(),
    rateLimit(count, { reject: async (...args) => (await page.get()).rejectSearch(...args) }),
    async (c) => await (await page.get()).search(c),
  );
  app.on(
    "GET",
    DOCUMENT_PATHS,
    limited,
    // Hono takes YAML for no text.
    compress({ contentTypeFilter: /^(?:application|text)\// }),
    revalidate,
    async (c, next) => await (await documents.get())(c, next),
  );

  app.options("*", limited, answerOptions(app));
  // What no route answers is counted, too.
  app.use(limited);
  app.notFound(answerRest(app));
  app.onError((error, c) => {
    if (error instanceof ApiError) return sendError(c, error);
    reportFault(error, c);
    return sendError(c, new ApiError("internal_error"));
  });
  return app;
}
