/** What the Hono app knows of each request, beside the request itself. */
import { ANSWER_MS, type Waiter } from "../flow/cache/flight.ts";
import type { Context, Handler, MiddlewareHandler } from "hono";

/** The bindings and variables of a request's context. */
export interface AppEnv {
  /** What `Deno.serve` passes; absent where a test calls `app.request()` without it. */
  Bindings: Partial<Pick<Deno.ServeHandlerInfo<Deno.NetAddr>, "remoteAddr">>;
  Variables: {
    requestId: string;
    /** The rate-limit key: clients take turns by it where look-ups wait. */
    client: string;
    /** The network that turns and places are dealt by first: an IPv6 /48, an IPv4 /24, or an API key. */
    site: string;
    /** The headers of every response, by names in lower case; those of the client's limit once it is known. */
    headers: Record<string, string>;
  };
}

/** The context of a request. */
export type AppContext = Context<AppEnv>;

/** Who sent a request: turns and places are dealt by site first, then by client. */
export interface Sender {
  readonly client: string;
  readonly site: string;
}

/** The sender of a request whose limit has been read. */
export function senderOf(c: AppContext): Sender {
  return { client: c.get("client"), site: c.get("site") };
}

/** The client of a request that waits for an answer in one piece. */
export function waiterOf(c: AppContext): Waiter {
  return { signal: c.req.raw.signal, answerBy: performance.now() + ANSWER_MS, ...senderOf(c) };
}

/** A handler of the app. */
export type AppHandler = Handler<AppEnv>;

/** A middleware of the app. */
export type AppMiddleware = MiddlewareHandler<AppEnv>;
