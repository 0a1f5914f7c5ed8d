/** The guarded GET and POST, by which the service sends all its HTTP requests. */
import { startTimeLimit } from "../flow/deadline.ts";
import type { Outcome } from "../flow/host_state.ts";
import type { UpstreamHost } from "../flow/upstream_host.ts";
import type { FileAnswer } from "../rules/answer.ts";
import { isUpstreamUrl } from "../rules/ip_address.ts";

/** The response, or why there is no usable one. */
export type Reply =
  | {
    kind: "reply";
    status: number;
    headers: Headers;
    body: string;
    /** The URL of the response, which differs from the requested one after redirects. */
    url: string;
  }
  | { kind: "failed"; fault: GetFault };

/** Why a request failed. */
export type GetFault =
  | "timeout"
  | "unreachable"
  | "redirect"
  | "oversized"
  | "forbiddenUrl"
  | "stopped";

/** The limits of a response. */
export interface Limits {
  /** For the headers and the body of the response together, in ms. */
  deadlineMs: number;
  /** For the headers of the response, in ms; `deadlineMs` if absent. */
  headMs?: number;
  /** Limits the decoded body: a small gzip can hold gigabytes. */
  maxBytes: number;
}

/** Gets a URL of a known upstream. */
export type GuardedGet = (url: string, options: Limits & { accept: string }) => Promise<Reply>;

/** The body of a POST, and a signal that cancels it when another upstream has answered. */
interface PostOptions extends Limits {
  json: unknown;
  /** Further request headers, as for a key. */
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** Posts JSON to a URL of a known upstream. */
export type GuardedPost = (url: string, options: PostOptions) => Promise<Reply>;

/** The platform functions and the policy of the guard. */
interface GuardOptions {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  allowInsecure: boolean;
  /** Aborted when the service stops: cancels all requests. */
  stop: AbortSignal;
}

/** Sends requests through the hosts of their URLs. */
export function throughHosts<Options>(
  request: (url: string, options: Options) => Promise<Reply>,
  hostOf: (host: string) => Pick<UpstreamHost, "ask">,
): (url: string, options: Options) => Promise<Reply> {
  return async (url, options) => {
    const { host } = new URL(url);
    const asked = await hostOf(host).ask(() => request(url, options), { outcomeOf });
    return asked.kind === "answered" ? asked.answer : failed("stopped");
  };
}

function outcomeOf(reply: Reply): Outcome {
  if (reply.kind === "failed") {
    const { fault } = reply;
    return fault === "stopped" ? { kind: "unasked" } : { kind: "down", why: fault };
  }
  const { status } = reply;
  if (status < 400) return { kind: "ok" };
  return { kind: status === 429 ? "limited" : "down", why: `HTTP ${status}` };
}

const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
const JSON_TYPE = "application/json";

/** Creates the guarded GET. */
export function createGuardedGet(guard: GuardOptions): GuardedGet {
  return (url, { accept, ...bounds }) =>
    request(url, { headers: { accept } }, { hops: MAX_REDIRECTS, ...bounds }, guard);
}

/** Creates the guarded POST. It follows no redirect: the body is for the requested host only. */
export function createGuardedPost(guard: GuardOptions): GuardedPost {
  return (url, { json, headers, signal = null, ...bounds }) => {
    const init = {
      method: "POST",
      headers: { "accept": JSON_TYPE, "content-type": JSON_TYPE, ...headers },
      body: JSON.stringify(json),
      signal,
    };
    return request(url, init, { hops: 0, ...bounds }, guard);
  };
}

async function request(
  url: string,
  init: RequestInit,
  { hops, deadlineMs, headMs = deadlineMs, maxBytes }: Limits & { hops: number },
  { fetch, allowInsecure, stop }: GuardOptions,
): Promise<Reply> {
  async function follow(url: string, hops: number): Promise<Reply> {
    const response = await fetch(url, { ...init, redirect: "manual", signal: limit.signal });
    clearTimeout(headTimer);
    if (!REDIRECTS.includes(response.status)) return await read(response, url, maxBytes);
    await response.body?.cancel();
    const next = URL.parse(response.headers.get("location") ?? "", url);
    // Another origin is another upstream; a user in the URL is refused as in the requested URL.
    const isSameOrigin = next?.origin === new URL(url).origin;
    if (hops === 0 || !isSameOrigin || !isUpstreamUrl(next.href, allowInsecure)) {
      return failed("redirect");
    }
    return await follow(next.href, hops - 1);
  }

  if (!isUpstreamUrl(url, allowInsecure)) return failed("forbiddenUrl");
  using limit = startTimeLimit(deadlineMs, init.signal ? [stop, init.signal] : [stop]);
  const headTimer = setTimeout(limit.expire, Math.min(headMs, deadlineMs));
  try {
    return await follow(url, hops);
  } catch {
    // fetch distinguishes DNS, connect, TLS and protocol errors only in prose; for a verdict they are the same.
    const isStopped = stop.aborted || init.signal?.aborted === true;
    if (isStopped) return failed("stopped");
    return failed(limit.isOver() ? "timeout" : "unreachable");
  } finally {
    clearTimeout(headTimer);
  }
}

async function read(response: Response, url: string, maxBytes: number): Promise<Reply> {
  const { status, headers } = response;
  const decoder = new TextDecoder();
  let size = 0;
  let body = "";
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (size > maxBytes) break;
    body += decoder.decode(chunk, { stream: true });
  }
  // Of a refusal only the head counts, which may ask for a pause.
  if (size > maxBytes && status !== 429 && status < 500) return failed("oversized");
  return { kind: "reply", status, headers, body: body + decoder.decode(), url };
}

function failed(fault: GetFault): Reply {
  return { kind: "failed", fault };
}

/** Of a table's source: the largest, the prices of 900 TLDs, has about 200 KB. */
const FILE_LIMITS = { deadlineMs: 20_000, maxBytes: 2 * 1_024 * 1_024 };

/** Creates the fetch of the file that a table is from, at `url`. */
export function createFileFetch(get: GuardedGet, url: string): () => Promise<FileAnswer> {
  return async () => {
    const reply = await get(url, { accept: "application/json", ...FILE_LIMITS });
    if (reply.kind === "failed") return { kind: "failed", reason: reply.fault };
    if (reply.status !== 200) return { kind: "failed", reason: `HTTP ${reply.status}` };
    return { kind: "read", text: reply.body };
  };
}
