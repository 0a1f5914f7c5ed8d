/** Counts requests against the limit of their API key or address, and reports the limit in headers. */
import { type Awaitable, whenReady } from "../flow/awaitable.ts";
import { memoized } from "../flow/memoized.ts";
import { clientAddress, rateLimitKey } from "../rules/client_address.ts";
import type { LimitState } from "../rate_limit/known_window.ts";
import type { Limits } from "../wiring/services.ts";

/** The state of a client's limit, as header values. */
export interface LimitHeaders {
  limit: string;
  remaining: string;
  /** When the next request becomes available, in Unix seconds. */
  reset: string;
  /** RateLimit-Policy and RateLimit of draft-ietf-httpapi-ratelimit-headers. */
  policy: string;
  state: string;
}

/** What the limiter decided on a request. */
export interface LimitDecision {
  headers: LimitHeaders;
  /** The rate-limit key: clients take turns by it where look-ups wait. */
  client: string;
  /** Seconds until the same request would be admitted; only where it is rejected. */
  retryAfter?: number;
}

/** Limits the requests from an address. */
export interface RequestLimiter {
  /**
   * Counts a request as `cost` requests, or rejects it and counts none. Cost 0 and CORS preflights always pass. If the
   * decision waits for KV, `onWait` is called with the rate-limit key.
   */
  count(
    request: Request,
    address: string,
    cost: number,
    onWait?: (client: string) => void,
  ): Awaitable<LimitDecision>;
  /** Rejects a request if its client has none left; counts nothing. */
  peek(request: Request, address: string): Promise<LimitDecision>;
}

/** The kind and size of a limit, also as header values. */
interface Policy {
  name: "ip" | "key";
  limit: number;
  limitText: string;
  policyText: string;
}

interface Client {
  /** The rate-limit key. */
  subject: string;
  policy: Policy;
}

/** Addresses whose keys are memoized: reading an address takes a tenth of the time of a cached answer. */
const MAX_ADDRESSES = 10_000;

const BEARER = /^Bearer +(?<key>\S+) *$/i;

/** Creates the limiter. */
export function createRequestLimiter(
  { limits, now }: { limits: Limits; now: () => number },
): RequestLimiter {
  const { trustedProxies, perKey, keys, limiter } = limits;
  const anonymous = policyOf("ip", limits.perAddress);
  const subjectOf = memoized(rateLimitKey, MAX_ADDRESSES);

  function clientOf(request: Request, socket: string): Awaitable<Client> {
    const atAddress = {
      subject: subjectOf(addressOf(request, socket, trustedProxies)),
      policy: anonymous,
    };
    const authorization = request.headers.get("authorization");
    const key = authorization === null ? undefined : BEARER.exec(authorization)?.groups?.key;
    return key === undefined ? atAddress : holderOf(key, atAddress);
  }

  /** An unknown key counts against its address: with a limit of its own, each guess would get a fresh one. */
  async function holderOf(key: string, atAddress: Client): Promise<Client> {
    const record = await keys.find(key, atAddress.subject);
    if (record === undefined) return atAddress;
    return { subject: `key:${record.id}`, policy: policyOf("key", record.limit ?? perKey) };
  }

  return {
    count: (request, address, cost, onWait) =>
      whenReady(clientOf(request, address), ({ subject, policy }) => {
        if (cost === 0 || isPreflight(request)) {
          const state = limiter.peek(subject, policy.limit);
          return { headers: headersOf(policy, state, now()), client: subject };
        }
        const deciding = limiter.admit(subject, policy.limit, cost);
        if (deciding instanceof Promise) onWait?.(subject);
        return whenReady(deciding, (admission) => {
          const headers = headersOf(policy, admission, now());
          if (admission.kind === "admitted") return { headers, client: subject };
          return { headers, client: subject, retryAfter: toSeconds(admission.retryAfterMs) };
        });
      }),
    async peek(request, address) {
      const { subject, policy } = await clientOf(request, address);
      const state = limiter.peek(subject, policy.limit);
      const headers = headersOf(policy, state, now());
      return state.remaining > 0
        ? { headers, client: subject }
        : { headers, client: subject, retryAfter: toSeconds(state.resetAt - now()) };
    },
  };
}

/** The rate-limit key of the address that a request came from. */
export function addressSubject(request: Request, socket: string, trustedProxies: number): string {
  return rateLimitKey(addressOf(request, socket, trustedProxies));
}

function addressOf({ headers }: Request, socket: string, trustedProxies: number): string {
  const forwardedFor = trustedProxies > 0 ? headers.get("x-forwarded-for") : null;
  return clientAddress({ socket, forwardedFor, trustedProxies });
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

function policyOf(name: "ip" | "key", limit: number): Policy {
  return { name, limit, limitText: `${limit}`, policyText: `"${name}";q=${limit};w=60` };
}

function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("access-control-request-method");
}

function headersOf(
  { name, limitText, policyText }: Policy,
  { remaining, resetAt }: LimitState,
  now: number,
): LimitHeaders {
  const leftSeconds = Math.max(0, Math.ceil((resetAt - now) / 1_000));
  return {
    limit: limitText,
    remaining: `${remaining}`,
    reset: `${Math.ceil(resetAt / 1_000)}`,
    policy: policyText,
    state: `"${name}";r=${remaining};t=${leftSeconds}`,
  };
}
