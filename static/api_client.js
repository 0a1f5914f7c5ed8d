// @ts-check
/// <reference lib="dom" />
/** Requests to the service: streamed rows, single answers, and one class of errors. */
import { createQuota } from "./list_plan.js";

/** @import { DomainRow } from "./vocabulary.js" */

/** @typedef {"limited" | "invalid" | "offline" | "down" | "truncated"} RequestErrorKind */

const EVENT_STREAM = "text/event-stream";

/** A request that failed. */
export class RequestError extends Error {
  /**
   * @param {RequestErrorKind} kind
   * @param {string} message
   */
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/** The service sends something every 15 s: what is silent for so long has lost its connection. */
const SILENCE_MS = 45_000;

/** What is left of the limit of requests. */
export const quota = createQuota();
let clockOffsetMs = 0;

/** The time by the service's clock, which the ages of results are relative to. */
export function serverNow() {
  return Date.now() + clockOffsetMs;
}

/**
 * What a stream has of one domain: that its registry is being asked, and what it most likely is, or its row; or of a name that it refuses.
 * @typedef {{ kind: "pending", domain: string, expectedMs: number, likely?: "available" }} PendingEvent
 * @typedef {{ kind: "row", row: DomainRow }} RowEvent
 * @typedef {{ kind: "refused", input: string, message: string }} RefusedEvent
 * @typedef {PendingEvent | RowEvent | RefusedEvent} CheckEvent
 */

/**
 * Checks names: labels, each under all of `tlds`, and domains, and yields what is known as it arrives. With the depth `dns`
 * no registry is asked, and rows have no evidence. Throws `RequestError`.
 * @param {{ names: readonly string[], tlds?: readonly string[] }} body
 * @param {AbortSignal} signal
 * @param {"dns"} [depth]
 * @returns {AsyncGenerator<CheckEvent>}
 */
export async function* checkNames(body, signal, depth) {
  const response = await request(`/check?${depth === undefined ? "evidence=1" : "depth=dns"}`, {
    signal,
    method: "POST",
    headers: { "content-type": "application/json", accept: EVENT_STREAM },
    body: JSON.stringify(body),
  }, body.names.length);
  // A captive portal or a proxy may have answered in the service's place.
  if (!response.headers.get("content-type")?.startsWith(EVENT_STREAM)) {
    throw new RequestError("down", "Cannot reach the service.");
  }
  let event = "";
  let isComplete = false;
  for await (const line of linesOf(response, signal)) {
    if (line.startsWith("event: ")) event = line.slice("event: ".length);
    if (!line.startsWith("data: ")) continue;
    if (event === "summary") isComplete = true;
    const value = parseData(line.slice("data: ".length));
    if (event === "pending") yield { kind: "pending", ...value };
    if (event !== "result") continue;
    yield "domain" in value ? { kind: "row", row: value } : { kind: "refused", ...value };
  }
  if (!isComplete) throw new RequestError("truncated", "The connection was lost.");
}

/** @param {string} data */
function parseData(data) {
  try {
    return Object(JSON.parse(data));
  } catch (error) {
    return fail(error);
  }
}

/**
 * Gets JSON. Throws `RequestError`.
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export async function getJson(path, signal) {
  const response = await request(path, signal === undefined ? {} : { signal });
  return await response.json().catch((error) => fail(error, signal));
}

/**
 * @param {string} path
 * @param {RequestInit} init
 * @param {number} [cost] how many requests of the limit it is
 */
async function request(path, init, cost = 1) {
  quota.send(cost);
  const sending = fetch(path, init).catch((error) => fail(error, init.signal));
  const response = await withinSilence(sending).finally(() => quota.send(-cost)) ?? fail(undefined);
  const { ok, status, headers } = response;
  readHeaders(status, headers, cost);
  if (ok) return response;
  const { message } = await response.json().catch(() => ({}));
  const text = typeof message === "string" ? message : `The service answered ${status}.`;
  if (status === 429) throw new RequestError("limited", text);
  // A path that is missing says nothing against the name.
  throw new RequestError(status < 500 && status !== 404 ? "invalid" : "down", text);
}

/**
 * @param {number} status
 * @param {Headers} headers
 * @param {number} cost
 */
function readHeaders(status, headers, cost) {
  const numberOf = (/** @type {string} */ name) => Number(headers.get(name) ?? 0);
  const offsetMs = Date.parse(headers.get("date") ?? "") - Date.now();
  // The Date header has whole seconds, so a smaller difference means nothing.
  clockOffsetMs = Math.abs(offsetMs) > 2_000 ? offsetMs : 0;
  const isRefused = status === 429;
  // A proxy's refusal says nothing of the limit.
  const limit = numberOf("x-ratelimit-limit") || (isRefused ? quota.limit() : 0);
  if (limit === 0) return;
  // Fewer than it cost, so that it is not sent again at once.
  const most = isRefused ? cost - 1 : limit;
  const remaining = Math.min(numberOf("x-ratelimit-remaining"), most);
  const resetMs = isRefused
    ? (numberOf("retry-after") || 60) * 1_000
    : Math.max(0, numberOf("x-ratelimit-reset") * 1_000 - serverNow());
  quota.note({ limit, remaining, resetMs }, performance.now());
}

/**
 * Throws why there is no answer; the error itself if the request was cancelled.
 * @param {unknown} error
 * @param {AbortSignal | null} [signal]
 * @returns {never}
 */
function fail(error, signal) {
  if (signal?.aborted) throw error;
  throw navigator.onLine
    ? new RequestError("down", "Cannot reach the service.")
    : new RequestError("offline", "You are offline.");
}

/**
 * What a promise brings; undefined if it brings nothing for so long that the connection is lost.
 * @template T
 * @param {Promise<T> | undefined} promise
 */
function withinSilence(promise) {
  const silence = /** @type {PromiseWithResolvers<undefined>} */ (Promise.withResolvers());
  const timer = setTimeout(() => silence.resolve(undefined), SILENCE_MS);
  return Promise.race([promise, silence.promise]).finally(() => clearTimeout(timer));
}

/**
 * @param {Response} response
 * @param {AbortSignal} signal
 */
async function* linesOf({ body }, signal) {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    // A stream that is cut ends without its summary.
    const reading = reader?.read().catch((error) => {
      if (signal.aborted) throw error;
    });
    const read = await withinSilence(reading);
    if (read?.value === undefined) return void reader?.cancel().catch(() => {});
    const lines = (rest + read.value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
