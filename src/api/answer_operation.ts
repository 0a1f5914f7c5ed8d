/** Operations over HTTP: reads the query, and answers with JSON or with a stream of rows. */
import { getQueryParams } from "hono/utils/url";
import type { Spent, Waiter } from "../flow/flight.ts";
import type { Services } from "../wiring/services.ts";
import { createReadQuery, type Operation } from "./operation.ts";
import {
  jsonResponse,
  negotiatedResponse,
  type RequestContext,
  streamResponse,
} from "./responses.ts";
import type { Handler } from "./routes.ts";
import { streamBody, streamFormatOf } from "./stream.ts";

/** Reports a bug to the log. */
export type ReportFault = (error: unknown, context: RequestContext, path: string) => void;

/** The client of a look-up; a class, because an object literal with a getter costs a microsecond. */
class TimedWaiter implements Waiter {
  spent: Spent | undefined;
  readonly client: string;
  readonly #request: Request;

  constructor(request: Request, client: string) {
    this.#request = request;
    this.client = client;
  }

  /** Read only when needed: a request creates its signal at the first read. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }

  onSpent(spent: Spent): void {
    this.spent = spent;
  }
}

/** Answers the requests to an operation. */
export function answerOperation(
  operation: Operation,
  { services, reportFault }: { services: Services; reportFault: ReportFault },
): Handler {
  const readQuery = createReadQuery(operation);
  const { run, stream, serverTiming } = operation;
  return async (context, request, path) => {
    // Without a name it gives all parameters.
    const query = readQuery(getQueryParams(request.url) as Record<string, string[]>);
    if (stream === undefined) {
      const body = await run(query, services, request);
      return jsonResponse(context, body, serverTiming?.(body, undefined));
    }
    const format = streamFormatOf(request.headers.get("accept"));
    if (format === undefined) {
      const waiter = new TimedWaiter(request, context.client);
      const body = await run(query, services, waiter);
      return negotiatedResponse(context, body, serverTiming?.(body, waiter.spent));
    }
    // A streamed body has no length to announce, so HEAD looks nothing up.
    if (request.method === "HEAD") {
      return streamResponse(context, format.mediaType, ReadableStream.from([]));
    }
    const results = await stream.run(query, services, new TimedWaiter(request, context.client));
    const onError = (error: unknown) => reportFault(error, context, path);
    return streamResponse(context, format.mediaType, streamBody(results, { format, onError }));
  };
}
