// @ts-check
/// <reference lib="dom" />
/** Requests to the service: streamed rows, single answers, and one class of errors. */

/** @import { DomainRow } from "./vocabulary.js" */

/**
 * @typedef {"limited" | "invalid" | "missing" | "offline" | "down" | "truncated"} RequestErrorKind
 * @typedef {{ limit: number, remaining: number }} Quota
 */

/** A request that failed. */
export class RequestError extends Error {
  /**
   * @param {RequestErrorKind} kind
   * @param {string} message
   * @param {number} [retryAfter] seconds
   */
  constructor(kind, message, retryAfter = 0) {
    super(message);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}

/** @type {(quota: Quota) => void} */
let onQuota = () => {};
let clockOffsetMs = 0;

/**
 * Calls the listener after each response with the requests that are left.
 * @param {(quota: Quota) => void} listener
 */
export function watchQuota(listener) {
  onQuota = listener;
}

/** The time by the service's clock, which the ages of results are relative to. */
export function serverNow() {
  return Date.now() + clockOffsetMs;
}

/**
 * Checks a name under all TLDs and yields the rows as they arrive. Throws `RequestError`.
 * @param {string} name
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<DomainRow>}
 */
export async function* checkAll(name, signal) {
  const path = `/check?name=${encodeURIComponent(name)}`;
  const response = await request(path, { signal, headers: { accept: "application/x-ndjson" } });
  let isComplete = false;
  for await (const line of linesOf(response, signal)) {
    const value = parseLine(line);
    if ("domain" in value) yield value;
    else isComplete = "count" in value;
  }
  if (!isComplete) throw new RequestError("truncated", "the connection was lost");
}

/**
 * Parses a line of a stream. A captive portal or a proxy may have sent something else. Throws `RequestError`.
 * @param {string} line
 */
function parseLine(line) {
  try {
    return Object(JSON.parse(line));
  } catch (error) {
    throw toRequestError(error);
  }
}

/**
 * Checks one domain. Throws `RequestError`.
 * @param {string} name
 * @param {string} tld
 * @param {AbortSignal} signal
 * @returns {Promise<DomainRow>}
 */
export async function checkOne(name, tld, signal) {
  const query = new URLSearchParams({ name, tld });
  const { results } = await getJson(`/check?${query}`, signal);
  return results[0];
}

/**
 * Gets JSON. Throws `RequestError`.
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export async function getJson(path, signal) {
  const response = await request(path, signal === undefined ? {} : { signal });
  try {
    return await response.json();
  } catch (error) {
    throw toRequestError(error, signal);
  }
}

/**
 * @param {string} path
 * @param {RequestInit} init
 */
async function request(path, init) {
  let response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    throw toRequestError(error, init.signal ?? undefined);
  }
  readHeaders(response.headers);
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw errorOf(response, body.message);
}

/** @param {Headers} headers */
function readHeaders(headers) {
  const limit = Number(headers.get("x-ratelimit-limit") ?? 0);
  const remaining = Number(headers.get("x-ratelimit-remaining") ?? 0);
  if (limit > 0) onQuota({ limit, remaining });
  const offsetMs = Date.parse(headers.get("date") ?? "") - Date.now();
  // The Date header has whole seconds, so a smaller difference means nothing.
  clockOffsetMs = Math.abs(offsetMs) > 2_000 ? offsetMs : 0;
}

/**
 * @param {Response} response
 * @param {unknown} message
 */
function errorOf({ status, headers }, message) {
  const text = typeof message === "string" ? message : `The service answered ${status}.`;
  if (status === 429) {
    return new RequestError("limited", text, Number(headers.get("retry-after")) || 60);
  }
  if (status === 404) return new RequestError("missing", text);
  return new RequestError(status < 500 ? "invalid" : "down", text);
}

/**
 * @param {unknown} error
 * @param {AbortSignal} [signal]
 */
function toRequestError(error, signal) {
  if (signal?.aborted || error instanceof RequestError) return error;
  return navigator.onLine
    ? new RequestError("down", "Cannot reach the service.")
    : new RequestError("offline", "You are offline.");
}

/**
 * @param {Response} response
 * @param {AbortSignal} signal
 */
async function* linesOf({ body }, signal) {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      if (signal.aborted) throw error;
      return { done: true, value: undefined };
    });
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
