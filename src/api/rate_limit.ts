/** Whose budget a request is on, whether it fits in, and what the answer says of it. */
import { clientAddress, rateLimitKey } from "../rules/client_address.ts";
import type { LimitState } from "../rate_limit/known_window.ts";
import type { Limits } from "../wiring/services.ts";

/** What every answer says of its sender's limit, as header values. */
export interface LimitHeaders {
  limit: string;
  remaining: string;
  /** When the next slot comes free, in Unix seconds. */
  reset: string;
  /** The IETF's pair (draft-ietf-httpapi-ratelimit-headers): what the limit is, and how it stands. */
  policy: string;
  standing: string;
}

/** What the answer says of the limit, and how long a refused caller has to wait. */
export interface LimitDecision {
  headers: LimitHeaders;
  /** Seconds until the same request would be let in; only where it is refused. */
  retryAfter?: number;
}

/** Counts a request from an address as `cost` requests (1; 0 only looks), or refuses it and counts none. */
export type LimitRequest = (
  request: Request,
  address: string,
  cost?: number,
) => Promise<LimitDecision>;

/** What a budget is called and how large it is, also as header values. */
interface Policy {
  name: "ip" | "key";
  limit: number;
  limitText: string;
  policyText: string;
}

interface Budget {
  subject: string;
  policy: Policy;
}

const BEARER = /^Bearer +(?<key>\S+) *$/i;

/** Creates the limiter of requests. What does not count, such as a CORS preflight, only looks. */
export function createLimitRequest(
  { limits, now }: { limits: Limits; now: () => number },
  isUncounted: (request: Request) => boolean,
): LimitRequest {
  const { trustedProxies, perKey, keys, limiter } = limits;
  const anonymous = policyOf("ip", limits.perAddress);

  async function budgetOf({ headers }: Request, socket: string): Promise<Budget> {
    const forwardedFor = trustedProxies > 0 ? headers.get("x-forwarded-for") : null;
    const sender = rateLimitKey(clientAddress({ socket, forwardedFor, trustedProxies }));
    const authorization = headers.get("authorization");
    const key = authorization === null ? undefined : BEARER.exec(authorization)?.groups?.key;
    // An unknown key stays on its address's budget: one of its own would be a fresh one for each guess.
    const record = key === undefined ? undefined : await keys.find(key, sender);
    if (record === undefined) return { subject: sender, policy: anonymous };
    return { subject: `key:${record.id}`, policy: policyOf("key", record.limit ?? perKey) };
  }

  return async (request, address, cost) => {
    const { subject, policy } = await budgetOf(request, address);
    if (cost === 0 || isPreflight(request) || isUncounted(request)) {
      const standing = limiter.peek(subject, policy.limit);
      const headers = headersOf(policy, standing, now());
      if (cost !== 0 || standing.remaining > 0) return { headers };
      return { headers, retryAfter: Math.max(1, Math.ceil((standing.resetAt - now()) / 1_000)) };
    }
    const admission = await limiter.admit(subject, policy.limit, cost);
    const headers = headersOf(policy, admission, now());
    if (admission.kind === "admitted") return { headers };
    return { headers, retryAfter: Math.max(1, Math.ceil(admission.retryAfterMs / 1_000)) };
  };
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
    standing: `"${name}";r=${remaining};t=${leftSeconds}`,
  };
}
