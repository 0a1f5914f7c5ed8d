/** HTTP requests to the one service that the user named: at its address, with its key, within its rate limit. */
import { startTimeLimit, withDeadline } from "../flow/deadline.ts";
import { isObject, readRetryAfterMs } from "../rules/readers/http_message.ts";
import { sanitize } from "./terminal.ts";

/** Sends requests. */
export type RemoteClient = ReturnType<typeof createRemoteClient>;

/** A GET request that is answered in JSON, or a POST request with a body in JSON that is answered by a stream. */
export interface RemoteRequest {
  /** Below the service's URL. */
  path: string;
  body?: unknown;
}

/** Waits for a service, and tells the user why. */
export type Wait = (ms: number, why: string) => Promise<void>;

/** What a remote client needs. */
export interface RemoteOptions {
  url: URL;
  key: string | undefined;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  wait: Wait;
  stop: AbortSignal;
  now: () => number;
}

/** How long the service may be silent: a stream sends something every 15 s, and JSON is answered within that time. */
const SILENCE_S = 60;
/** Of a pause that the service asks for. */
const LONGEST_PAUSE_MS = 10 * 60_000;
/** A service that has answered may restart: it is asked again for so long. */
const LONGEST_OUTAGE_MS = 60_000;
/** What a service answers while it restarts, and the proxy in front of it. */
const OUTAGES = [502, 503, 504];
/** When a 429 has no valid Retry-After. */
const DEFAULT_RETRY_MS = 60_000;
/** A Retry-After of 0 would at once repeat the request that was just refused. A refusal arrives within this time, too. */
const MIN_RETRY_MS = 1_000;
/** A row has 300 characters, 2,000 with its evidence, and a request at most 4,000 of them. */
const MAX_BODY_BYTES = 16 * 1_024 * 1_024;

/** Creates the client. It follows no redirect, so it sends nothing to another host. */
export function createRemoteClient({ url, key, fetch, wait, stop, now }: RemoteOptions) {
  const base = url.href.endsWith("/") ? url.href : `${url.href}/`;
  let pausedUntil = 0;
  let why = "";
  /** After a refusal requests are sent one by one, first come first: all at once, most would be refused again. */
  let line: Promise<void> | undefined;
  /** Infinity while it answers; a service that has never answered is not waited for. */
  let downSince = -Infinity;

  /** The answer, an error, or why the service does not answer now, for how long, and how many names its limit admits till then. */
  async function attempt({ path, body }: RemoteRequest) {
    const authorization = key !== undefined && { authorization: `Bearer ${key}` };
    const accept = body === undefined ? "application/json" : "application/x-ndjson";
    const headers = { accept, "content-type": "application/json", ...authorization };
    const post = body !== undefined && { method: "POST", body: JSON.stringify(body) };
    using limit = startTimeLimit(SILENCE_S * 1_000, []);
    // `stop` ends the reading of the body, too.
    const signal = AbortSignal.any([limit.signal, stop]);
    // fetch distinguishes DNS, connection, TLS and protocol errors only in its messages.
    const init: RequestInit = { headers, ...post, redirect: "manual", signal };
    const response = await fetch(`${base}${path}`, init).catch(() => undefined);
    if (limit.isOver()) return new Error(`${url.host} did not answer within ${SILENCE_S} s`);
    if (response === undefined) return refusedByOutage(`Cannot reach ${url.host}`, MIN_RETRY_MS);
    const { status } = response;
    const retryAfter = response.headers.get("retry-after");
    const pauseMs = readRetryAfterMs(retryAfter, now()) ?? DEFAULT_RETRY_MS;
    if (OUTAGES.includes(status)) {
      return refusedByOutage(await readRefusal(response), retryAfter ? pauseMs : MIN_RETRY_MS);
    }
    downSince = Infinity;
    if (response.ok) return response;
    if (status !== 429) return new Error(await readRefusal(response));
    await response.body?.cancel();
    const remaining = Math.floor(Number(response.headers.get("x-ratelimit-remaining")));
    return { why: `Too many requests to ${url.host}`, pauseMs, remaining };
  }

  /** Each pause is as long as the outage so far, within its bound. */
  function refusedByOutage(why: string, leastMs: number) {
    downSince = Math.min(downSince, now());
    const downMs = now() - downSince;
    if (downMs >= LONGEST_OUTAGE_MS) return new Error(why);
    const pauseMs = Math.min(Math.max(leastMs, downMs), LONGEST_OUTAGE_MS - downMs);
    return { why, pauseMs, remaining: 0 };
  }

  /** Settles when all requests before it have left the line; returns how to leave it. */
  async function enterLine(): Promise<() => void> {
    const before = line;
    const { promise, resolve } = Promise.withResolvers<void>();
    line = promise;
    await before;
    return () => {
      resolve();
      if (line === promise) line = undefined;
    };
  }

  return {
    /**
     * Sends a request, once the limit admits it; returns its answer, or an error whose message is for the user. `shrink` makes the
     * request for as many names as the limit admits now; without it, the request waits for the whole.
     */
    async send(
      request: RemoteRequest,
      shrink?: (names: number) => RemoteRequest,
    ): Promise<Response | Error> {
      let leaveLine = line && await enterLine();
      try {
        for (;;) {
          if (stop.aborted) return new Error("Interrupted");
          const pauseMs = pausedUntil - now();
          if (pauseMs > 0) {
            await wait(pauseMs, why);
            // Another request may have been refused meanwhile, for longer.
            continue;
          }
          const sending = attempt(request);
          // A slow answer is no refusal.
          if (await withDeadline(sending, MIN_RETRY_MS, undefined) === undefined) {
            leaveLine?.();
            leaveLine = undefined;
          }
          const sent = await sending;
          if (!("pauseMs" in sent)) return sent;
          if (shrink !== undefined && sent.remaining > 0) {
            request = shrink(sent.remaining);
            shrink = undefined;
            continue;
          }
          if (sent.pauseMs > LONGEST_PAUSE_MS) {
            return new Error(`${sent.why}; retry in ${Math.ceil(sent.pauseMs / 1_000)} s`);
          }
          pausedUntil = Math.max(pausedUntil, now() + Math.max(sent.pauseMs, MIN_RETRY_MS));
          ({ why } = sent);
          leaveLine ??= await enterLine();
        }
      } finally {
        leaveLine?.();
      }
    },
  };
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
  const message = isObject(body) && typeof body.message === "string" ? body.message : undefined;
  return sanitize(`The service answered ${status}${message === undefined ? "" : `: ${message}`}`);
}

/** Reads a JSON body. Throws when it is not JSON, or where `bytesOf()` does. */
export async function readJson(response: Response): Promise<unknown> {
  return await new Response(ReadableStream.from(bytesOf(response))).json();
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
