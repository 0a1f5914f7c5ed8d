/** The guarded GET and POST. Nothing else in the service fetches. */
import { isUpstreamUrl } from "../rules/upstream_url.ts";

/** What came back, or why nothing usable did. */
export type Reply =
  | { kind: "reply"; status: number; headers: Headers; body: string }
  | { kind: "failed"; fault: GetFault };

/** Why a GET gave nothing usable. */
export type GetFault =
  | "timeout"
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
export interface Fetching {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  allowInsecure: boolean;
  /** Ends what is under way when the service has to go. */
  stop: AbortSignal;
}

interface Bounds {
  hops: number;
  deadlineMs: number;
  maxBytes: number;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
const JSON_TYPE = "application/json";

/** Creates the guarded GET. */
export function createGuardedGet(fetching: Fetching): GuardedGet {
  return (url, { accept, headers, ...bounds }) =>
    request(url, { headers: { accept, ...headers } }, { hops: MAX_REDIRECTS, ...bounds }, fetching);
}

/** Creates the guarded POST. It follows no redirect: what was sent is for whom it was sent to. */
export function createGuardedPost(fetching: Fetching): GuardedPost {
  return (url, { json, signal = null, ...bounds }) => {
    const headers = { "accept": JSON_TYPE, "content-type": JSON_TYPE };
    const init = { method: "POST", headers, body: JSON.stringify(json), signal };
    return request(url, init, { hops: 0, ...bounds }, fetching);
  };
}

async function request(
  url: string,
  init: RequestInit,
  { hops, deadlineMs, maxBytes }: Bounds,
  { fetch, allowInsecure, stop }: Fetching,
): Promise<Reply> {
  async function follow(url: string, hops: number, init: RequestInit): Promise<Reply> {
    const response = await fetch(url, init);
    if (!REDIRECTS.includes(response.status)) return await read(response, maxBytes);
    await response.body?.cancel();
    const next = URL.parse(response.headers.get("location") ?? "", url);
    // A registry that sends us elsewhere is not the one whose word counts.
    if (hops === 0 || next?.origin !== new URL(url).origin) return failed("redirect");
    return await follow(next.href, hops - 1, init);
  }

  if (!isUpstreamUrl(url, allowInsecure)) return failed("forbiddenUrl");
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), deadlineMs);
  const signal = AbortSignal.any([timeout.signal, stop, ...(init.signal ? [init.signal] : [])]);
  try {
    return await follow(url, hops, { ...init, redirect: "manual", signal });
  } catch {
    // fetch tells DNS, connect, TLS and protocol faults apart in prose only; to a verdict they are one.
    const ended = stop.aborted || init.signal?.aborted === true;
    return failed(ended ? "stopped" : timeout.signal.aborted ? "timeout" : "unreachable");
  } finally {
    clearTimeout(timer);
  }
}

async function read(response: Response, maxBytes: number): Promise<Reply> {
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
  return { kind: "reply", status, headers, body: body + decoder.decode() };
}

function failed(fault: GetFault): Reply {
  return { kind: "failed", fault };
}
