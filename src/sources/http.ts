/** The guarded GET and POST. Nothing else in the service fetches. */
import { isUpstreamUrl } from "../rules/upstream_url.ts";

/** What came back, or why nothing usable did. */
export type Reply =
  | {
    kind: "reply";
    status: number;
    headers: Headers;
    body: string;
    /** Where it came from: after redirects, another URL than the one that was asked. */
    url: string;
  }
  | { kind: "failed"; fault: GetFault };

/** Why a GET gave nothing usable. */
export type GetFault =
  | "timeout"
  /** The same, while the event loop stood still: Deno's client reads informational responses (1xx) without a pause. */
  | "stall"
  | "unreachable"
  | "redirect"
  | "oversized"
  | "forbiddenUrl"
  | "stopped";

/** What to ask, and how much of an answer to bear. */
export interface GetOptions {
  accept: string;
  /** Further request headers, such as the condition of a conditional GET; a 304 is a reply like any other. */
  headers?: Readonly<Record<string, string>>;
  /** For headers and body together, in ms. */
  deadlineMs: number;
  /** For the headers, in ms; absent: as long as for both. */
  headMs?: number;
  /** Of the decoded body: a small gzip can hold gigabytes. */
  maxBytes: number;
}

/** Gets a URL of a known upstream. */
export type GuardedGet = (url: string, options: GetOptions) => Promise<Reply>;

/** What to send besides, and when to stop waiting because somebody else has answered. */
export interface PostOptions extends Omit<GetOptions, "accept" | "headers"> {
  json: unknown;
  signal?: AbortSignal;
}

/** Posts JSON to a URL of a known upstream. */
export type GuardedPost = (url: string, options: PostOptions) => Promise<Reply>;

/** What the guard takes from outside. */
export interface GuardOptions {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  allowInsecure: boolean;
  /** Ends what is under way when the service has to go. */
  stop: AbortSignal;
  /** A clock in ms that is never set back. */
  monotonic: () => number;
}

interface Bounds {
  hops: number;
  deadlineMs: number;
  headMs?: number;
  maxBytes: number;
}

/**
 * By how much a deadline is late when something keeps the event loop busy. An upstream that sends endless 103s makes it
 * late by a second or two (measured, Deno 2.9.6, two cores); a loaded machine by a tenth of that.
 */
const STALL_MS = 500;
const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
const JSON_TYPE = "application/json";

/** Creates the guarded GET. */
export function createGuardedGet(fetching: GuardOptions): GuardedGet {
  return (url, { accept, headers, ...bounds }) =>
    request(url, { headers: { accept, ...headers } }, { hops: MAX_REDIRECTS, ...bounds }, fetching);
}

/** Creates the guarded POST. It follows no redirect: what was sent is for whom it was sent to. */
export function createGuardedPost(fetching: GuardOptions): GuardedPost {
  return (url, { json, signal = null, ...bounds }) => {
    const headers = { "accept": JSON_TYPE, "content-type": JSON_TYPE };
    const init = { method: "POST", headers, body: JSON.stringify(json), signal };
    return request(url, init, { hops: 0, ...bounds }, fetching);
  };
}

async function request(
  url: string,
  init: RequestInit,
  { hops, deadlineMs, headMs = deadlineMs, maxBytes }: Bounds,
  { fetch, allowInsecure, stop, monotonic }: GuardOptions,
): Promise<Reply> {
  async function follow(url: string, hops: number, init: RequestInit): Promise<Reply> {
    const response = await fetch(url, init);
    clearTimeout(headTimer);
    if (!REDIRECTS.includes(response.status)) return await read(response, url, maxBytes);
    await response.body?.cancel();
    const next = URL.parse(response.headers.get("location") ?? "", url);
    // Another origin is not the upstream that was to be asked; a user in the address is refused as in the first one.
    const isSameOrigin = next?.origin === new URL(url).origin;
    if (hops === 0 || !isSameOrigin || !isUpstreamUrl(next.href, allowInsecure)) {
      return failed("redirect");
    }
    return await follow(next.href, hops - 1, init);
  }

  if (!isUpstreamUrl(url, allowInsecure)) return failed("forbiddenUrl");
  const timeout = new AbortController();
  const startedAt = monotonic();
  let lateMs = 0;
  const giveUpAfter = (ms: number) =>
    setTimeout(() => {
      lateMs = monotonic() - startedAt - ms;
      timeout.abort();
    }, ms);
  const timer = giveUpAfter(deadlineMs);
  const headTimer = giveUpAfter(Math.min(headMs, deadlineMs));
  const signal = AbortSignal.any([timeout.signal, stop, ...(init.signal ? [init.signal] : [])]);
  try {
    return await follow(url, hops, { ...init, redirect: "manual", signal });
  } catch {
    // fetch tells DNS, connect, TLS and protocol faults apart in prose only; to a verdict they are one.
    const ended = stop.aborted || init.signal?.aborted === true;
    if (ended) return failed("stopped");
    if (!timeout.signal.aborted) return failed("unreachable");
    return failed(lateMs > STALL_MS ? "stall" : "timeout");
  } finally {
    clearTimeout(timer);
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
    if (size > maxBytes) return failed("oversized");
    body += decoder.decode(chunk, { stream: true });
  }
  return { kind: "reply", status, headers, body: body + decoder.decode(), url };
}

function failed(fault: GetFault): Reply {
  return { kind: "failed", fault };
}
