/** Operations over HTTP: reads the query, and answers with JSON or with a stream of rows. */
import { getQueryParams } from "hono/utils/url";
import { type Awaitable, whenReady } from "../flow/awaitable.ts";
import type { Pending, Spent, Waiter } from "../flow/flight.ts";
import { createMailbox } from "../flow/mailbox.ts";
import { memoized } from "../flow/memoized.ts";
import { startReading } from "../flow/start_reading.ts";
import type { Services } from "../wiring/services.ts";
import { ApiError } from "./errors.ts";
import { createReadQuery, type Operation, type PostOperation } from "./operation.ts";
import { addressSubject } from "./rate_limit.ts";
import { BUSY_SECONDS, createBodyReader } from "./request_body.ts";
import {
  errorResponse,
  jsonResponse,
  negotiatedResponse,
  type RequestContext,
  streamResponse,
} from "./responses.ts";
import {
  type Begin,
  type Call,
  createCall,
  type Handler,
  rejectInJson,
  type UnreadCall,
} from "./routes.ts";
import { type Results, type SideEvents, streamBody, streamFormatOf } from "./stream.ts";

/** Reports a bug to the log. */
export type ReportFault = (error: unknown, context: RequestContext, path: string) => void;

/** The client of a look-up; a class, because an object literal with a getter costs a microsecond. */
class TimedWaiter implements Waiter {
  spent: Spent | undefined;
  readonly client: string;
  readonly onPending: Waiter["onPending"];
  readonly onCorrection: Waiter["onCorrection"];
  readonly #request: Request;

  constructor(request: Request, client: string, sideEvents?: SideEvents) {
    this.#request = request;
    this.client = client;
    this.onPending = sideEvents?.pendings.put;
    this.onCorrection = sideEvents && ((domain, correction) => {
      sideEvents.corrections.set(domain, correction);
    });
  }

  /** Read only when needed: a request creates its signal at the first read. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }

  onSpent(spent: Spent): void {
    this.spent = spent;
  }
}

/** The queries of an operation that are memoized: reading one takes a sixth of the time of a cached answer (measured). */
const MAX_QUERIES = 4_000;

/** Answers the requests to an operation. */
export function answerOperation(
  operation: Operation,
  { services, reportFault }: { services: Services; reportFault: ReportFault },
): Call {
  const readQuery = createReadQuery(operation);
  const queryOf = memoized((url) => readQuery(parametersOf(url)), MAX_QUERIES);
  const beginWith = createBegin(operation, { services, reportFault });
  const begin: Begin = (request, client) => beginWith(queryOf(request.url), request, client);
  const answer: Handler = (context, request, path) =>
    begin(request, context.client)(context, request, path);
  return { ...createCall(answer), ...(operation.hasLookups && { begin }) };
}

function parametersOf(url: string): Record<string, string[]> {
  // Without a name it gives all parameters.
  return getQueryParams(url) as Record<string, string[]>;
}

/** Answers the requests to an operation that takes a body; the body decides what a request costs. */
export function answerPost(
  operation: PostOperation,
  { services, reportFault }: { services: Services; reportFault: ReportFault },
): UnreadCall {
  const readBody = createBodyReader();
  const readQuery = createReadQuery(operation);
  const beginWith = createBegin(operation, { services, reportFault });
  const { trustedProxies } = services.limits;
  let schema: ReturnType<typeof operation.body> | undefined;

  function parse(text: string) {
    schema ??= operation.body();
    const reading = schema.safeParse(parseJson(text));
    if (reading.success) return reading.data;
    throw new ApiError("invalid_body", reading.error.issues[0]?.message);
  }

  return {
    async read(request, address): Promise<Call> {
      if (!JSON_TYPE.test(request.headers.get("content-type") ?? "")) {
        throw new ApiError("unsupported_media_type");
      }
      const query = readQuery(parametersOf(request.url));
      const read = await readBody(request, addressSubject(request, address, trustedProxies));
      if (read.kind === "refused") {
        if (read.reason === "busy") return BUSY;
        throw read.reason === "tooLarge"
          ? new ApiError("payload_too_large")
          : new ApiError("invalid_body", "it did not arrive whole within 5 seconds");
      }
      const body = parse(read.text);
      const cost = await operation.cost(body, services);
      return {
        cost,
        answer: (context, request, path) =>
          beginWith({ query, body }, request, context.client)(context, request, path),
        reject: (context, retryAfter) => rejectCost(context, { cost, retryAfter }),
      };
    },
    reject: rejectInJson,
  };
}

const JSON_TYPE = /^application\/json *(?:;|$)/i;

const BUSY = createCall((context) =>
  errorResponse(
    context,
    new ApiError("service_unavailable", "too many bodies are being read", "Busy"),
    { "retry-after": `${BUSY_SECONDS}` },
  )
);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("invalid_body", "it is not JSON");
  }
}

/** Without Retry-After where the cost is more than the whole limit: no wait would help. */
function rejectCost(
  context: RequestContext,
  { cost, retryAfter }: { cost: number; retryAfter: number },
): Response {
  const { limit, remaining } = context.limit;
  const problem = `Too many requests: this one costs ${cost}, one for each name`;
  if (cost > Number(limit)) {
    const advice = `send at most ${limit} names, which is the limit per minute`;
    return errorResponse(context, new ApiError("rate_limit_exceeded", advice, problem));
  }
  const advice = `${remaining} are left; send fewer names, or retry in ${retryAfter} s`;
  return errorResponse(context, new ApiError("rate_limit_exceeded", advice, problem), {
    "retry-after": `${retryAfter}`,
  });
}

/** Begins the answer to a request whose input has been read: nothing waits for what has begun if the request is rejected. */
function createBegin<Input, Answer>(
  { run, stream, serverTiming }: {
    run(input: Input, services: Services, waiter?: Waiter): Awaitable<Answer>;
    serverTiming?(answer: Answer, spent: Spent | undefined): string;
    stream?: { run(input: Input, services: Services, waiter?: Waiter): Promise<Results> };
  },
  { services, reportFault }: { services: Services; reportFault: ReportFault },
) {
  function start(input: Input, waiter: Waiter): Awaitable<Answer> {
    const body = run(input, services, waiter);
    if (body instanceof Promise) body.catch(() => {});
    return body;
  }

  return (input: Input, request: Request, client: string): Handler => {
    if (stream === undefined) {
      const body = start(input, request);
      return (context) =>
        whenReady(body, (body) => jsonResponse(context, body, serverTiming?.(body, undefined)));
    }
    const format = streamFormatOf(request.headers.get("accept"));
    if (format === undefined) {
      const waiter = new TimedWaiter(request, client);
      const body = start(input, waiter);
      return (context) =>
        whenReady(
          body,
          (body) => negotiatedResponse(context, body, serverTiming?.(body, waiter.spent)),
        );
    }
    // A streamed body has no length to announce, so HEAD looks nothing up.
    if (request.method === "HEAD") {
      return (context) => streamResponse(context, format.mediaType, ReadableStream.from([]));
    }
    const sideEvents: SideEvents | undefined = format.sideEvents &&
      { pendings: createMailbox<Pending>(), corrections: new Map() };
    const waiter = new TimedWaiter(request, client, sideEvents);
    const starting = stream.run(input, services, waiter).then(startReading);
    starting.catch(() => {});
    return async (context, _request, path) => {
      const onError = (error: unknown) => reportFault(error, context, path);
      const body = streamBody(await starting, { format, sideEvents, onError });
      return streamResponse(context, format.mediaType, body);
    };
  };
}
