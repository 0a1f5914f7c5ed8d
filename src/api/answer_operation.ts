/** Handlers of operations: they read the query, and answer with JSON or with a stream of rows. */
import { getQueryParams } from "hono/utils/url";
import type { Waiter } from "../flow/cache/flight.ts";
import { memoized } from "../flow/cache/memory.ts";
import { parseJson } from "../rules/readers/http_message.ts";
import type { Services } from "../wiring/services.ts";
import { createBodyReader, type PulledBody } from "./bodies.ts";
import { checkNames } from "./check_names.ts";
import {
  type AppContext,
  type AppHandler,
  RequestWaiter,
  send,
  senderOf,
  sendJson,
  sendStream,
} from "./context.ts";
import { ApiError } from "./errors.ts";
import { baseUrl } from "./middleware.ts";
import { createReadQuery, misspelt, type Operation, slipAmong } from "./operation.ts";
import { limitByBody, type ReadRequest, type RequestLimiter } from "./rate_limit.ts";
import { createAnswerStream, LAST_EVENT, type Results, streamFormatOf } from "./stream.ts";

/** Reports a bug to the log. */
export type ReportFault = (error: unknown, c: AppContext) => void;

/** What the handlers of operations use. */
interface HandlerOptions {
  readonly services: Services;
  readonly reportFault: ReportFault;
  readonly pulledBody: PulledBody;
}

/** The queries of an operation that are memoized: reading one takes a sixth of the time of a cached answer (measured). */
const MAX_QUERIES = 4_000;

/** The handler of an operation, and what its requests cost. */
export function answerOperation(operation: Operation, options: HandlerOptions) {
  const readQuery = createReadQuery(operation);
  const queryOf = memoized((url) => readQuery(parametersOf(url)), MAX_QUERIES);
  const respondTo = createRespondTo(operation, options);

  function cost(c: AppContext): number {
    try {
      return operation.cost?.(queryOf(c.req.url)) ?? 1;
    } catch {
      // The handler answers an invalid query.
      return 1;
    }
  }

  const answer: AppHandler = async (c) => await respondTo(queryOf(c.req.url), c);
  return { answer, cost };
}

function parametersOf(url: string): Record<string, string[]> {
  // Without a name it gives all parameters.
  return getQueryParams(url) as Record<string, string[]>;
}

/** The handler of `POST /check`; the body decides what a request costs. */
export function answerPost(
  { limiter, ...options }: HandlerOptions & { limiter: RequestLimiter },
): AppHandler {
  const { services } = options;
  const readBody = createBodyReader();
  const readQuery = createReadQuery(checkNames);
  const respondTo = createRespondTo(checkNames, options);
  let schema: ReturnType<typeof checkNames.body> | undefined;

  function parse(text: string) {
    schema ??= checkNames.body();
    const sent = parseJson(text);
    if (sent === undefined) throw new ApiError("invalid_body", "it is not JSON");
    const slip = slipAmong(Object.keys(Object(sent)), Object.keys(schema.shape));
    if (slip !== undefined) throw misspelt(slip);
    const reading = schema.safeParse(sent);
    if (reading.success) return reading.data;
    throw new ApiError("invalid_body", reading.error.issues[0]?.message);
  }

  async function read(c: AppContext): Promise<ReadRequest> {
    if (!JSON_TYPE.test(c.req.header("content-type") ?? "")) {
      throw new ApiError("unsupported_media_type");
    }
    const query = readQuery(parametersOf(c.req.url));
    const body = parse(await readBody(c.req.raw, senderOf(c)));
    const cost = await checkNames.cost(body, services);
    return { cost, answer: (c) => respondTo({ query, body }, c) };
  }

  return limitByBody(limiter, read);
}

const JSON_TYPE = /^application\/json *(?:;|$)/i;

/** Answers an input that has been read, in the format that the request prefers. */
function createRespondTo<Input, Answer>(
  { run, stream, serverTiming, textHeaders }: {
    run(input: Input, services: Services, waiter?: Waiter): Promise<Answer> | Answer;
    serverTiming?(answer: Answer): string;
    textHeaders?: Operation["textHeaders"];
    stream?(input: Input, services: Services, waiter?: Waiter): Promise<Results>;
  },
  { services, reportFault, pulledBody }: HandlerOptions,
): (input: Input, c: AppContext) => Promise<Response> {
  return async (input, c) => {
    const format = stream && streamFormatOf(c.req.header("accept"));
    if (stream === undefined || format === undefined) {
      const answer = await run(input, services, new RequestWaiter(c));
      if (textHeaders !== undefined) {
        const base = baseUrl(c.req.raw, services.limits.trustedProxies);
        return send(c, `${answer}`.replaceAll("{base}", base), textHeaders);
      }
      const timing = serverTiming?.(answer);
      const headers = {
        ...(stream && { vary: "Accept" }),
        ...(timing !== undefined && { "server-timing": timing }),
      };
      return sendJson(c, answer, headers, pulledBody);
    }
    if (c.req.header("last-event-id") === LAST_EVENT) return send(c, null, {}, 204);
    const events = createAnswerStream(format);
    const results = await stream(input, services, new RequestWaiter(c, events));
    // A streamed body has no length to announce, so HEAD looks nothing up.
    const body = c.req.method === "HEAD"
      ? null
      : pulledBody(events.chunksOf(results, (error) => reportFault(error, c)), senderOf(c));
    return sendStream(c, format.mediaType, body);
  };
}
