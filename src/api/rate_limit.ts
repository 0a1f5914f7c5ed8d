/** Counts requests against the limit of their API key or address, reports the limit in headers, and rejects with 429. */
import { memoized } from "../flow/cache/memory.ts";
import type { LimitState } from "../rate_limit/limiter.ts";
import { type AddressClient, clientOfAddress, clientOfRequest } from "../rules/ip_address.ts";
import type { Services } from "../wiring/services.ts";
import { type AppContext, type AppHandler, type AppMiddleware, sendError } from "./context.ts";
import { ApiError } from "./errors.ts";

/** Counts the requests of a client. */
export type CountRequest = ReturnType<typeof createRequestCounter>;

/** Sends the error of a request over the limit. */
type Reject = (c: AppContext, error: ApiError) => Response | Promise<Response>;

/** Waits of which the errors are memoized; none is longer than the limit's 60 s by much. */
const MAX_WAITS = 128;

/** The error of a rejected request; memoized, because capturing a stack costs more than the answer. */
const limitedFor = memoized((seconds) => {
  const { message } = new ApiError("rate_limit_exceeded");
  const problem = `${message} The next request is admitted in ${seconds} s.`;
  return new ApiError("rate_limit_exceeded", undefined, problem, { "retry-after": seconds });
}, MAX_WAITS);

/**
 * The error of a request over the limit that costs `cost` requests; without Retry-After if that is more than the whole limit.
 */
function limitError(c: AppContext, cost: number, retryAfter: number): ApiError {
  if (cost === 1) return limitedFor(`${retryAfter}`);
  const { "x-ratelimit-limit": limit, "x-ratelimit-remaining": left } = c.get("headers");
  const problem = `Too many requests: this one costs ${cost}, one for each name`;
  if (cost > Number(limit)) {
    const advice = `send at most ${limit} names, which is the limit per minute`;
    return new ApiError("rate_limit_exceeded", advice, problem);
  }
  const advice =
    `${left} are left; send fewer names, or retry after 60 seconds: these are admitted in ${retryAfter} s`;
  const headers = { "retry-after": `${retryAfter}` };
  return new ApiError("rate_limit_exceeded", advice, problem, headers);
}

/** Counts a request before its handler runs; `reject` sends the error of one over the limit. */
export function rateLimit(
  count: CountRequest,
  { cost = 1, reject = sendError, counter = "" }: {
    /** 0: the limit is only shown. */
    cost?: 0 | 1;
    reject?: Reject;
    /** Counts apart from the client's other requests: those to what monitors a service must not use up its limit. */
    counter?: "status:" | "";
  } = {},
): AppMiddleware {
  return async (c, next) => {
    const retryAfter = await count(c, cost, counter);
    if (retryAfter !== undefined) return await reject(c, limitError(c, cost, retryAfter));
    await next();
  };
}

/** A request that was read, what it costs, and how it is rejected, if not as others. */
export interface ReadRequest {
  readonly cost: number;
  answer(c: AppContext): Response | Promise<Response>;
  readonly reject?: Reject;
}

/** Handles requests whose cost is in their input, which is read before; one that cannot be read costs one. */
export function limitByInput(
  count: CountRequest,
  read: (c: AppContext) => Promise<ReadRequest>,
): AppHandler {
  return async (c) => {
    // The bounds of bodies are those of the client.
    await count(c, 0);
    const { cost, answer, reject = sendError } = await read(c).catch((error): ReadRequest => (
      { cost: 1, answer: () => Promise.reject(error) }
    ));
    const retryAfter = await count(c, cost);
    if (retryAfter !== undefined) return await reject(c, limitError(c, cost, retryAfter));
    return await answer(c);
  };
}

/** A client of the limiter, and its limit. */
interface Client extends Pick<AddressClient, "key" | "site" | "prefixes"> {
  readonly kind: "ip" | "key";
  readonly limit: number;
}

/** Addresses whose keys are memoized: reading an address takes a tenth of the time of a cached answer. */
const MAX_ADDRESSES = 10_000;

const BEARER = /^Bearer +(?<key>\S+) *$/i;

/**
 * Creates what counts a request as `cost` requests, or rejects it and counts none; cost 0 and CORS preflights always pass. It
 * sets the client and the headers of its limit, and returns the seconds until the same request would be admitted, if it is
 * rejected.
 */
export function createRequestCounter({ limits, now }: Pick<Services, "limits" | "now">) {
  const { trustedProxies, perKey, keys, limiter, prefixes: prefixLimits } = limits;
  const clientAt = memoized(clientOfAddress, MAX_ADDRESSES);

  function atAddressOf(c: AppContext): Client {
    const forwardedFor = trustedProxies > 0 ? c.req.header("x-forwarded-for") ?? "" : "";
    const source = { socket: socketAddress(c), forwardedFor, trustedProxies };
    return { ...clientOfRequest(source, clientAt), kind: "ip", limit: limits.perAddress };
  }

  /** An unknown key counts against its address: with a limit of its own, each guess would get a fresh one. */
  async function holderOf(key: string, atAddress: Client): Promise<Client> {
    const record = await keys.find(key, atAddress.key);
    if (record === undefined) return atAddress;
    const own = `key:${record.id}`;
    return { key: own, site: own, prefixes: [], kind: "key", limit: record.limit ?? perKey };
  }

  /**
   * Sets the headers of a client's limit, or of its site's where fewer requests are left of that, with those of
   * draft-ietf-httpapi-ratelimit-headers.
   */
  function show(c: AppContext, { kind, limit, prefixes }: Client, own: LimitState): void {
    const wider = prefixLimits.peek({ prefixes, limit });
    const isWider = wider !== undefined && wider.remaining < own.remaining;
    const { remaining, resetAt } = isWider ? wider : own;
    const leftSeconds = Math.max(0, Math.ceil((resetAt - now()) / 1_000));
    Object.assign(c.get("headers"), {
      "x-ratelimit-limit": `${limit}`,
      "x-ratelimit-remaining": `${remaining}`,
      // When the next request becomes available, in Unix seconds.
      "x-ratelimit-reset": `${Math.ceil(resetAt / 1_000)}`,
      "ratelimit-policy": `"${kind}";q=${limit};w=60`,
      "ratelimit": `"${kind}";r=${remaining};t=${leftSeconds}`,
    });
  }

  return async (c: AppContext, cost: number, counter = ""): Promise<number | undefined> => {
    const atAddress = atAddressOf(c);
    const bearer = BEARER.exec(c.req.header("authorization") ?? "")?.groups?.key;
    const own = bearer === undefined ? atAddress : await holderOf(bearer, atAddress);
    c.set("sender", { client: own.key, site: own.site });
    const client = countedBy(own, counter);
    const { key, limit, prefixes } = client;
    if (cost === 0 || isPreflight(c.req.raw)) {
      show(c, client, limiter.peek(key, limit));
      return undefined;
    }
    const wider = prefixLimits.take({ prefixes, limit, cost });
    if ("retryAfterMs" in wider) {
      const state = limiter.peek(key, limit);
      show(c, client, state);
      // The client's own limit may be used up for longer.
      const ownMs = state.remaining < cost ? state.resetAt - now() : 0;
      return toSeconds(Math.max(wider.retryAfterMs, ownMs));
    }
    const decision = await limiter.admit(key, limit, cost);
    if (decision.kind === "refused") wider.giveBack();
    show(c, client, decision);
    return decision.kind === "admitted" ? undefined : toSeconds(decision.retryAfterMs);
  };
}

/** The address of the socket; that of this machine for a request without one, as from `app.request()`. */
export function socketAddress(c: AppContext): string {
  // Hono passes on what it is called with, which is nothing in `app.request(path)`.
  const { remoteAddr } = (c.env ?? {}) as AppContext["env"];
  return remoteAddr === undefined ? "127.0.0.1" : remoteAddr.hostname ?? "";
}

function countedBy(client: Client, counter: string): Client {
  const prefixes = client.prefixes.map((one) => ({ ...one, key: `${counter}${one.key}` }));
  return { ...client, key: `${counter}${client.key}`, prefixes };
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("access-control-request-method");
}
