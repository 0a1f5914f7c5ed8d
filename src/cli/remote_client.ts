/** HTTP requests to the one service that the user named: at its address, with its key, within its rate limit. */
import { lines } from "../flow/lines.ts";
import { readRetryAfterMs } from "../rules/readers/retry_after.ts";
import type { Pauses } from "./checker.ts";
import { sanitize } from "./terminal.ts";

/** Sends requests. */
export interface RemoteClient {
  /** Yields what `read` yields for the response, or what `failed` returns for an error message. */
  send<T>(
    { path, accept, body }: RemoteRequest,
    { read, failed }: {
      read: (response: Response) => AsyncIterable<T>;
      failed: (message: string) => Iterable<T>;
    },
  ): AsyncGenerator<T>;
}

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
  | { kind: "limited"; until: number };

/** Per request; the service itself stops after 30 s. */
const DEADLINE_S = 60;
/** The total time that one name waits for the service's rate limit. */
const MAX_LIMIT_WAIT_MS = 10 * 60_000;
/** When a 429 has no valid Retry-After. */
const DEFAULT_RETRY_MS = 60_000;
/** A Retry-After of 0 would repeat the request that was just refused at once. */
const MIN_RETRY_MS = 1_000;
/** A row has 300 characters, and IANA knows of 1,500 TLDs. */
const MAX_BODY_BYTES = 4 * 1_024 * 1_024;

/** Creates the client. It follows no redirect, so it sends nothing to another host. */
export function createRemoteClient(
  { url, key, fetch, pauses, stop, now }: RemoteOptions,
): RemoteClient {
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
        ? `${url.host} did not answer within ${DEADLINE_S} s`
        : `Cannot reach ${url.host}`;
      return { kind: "failed", message };
    }
    if (response.ok) return { kind: "answer", response };
    if (response.status !== 429) return { kind: "failed", message: await readRefusal(response) };
    await response.body?.cancel();
    const ms = readRetryAfterMs(response.headers.get("retry-after"), now()) ?? DEFAULT_RETRY_MS;
    return { kind: "limited", until: now() + Math.max(ms, MIN_RETRY_MS) };
  }

  return {
    async *send(request, { read, failed }) {
      for (let waitedMs = 0;;) {
        const pauseMs = Math.max(0, limitedUntil - now());
        waitedMs += pauseMs;
        if (waitedMs > MAX_LIMIT_WAIT_MS) {
          const seconds = Math.ceil(pauseMs / 1_000);
          return yield* failed(`${url.host} is rate-limiting us; retry in ${seconds} s`);
        }
        if (pauseMs > 0) await pauses.wait(url.host, pauseMs);
        if (stop.aborted) return;
        using deadline = startDeadline(stop, now);
        const answer = await attempt(request, deadline.signal);
        if (answer.kind === "failed") return yield* failed(answer.message);
        if (answer.kind === "answer") return yield* within(deadline, read(answer.response));
        // Shared by all requests: otherwise each of them would be refused once.
        limitedUntil = Math.max(limitedUntil, answer.until);
      }
    },
  };
}

interface Deadline extends Disposable {
  /** Aborted when the time is over, or by `stop`. */
  signal: AbortSignal;
  pause(): void;
  resume(): void;
}

/** Starts a deadline that can be paused. */
function startDeadline(stop: AbortSignal, now: () => number): Deadline {
  const timeout = new AbortController();
  let leftMs = DEADLINE_S * 1_000;
  let since: number;
  let timer: ReturnType<typeof setTimeout>;

  function resume(): void {
    since = now();
    timer = setTimeout(() => timeout.abort(), leftMs);
  }

  function pause(): void {
    clearTimeout(timer);
    leftMs -= now() - since;
  }

  resume();
  const signal = AbortSignal.any([timeout.signal, stop]);
  return { signal, pause, resume, [Symbol.dispose]: () => clearTimeout(timer) };
}

/** Yields the values. The time that their reader takes, such as a pager, does not count against the service. */
async function* within<T>(deadline: Deadline, values: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const value of values) {
    deadline.pause();
    yield value;
    deadline.resume();
  }
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
