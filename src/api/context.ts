/**
 * The context of a request in the Hono app, and the responses made from it. The headers of every response are a record in the
 * context, and each response is made with it at once: `c.header()`, and changes of a finished response, copy all of them each
 * time.
 */
import type { Context, Handler, MiddlewareHandler } from "hono";
import { ANSWER_MS, type Waiter } from "../flow/cache/flight.ts";
import { chunksOf, type PulledBody, type Sender } from "./bodies.ts";
import type { ApiError } from "./errors.ts";

/** The bindings and variables of a request's context. */
export interface AppEnv {
  /** What `Deno.serve` passes; absent where a test calls `app.request()` without it. */
  Bindings: Partial<Pick<Deno.ServeHandlerInfo<Deno.NetAddr>, "remoteAddr">>;
  Variables: {
    /** Who sent it, once its limit has been read: clients and their networks take turns where look-ups wait. */
    sender: Sender;
    /** The headers of every response, by names in lower case; those of the client's limit once it is known. */
    headers: Record<string, string>;
  };
}

/** The context of a request. */
export type AppContext = Context<AppEnv>;

/** The client of a request; a class, because an object literal with a getter costs a microsecond. */
export class RequestWaiter implements Waiter {
  isList = false;
  readonly answerBy: number | undefined;
  readonly client: string;
  readonly site: string;
  readonly onPending: Waiter["onPending"];
  readonly #leaving: Pick<Waiter, "signal">;

  /** Without the events of a stream, which waits as long as its client reads, it waits for an answer in one piece. */
  constructor(c: AppContext, events?: Pick<Waiter, "onPending"> & { left: AbortController }) {
    this.#leaving = events?.left ?? c.req.raw;
    ({ client: this.client, site: this.site } = c.get("sender"));
    this.answerBy = events === undefined ? performance.now() + ANSWER_MS : undefined;
    this.onPending = events?.onPending;
  }

  /** Read only when needed: a request creates its signal at the first read. */
  get signal(): AbortSignal {
    return this.#leaving.signal;
  }
}

/** A handler of the app. */
export type AppHandler = Handler<AppEnv>;

/** A middleware of the app. */
export type AppMiddleware = MiddlewareHandler<AppEnv>;

type Headers = Readonly<Record<string, string>>;

/** The headers of an answer in JSON. */
export const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

/** A longer text is pulled: whole, it would be held until its client has read it or leaves. */
const MAX_WHOLE_TEXT = 65_536;

/** Sends a body with the headers of every response, which `headers` override. */
export function send(
  c: AppContext,
  body: BodyInit | null,
  headers: Headers,
  status = 200,
): Response {
  return new Response(body, { status, headers: { ...c.get("headers"), ...headers } });
}

/** Sends a text; a long one is pulled. */
export function sendLong(
  c: AppContext,
  text: string,
  headers: Headers,
  { status = 200, pulledBody }: { status?: number; pulledBody: PulledBody },
): Response {
  if (text.length <= MAX_WHOLE_TEXT) return send(c, text, headers, status);
  const bytes = new TextEncoder().encode(text);
  const body = pulledBody(chunksOf(bytes), c.get("sender"));
  return send(c, body, { "content-length": `${bytes.length}`, ...headers }, status);
}

/** Sends an error. */
export function sendError(c: AppContext, error: ApiError): Response {
  return send(
    c,
    JSON.stringify(error.toBody()),
    { ...JSON_TYPE, ...error.headers },
    error.status,
  );
}
