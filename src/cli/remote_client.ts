/** HTTP requests to the one service that the user named: at its address, with its key, within its rate limit. */
import { startTimeLimit, withDeadline } from "../flow/deadline.ts";
import { lines } from "../flow/lines.ts";
import { readRetryAfterMs } from "../rules/readers/http_message.ts";
import type { Pauses } from "./screen.ts";
import { sanitize } from "./terminal.ts";

/** Sends requests. */
export type RemoteClient = ReturnType<typeof createRemoteClient>;

/** A GET request, or a POST request with a body in JSON. */
export interface RemoteRequest {
  /** Below the service's URL. */
  path: string;
  accept?: string;
  body?: unknown;
}

/** What a remote client needs. */
export interface RemoteOptions {
  url: URL;
  key: string | undefined;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  pauses: Pauses;
  stop: AbortSignal;
  now: () => number;
}

/** The service's answer, or an error message for the user. */
type Sent =
  | { kind: "answer"; response: Response }
  | { kind: "failed"; message: string };

/** How long the service may be silent: a stream sends something every 15 s, and JSON is answered within that time. */
const SILENCE_S = 60;
/** The total time that one request waits for the service's rate limit. */
const MAX_LIMIT_WAIT_MS = 10 * 60_000;
/** When a 429 has no valid Retry-After. */
const DEFAULT_RETRY_MS = 60_000;
/** A Retry-After of 0 would repeat the request that was just refused at once. */
const MIN_RETRY_MS = 1_000;
/** A row has 300 characters, 2,000 with its evidence, and a request at most 4,000 of them. */
const MAX_BODY_BYTES = 16 * 1_024 * 1_024;

/** Creates the client. It follows no redirect, so it sends nothing to another host. */
export function createRemoteClient({ url, key, fetch, pauses, stop, now }: RemoteOptions) {
  const base = url.href.endsWith("/") ? url.href : `${url.href}/`;
  let limitedUntil = 0;

  async function attempt(
    { path, accept = "application/json", body }: RemoteRequest,
  ): Promise<Sent | { kind: "limited"; until: number; remaining: number }> {
    const headers = { accept, ...(key !== undefined && { authorization: `Bearer ${key}` }) };
    const init: RequestInit = body === undefined ? { headers } : {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    using limit = startTimeLimit(SILENCE_S * 1_000, []);
    const signal = AbortSignal.any([limit.signal, stop]);
    // fetch distinguishes DNS, connection, TLS and protocol errors only in its messages.
    const response = await fetch(`${base}${path}`, { ...init, redirect: "manual", signal })
      .catch(() => undefined);
    if (response === undefined) {
      return failed(
        limit.isOver()
          ? `${url.host} did not answer within ${SILENCE_S} s`
          : `Cannot reach ${url.host}`,
      );
    }
    if (response.ok) return { kind: "answer", response };
    if (response.status !== 429) return failed(await readRefusal(response));
    await response.body?.cancel();
    const ms = readRetryAfterMs(response.headers.get("retry-after"), now()) ?? DEFAULT_RETRY_MS;
    const remaining = Number(response.headers.get("x-ratelimit-remaining") ?? 0);
    return { kind: "limited", until: now() + Math.max(ms, MIN_RETRY_MS), remaining };
  }

  return {
    /**
     * Sends a request, once the limit admits it. `shrink` makes the one for as many names as the limit admits now; without
     * it, the request waits for the whole.
     */
    async send(
      request: RemoteRequest,
      shrink?: (names: number) => RemoteRequest,
    ): Promise<Sent> {
      for (let waitedMs = 0;;) {
        const pauseMs = Math.max(0, limitedUntil - now());
        waitedMs += pauseMs;
        if (waitedMs > MAX_LIMIT_WAIT_MS) {
          const seconds = Math.ceil(pauseMs / 1_000);
          return failed(`${url.host} is rate-limiting us; retry in ${seconds} s`);
        }
        if (pauseMs > 0) await pauses.wait(url.host, pauseMs);
        if (stop.aborted) return failed("Interrupted");
        const sent = await attempt(request);
        if (sent.kind !== "limited") return sent;
        if (shrink !== undefined && sent.remaining > 0) {
          request = shrink(sent.remaining);
          shrink = undefined;
          continue;
        }
        // Shared by all requests: otherwise each of them would be refused once.
        limitedUntil = Math.max(limitedUntil, sent.until);
      }
    },
  };
}

function failed(message: string): Sent {
  return { kind: "failed", message };
}

/** The message of an error response, else its status. */
async function readRefusal(response: Response): Promise<string> {
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    const location = response.headers.get("location");
    return sanitize(`The service redirects to ${location}; use that as --url`);
  }
  const body = await readJson(response).catch(() => undefined);
  const message = isRecord(body) && typeof body.message === "string" ? body.message : undefined;
  return sanitize(`The service answered ${status}${message === undefined ? "" : `: ${message}`}`);
}

/** Reads a JSON body. Throws when it is not JSON, or where `bytesOf()` does. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await Array.fromAsync(lines(bytesOf(response), { most: MAX_BODY_BYTES }));
  return JSON.parse(text.join("\n"));
}

/**
 * Yields the body. Throws when it is too long, or when the service is silent for too long; the time that the reader takes,
 * such as a pager, does not count.
 */
export async function* bytesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (let size = 0;;) {
      const read = await withDeadline(reader.read(), SILENCE_S * 1_000, undefined);
      if (read === undefined) throw new Error("Cannot read the response: it has stopped");
      if (read.done) return;
      size += read.value.byteLength;
      if (size > MAX_BODY_BYTES) throw new RangeError("Cannot read the response: it is too long");
      yield read.value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Whether the value is an object, so that its members can be read. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
