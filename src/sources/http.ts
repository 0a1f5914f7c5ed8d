/** The one guarded GET. Nothing else in the service fetches. */
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
  /** For headers and body together, in ms. */
  deadlineMs: number;
  /** Of the decoded body: a small gzip can hold gigabytes. */
  maxBytes: number;
}

/** Gets a URL of a known upstream. */
export type GuardedGet = (url: string, options: GetOptions) => Promise<Reply>;

const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Creates the guarded GET. `stop` ends what is under way when the service has to go. */
export function createGuardedGet(
  { fetch, allowInsecure, stop }: {
    fetch: (url: string, init: RequestInit) => Promise<Response>;
    allowInsecure: boolean;
    stop: AbortSignal;
  },
): GuardedGet {
  async function follow(
    url: string,
    hops: number,
    init: RequestInit,
    maxBytes: number,
  ): Promise<Reply> {
    const response = await fetch(url, init);
    if (!REDIRECTS.includes(response.status)) return await read(response, maxBytes);
    await response.body?.cancel();
    const next = URL.parse(response.headers.get("location") ?? "", url);
    // A registry that sends us elsewhere is not the one whose word counts.
    if (hops === 0 || next?.origin !== new URL(url).origin) return failed("redirect");
    return await follow(next.href, hops - 1, init, maxBytes);
  }

  return async (url, { accept, deadlineMs, maxBytes }) => {
    if (!isUpstreamUrl(url, allowInsecure)) return failed("forbiddenUrl");
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), deadlineMs);
    const signal = AbortSignal.any([timeout.signal, stop]);
    try {
      const init: RequestInit = { headers: { accept }, redirect: "manual", signal };
      return await follow(url, MAX_REDIRECTS, init, maxBytes);
    } catch {
      // fetch tells DNS, connect, TLS and protocol faults apart in prose only; to a verdict they are one.
      return failed(stop.aborted ? "stopped" : timeout.signal.aborted ? "timeout" : "unreachable");
    } finally {
      clearTimeout(timer);
    }
  };
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
