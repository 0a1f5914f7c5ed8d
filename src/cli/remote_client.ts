/** HTTP requests to the one service that the user named: at its address, with its key, within its rate limit. */
import { lines } from "../flow/lines.ts";
import { readRetryAfterMs } from "../rules/readers/retry_after.ts";
import type { Pauses } from "./checker.ts";
import { sanitize } from "./terminal.ts";

/** Sends requests. */
export type RemoteClient = ReturnType<typeof createRemoteClient>;

/** A GET request, or a POST request with a body in JSON. */
export interface RemoteRequest {
  /** Below the service's URL. */
  path: string;
  accept: string;
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
  /** Whether results have their evidence. */
  explain?: boolean;
  /** Whether taken results have their details. */
  details?: boolean;
}

type Attempt =
  | { kind: "answer"; response: Response }
  | { kind: "failed"; message: string }
  | { kind: "limited"; until: number; remaining: number };

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
export function createRemoteClient(
  { url, key, fetch, pauses, stop, now }: RemoteOptions,
) {
  const base = url.href.endsWith("/") ? url.href : `${url.href}/`;
  let limitedUntil = 0;

  async function attempt(
    { path, accept, body }: RemoteRequest,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const headers = { accept, ...(key !== undefined && { authorization: `Bearer ${key}` }) };
    const init: RequestInit = body === undefined ? { headers } : {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    // fetch distinguishes DNS, connection, TLS and protocol errors only in its messages.
    const response = await fetch(`${base}${path}`, { ...init, redirect: "manual", signal })
      .catch(() => undefined);
    if (response === undefined) {
      const message = signal.aborted
        ? `${url.host} did not answer within ${SILENCE_S} s`
        : `Cannot reach ${url.host}`;
      return { kind: "failed", message };
    }
    if (response.ok) return { kind: "answer", response };
    if (response.status !== 429) return { kind: "failed", message: await readRefusal(response) };
    await response.body?.cancel();
    const ms = readRetryAfterMs(response.headers.get("retry-after"), now()) ?? DEFAULT_RETRY_MS;
    const remaining = Number(response.headers.get("x-ratelimit-remaining") ?? 0);
    return { kind: "limited", until: now() + Math.max(ms, MIN_RETRY_MS), remaining };
  }

  return {
    /** Yields what `read` yields for the response, or what `failed` returns for an error message. */
    async *send<T>(request: RemoteRequest, { read, failed, shrink }: {
      read: (response: Response) => AsyncIterable<T>;
      failed: (message: string) => Iterable<T>;
      /** The request for as many names as the limit admits now; without it, the request waits for the whole. */
      shrink?: (names: number) => RemoteRequest;
    }): AsyncGenerator<T> {
      for (let waitedMs = 0;;) {
        const pauseMs = Math.max(0, limitedUntil - now());
        waitedMs += pauseMs;
        if (waitedMs > MAX_LIMIT_WAIT_MS) {
          const seconds = Math.ceil(pauseMs / 1_000);
          return yield* failed(`${url.host} is rate-limiting us; retry in ${seconds} s`);
        }
        if (pauseMs > 0) await pauses.wait(url.host, pauseMs);
        if (stop.aborted) return;
        using silence = startSilence(stop);
        const answer = await attempt(request, silence.signal);
        if (answer.kind === "failed") return yield* failed(answer.message);
        if (answer.kind === "answer") return yield* read(heard(answer.response, silence));
        if (shrink !== undefined && answer.remaining > 0) {
          request = shrink(answer.remaining);
          shrink = undefined;
          continue;
        }
        // Shared by all requests: otherwise each of them would be refused once.
        limitedUntil = Math.max(limitedUntil, answer.until);
      }
    },
  };
}

/** The time without a byte from the service; its reader's, such as a pager's, does not count. */
interface Silence extends Disposable {
  /** Aborted when it was too long, or by `stop`. */
  readonly signal: AbortSignal;
  begin(): void;
  end(): void;
}

function startSilence(stop: AbortSignal): Silence {
  const timeout = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  const end = () => clearTimeout(timer);
  function begin(): void {
    end();
    timer = setTimeout(() => timeout.abort(), SILENCE_S * 1_000);
  }
  begin();
  const signal = AbortSignal.any([timeout.signal, stop]);
  return { signal, begin, end, [Symbol.dispose]: end };
}

/** The response, whose silence is measured while it is read. */
function heard(response: Response, silence: Silence): Response {
  const { body, status, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const measured = new ReadableStream<Uint8Array>({
    async pull(controller) {
      silence.begin();
      const { value, done } = await reader.read();
      silence.end();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  return new Response(measured, { status, headers });
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

/** Reads a JSON body. Throws when it is not JSON, or too long. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await Array.fromAsync(lines(limited(response.body), { most: MAX_BODY_BYTES }));
  return JSON.parse(text.join("\n"));
}

/** Yields the body. Throws when it is too long. */
export async function* limited(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw new RangeError("Cannot read the response: it is too long");
    yield chunk;
  }
}

/** Whether the value is an object, so that its members can be read. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
