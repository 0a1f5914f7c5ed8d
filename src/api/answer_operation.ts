/** Handlers of operations: they read the query and the body, and answer with JSON or with a stream of rows. */
import { getQueryParams } from "hono/utils/url";
import { memoized } from "../flow/cache/memory.ts";
import { isObject, parseJson } from "../rules/readers/http_message.ts";
import type { Services } from "../wiring/services.ts";
import { createBodyReader, type PulledBody } from "./bodies.ts";
import {
  type AppContext,
  type AppHandler,
  JSON_TYPE,
  RequestWaiter,
  send,
  sendLong,
} from "./context.ts";
import { ApiError } from "./errors.ts";
import { baseUrl } from "./middleware.ts";
import { createReadQuery, type Elsewhere, type Operation, slipAmong } from "./operation.ts";
import { type CountRequest, limitByInput } from "./rate_limit.ts";
import { createAnswerStream, LAST_EVENT, streamFormatOf } from "./stream.ts";

/** What the handlers of operations use. */
interface HandlerOptions {
  readonly services: Services;
  readonly count: CountRequest;
  /** Reports a bug to the log. */
  readonly reportFault: (error: unknown, c: AppContext) => void;
  readonly pulledBody: PulledBody;
}

/** The queries of an operation that are memoized: reading one takes a sixth of the time of a cached answer (measured). */
const MAX_QUERIES = 4_000;

/** The handler of an operation. It counts the requests of one whose input says what they cost. */
export function answerOperation(
  operation: Operation,
  { services, count, reportFault, pulledBody }: HandlerOptions,
): AppHandler {
  const { body, cost, run, stream, serverTiming, textHeaders } = operation;
  const readQuery = createReadQuery(operation);
  // Without a name `getQueryParams` gives all parameters.
  const queryOf = memoized(
    (url) => readQuery(getQueryParams(url) as Record<string, string[]>),
    MAX_QUERIES,
  );
  const bodyOf = body && createReadJson(body, operation.query);

  /** Answers an input that has been read, in the format that the request prefers. */
  async function respondTo(input: Record<string, unknown>, c: AppContext): Promise<Response> {
    const format = stream && streamFormatOf(c.req.header("accept"));
    if (stream === undefined || format === undefined) {
      const answer = await run(input, services, new RequestWaiter(c));
      if (textHeaders !== undefined) {
        const base = baseUrl(c.req.raw, services.limits.trustedProxies);
        return send(c, `${answer}`.replaceAll("{base}", base), textHeaders);
      }
      const headers = {
        ...JSON_TYPE,
        ...(stream && { vary: "Accept" }),
        ...(serverTiming && { "server-timing": serverTiming(answer) }),
      };
      return sendLong(c, JSON.stringify(answer), headers, { pulledBody });
    }
    if (c.req.header("last-event-id") === LAST_EVENT) return send(c, null, {}, 204);
    const events = createAnswerStream(format);
    const results = await stream(input, services, new RequestWaiter(c, events));
    // A streamed body has no length to announce, so HEAD looks nothing up.
    const chunks = c.req.method === "HEAD" ? null : pulledBody(
      events.chunksOf(results, (error) => reportFault(error, c)),
      c.get("sender"),
      events,
    );
    // Deno does not end each body whose client leaves.
    c.req.raw.signal.addEventListener("abort", () => events.left.abort());
    return send(c, chunks, {
      "content-type": format.mediaType,
      "vary": "Accept",
      // No compression and no buffering, so that rows arrive at once; X-Accel-Buffering is nginx's header for that.
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
  }

  if (cost === undefined) return (c) => respondTo(queryOf(c.req.url), c);
  return limitByInput(count, async (c) => {
    const input = { ...queryOf(c.req.url), ...await bodyOf?.(c) };
    return { cost: await cost(input, services), answer: (c) => respondTo(input, c) };
  });
}

/** Creates the reader of bodies in JSON, which throws an `ApiError` for any other. */
function createReadJson(body: NonNullable<Operation["body"]>, query: Operation["query"]) {
  const readBody = createBodyReader();
  let schema: ReturnType<typeof body> | undefined;
  let elsewhere: Elsewhere | undefined;
  return async (c: AppContext): Promise<Record<string, unknown>> => {
    if (!IS_JSON.test(c.req.header("content-type") ?? "")) {
      throw new ApiError("unsupported_media_type");
    }
    const sent = parseJson(await readBody(c.req.raw, c.get("sender")));
    if (sent === undefined) throw new ApiError("invalid_body", "it is not JSON");
    schema ??= body();
    elsewhere ??= { schema: query(), place: "query" };
    const slip = isObject(sent) ? slipAmong(Object.keys(sent), schema, elsewhere) : undefined;
    if (slip !== undefined) throw slip.error;
    const reading = schema.safeParse(sent);
    if (reading.success) return reading.data;
    throw new ApiError("invalid_body", reading.error.issues[0]?.message);
  };
}

const IS_JSON = /^application\/json *(?:;|$)/i;
