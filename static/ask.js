// @ts-check
/// <reference lib="dom" />
/** Asking the service: rows as they arrive, single answers, and what went wrong as one kind of error. */

/** @import { Row } from "./words.js" */

/**
 * @typedef {"limited" | "refused" | "missing" | "offline" | "down" | "broken"} TroubleKind
 * @typedef {{ limit: number, remaining: number }} Allowance
 */

/** Why there is no answer. */
export class Trouble extends Error {
  /**
   * @param {TroubleKind} kind
   * @param {string} message
   * @param {number} [retryAfter] seconds
   */
  constructor(kind, message, retryAfter = 0) {
    super(message);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}

/** @type {(allowance: Allowance) => void} */
let onAllowance = () => {};
let clockOffset = 0;

/**
 * Is told how many requests are left, after each answer.
 * @param {(allowance: Allowance) => void} listener
 */
export function watchAllowance(listener) {
  onAllowance = listener;
}

/** The time by the service's clock: the ages of its findings are counted in it. */
export function now() {
  return Date.now() + clockOffset;
}

/**
 * The rows of a check under all endings, in the order in which they settle. Throws `Trouble`.
 * @param {string} name
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<Row>}
 */
export async function* rowsOf(name, signal) {
  const path = `/check?name=${encodeURIComponent(name)}`;
  const response = await ask(path, { signal, headers: { accept: "application/x-ndjson" } });
  let isWhole = false;
  for await (const line of linesOf(response, signal)) {
    const piece = pieceOf(line);
    if ("domain" in piece) yield piece;
    else isWhole = "count" in piece;
  }
  if (!isWhole) throw new Trouble("broken", "the answer broke off");
}

/**
 * What a line of a stream says: a network's log-in page may stand in its place, or a proxy's. Throws `Trouble`.
 * @param {string} line
 */
function pieceOf(line) {
  try {
    return Object(JSON.parse(line));
  } catch (error) {
    throw fault(error);
  }
}

/**
 * The row of one domain. Throws `Trouble`.
 * @param {string} name
 * @param {string} tld
 * @param {AbortSignal} signal
 * @returns {Promise<Row>}
 */
export async function rowOf(name, tld, signal) {
  const query = new URLSearchParams({ name, tld });
  const { results } = await getJson(`/check?${query}`, signal);
  return results[0];
}

/**
 * An answer in JSON. Throws `Trouble`.
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export async function getJson(path, signal) {
  const response = await ask(path, signal === undefined ? {} : { signal });
  try {
    return await response.json();
  } catch (error) {
    throw fault(error, signal);
  }
}

/**
 * @param {string} path
 * @param {RequestInit} init
 */
async function ask(path, init) {
  let response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    throw fault(error, init.signal ?? undefined);
  }
  note(response.headers);
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw refusal(response, body.message);
}

/** @param {Headers} headers */
function note(headers) {
  const limit = Number(headers.get("x-ratelimit-limit") ?? 0);
  const remaining = Number(headers.get("x-ratelimit-remaining") ?? 0);
  if (limit > 0) onAllowance({ limit, remaining });
  const offset = Date.parse(headers.get("date") ?? "") - Date.now();
  // The header counts whole seconds: less than two are no difference between the clocks.
  clockOffset = Math.abs(offset) > 2_000 ? offset : 0;
}

/**
 * @param {Response} response
 * @param {unknown} message
 */
function refusal({ status, headers }, message) {
  const text = typeof message === "string" ? message : `The service answered ${status}.`;
  if (status === 429) return new Trouble("limited", text, Number(headers.get("retry-after")) || 60);
  if (status === 404) return new Trouble("missing", text);
  return new Trouble(status < 500 ? "refused" : "down", text);
}

/**
 * @param {unknown} error
 * @param {AbortSignal} [signal]
 */
function fault(error, signal) {
  if (signal?.aborted || error instanceof Trouble) return error;
  return navigator.onLine
    ? new Trouble("down", "The service cannot be reached.")
    : new Trouble("offline", "You are offline.");
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
