/**
 * Responses. The headers of every response are set before a handler runs; a handler's own are arguments of `c.body()`,
 * because changing those of a finished response copies it.
 */
import type { AppContext } from "./app_env.ts";
import type { ApiError } from "./errors.ts";
import { chunksOf, type PulledBody } from "./pulled_body.ts";

type Headers = Readonly<Record<string, string>>;

/** A longer text is pulled: whole, it would be held until its client has read it or leaves. */
const MAX_WHOLE_TEXT = 65_536;

/** Sends JSON; a long one is pulled. */
export function sendJson(
  c: AppContext,
  body: unknown,
  headers: Headers,
  pulledBody: PulledBody,
): Response {
  const text = JSON.stringify(body);
  if (text.length <= MAX_WHOLE_TEXT) return c.body(text, 200, { ...JSON_TYPE, ...headers });
  const bytes = new TextEncoder().encode(text);
  return c.body(pulledBody(chunksOf(bytes)), 200, {
    ...JSON_TYPE,
    "content-length": `${bytes.length}`,
    ...headers,
  });
}

/** Sends an error. */
export function sendError(c: AppContext, error: ApiError): Response {
  return c.body(JSON.stringify(error.toBody()), error.status, { ...JSON_TYPE, ...error.headers });
}

/** Sends a stream; without a body to HEAD. */
export function sendStream(
  c: AppContext,
  mediaType: string,
  body: ReadableStream<Uint8Array> | null,
): Response {
  return c.newResponse(body, 200, {
    "content-type": mediaType,
    "vary": "Accept",
    // No compression and no buffering, so that rows arrive at once; X-Accel-Buffering is nginx's header for that.
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
}

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
