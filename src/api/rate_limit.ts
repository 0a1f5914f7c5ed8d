/** Whose budget a request is on, whether it fits in, and what the answer says of it. */
import { clientAddress, subjectOfAddress } from "../rules/client_subject.ts";
import type { Standing } from "../rules/window.ts";
import type { Limits } from "../services.ts";

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

interface Budget {
  subject: string;
  limit: number;
  /** The name of the policy: what is counted. */
  policy: "ip" | "key";
}

const BEARER = /^Bearer +(?<key>\S+) *$/i;

/** Counts a request, or refuses it. What does not count, such as a CORS preflight, only looks. */
export async function limitRequest(
  request: Request,
  address: string,
  { limits, now }: { limits: Limits; now: () => number },
): Promise<LimitDecision> {
  const budget = await budgetOf(request, address, limits);
  const { subject, limit } = budget;
  if (isPreflight(request)) {
    return { headers: headersOf(budget, limits.windows.peek(subject, limit), now()) };
  }
  const admission = await limits.windows.admit(subject, limit);
  const headers = headersOf(budget, admission, now());
  if (admission.kind === "admitted") return { headers };
  return { headers, retryAfter: Math.max(1, Math.ceil(admission.retryAfterMs / 1_000)) };
}

async function budgetOf(request: Request, socket: string, limits: Limits): Promise<Budget> {
  const { trustedProxies, perAddress, perKey, keys } = limits;
  const forwardedFor = trustedProxies > 0 ? request.headers.get("x-forwarded-for") : null;
  const sender = subjectOfAddress(clientAddress({ socket, forwardedFor, trustedProxies }));
  const authorization = request.headers.get("authorization");
  const key = authorization === null ? undefined : BEARER.exec(authorization)?.groups?.key;
  // An unknown key stays on its address's budget: one of its own would be a fresh one for each guess.
  const record = key === undefined ? undefined : await keys.find(key, sender);
  if (record === undefined) return { subject: sender, limit: perAddress, policy: "ip" };
  return { subject: `key:${record.id}`, limit: record.limit ?? perKey, policy: "key" };
}

function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("access-control-request-method");
}

function headersOf(
  { limit, policy }: Budget,
  { remaining, resetAt }: Standing,
  now: number,
): LimitHeaders {
  const leftSeconds = Math.max(0, Math.ceil((resetAt - now) / 1_000));
  return {
    limit: `${limit}`,
    remaining: `${remaining}`,
    reset: `${Math.ceil(resetAt / 1_000)}`,
    policy: `"${policy}";q=${limit};w=60`,
    standing: `"${policy}";r=${remaining};t=${leftSeconds}`,
  };
}
