/** JSON-RPC 2.0 messages: reads one from a body, and sends errors and answers with the headers of every response. */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { type AppContext, send, sendBytes, senderOf } from "../api/context.ts";
import { chunksOf, type PulledBody } from "../api/bodies.ts";
import { isObject, type JsonObject, parseJson } from "../rules/readers/parse_json.ts";

/** Codes of JSON-RPC 2.0 §5.1. */
const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const INVALID_PARAMS = -32_602;
/** Codes that it leaves to servers; MCP's own packages call the second a timeout. */
export const REJECTED = -32_000;
export const TIMED_OUT = -32_001;

/** A JSON-RPC message, or why there is none. */
type McpReading =
  | { readonly kind: "message"; readonly message: JSONRPCMessage }
  | RefusedMessage;

/** Why a text is no message, and its id, if it has one. */
interface RefusedMessage extends Pick<McpError, "code" | "message" | "id"> {
  readonly kind: "refused";
}

/** Reads the one message of a body or a line. A batch would be many calls at the cost of one: MCP has had none since 2025. */
export function readMcpMessage(text: string): McpReading {
  const message = withoutNulls(parseJson(text));
  if (message === undefined) return refused(PARSE_ERROR, "The message is not JSON");
  if (Array.isArray(message)) {
    return refused(INVALID_REQUEST, "Batches are not supported: send one message per request");
  }
  if (
    isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)
  ) return { kind: "message", message };
  const { id } = Object(message);
  return {
    ...refused(INVALID_REQUEST, "The message is not a JSON-RPC 2.0 message"),
    ...(isRequestId(id) && { id }),
  };
}

/**
 * The message without null in its parameters and arguments, which means absent: schemas in OpenAI's strict mode make each optional
 * member nullable.
 */
function withoutNulls(message: unknown): unknown {
  if (!isObject(message) || Array.isArray(message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isObject(params) || Array.isArray(params)) return message;
  const present = filled(params);
  const { arguments: input } = present;
  return { ...rest, params: { ...present, ...(isObject(input) && { arguments: filled(input) }) } };
}

function filled(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** The refusal of a message of more than `maxBytes`. */
export function tooLarge(maxBytes: number): RefusedMessage {
  return refused(INVALID_REQUEST, `The message is too large: send at most ${maxBytes} bytes`);
}

/** The headers of an answer in JSON. */
export const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

function refused(code: number, message: string): RefusedMessage {
  return { kind: "refused", code, message };
}

/** A JSON-RPC error and its HTTP status. */
export interface McpError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** The id of the message that it answers, where that was read. */
  readonly id?: unknown;
}

/** A request that the rate limit rejects, and the state of the limit. */
interface RejectedRequest {
  readonly cost: number;
  /** Requests in 60 s. */
  readonly limit: string | number;
  readonly remaining: string | number;
  /** In seconds. */
  readonly retryAfter: number;
}

/** The error of such a request. For one that costs more than the whole limit no wait would help: it has no `retryAfter`. */
export function tooManyRequests(
  { cost, limit, remaining, retryAfter }: RejectedRequest,
): Omit<McpError, "id"> & { readonly retryAfter?: number } {
  const rejected = { status: 429, code: REJECTED } as const;
  const error = "rate_limit_exceeded";
  if (cost > Number(limit)) {
    const message =
      `Send at most ${limit} names per call: each costs one request, and the limit is ${limit} per minute`;
    return { ...rejected, message, data: { error, cost } };
  }
  const message = cost === 1
    ? `Too many requests: retry in ${retryAfter} s`
    : `This call costs ${cost} requests, and ${remaining} are left: send fewer names, or retry in ${retryAfter} s`;
  return { ...rejected, message, data: { error, cost, retryAfter }, retryAfter };
}

/** Answers with a JSON-RPC error; `headers` are those that its status requires. */
export function sendMcpError(
  c: AppContext,
  { status, code, message, data, id }: McpError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const error = { code, message, ...(data !== undefined && { data }) };
  const body = JSON.stringify({ jsonrpc: "2.0", error, id: isRequestId(id) ? id : null });
  return send(c, body, { ...JSON_TYPE, ...headers }, status);
}

/** The result of a tool's call that is an error, for the model to read. */
export function toolError(message: string) {
  // The 2026 revision requires `resultType`; earlier ones ignore it.
  return { resultType: "complete", content: [{ type: "text", text: message }], isError: true };
}

/** Whether an id is one of a request; notifications have none. */
export function isRequestId(id: unknown): id is string | number {
  return typeof id === "string" || typeof id === "number";
}

/** Answers with a response of the protocol's own server, which may be a stream. */
export async function sendMcp(
  c: AppContext,
  response: Response,
  pulledBody: PulledBody,
): Promise<Response> {
  const { body, status } = response;
  const type = response.headers.get("content-type");
  if (body === null || type !== "text/event-stream") {
    const headers = type === null ? JSON_TYPE : { "content-type": type };
    const bytes = new Uint8Array(await response.arrayBuffer());
    return sendBytes(c, bytes, headers, { status, pulledBody });
  }
  async function* chunks(body: ReadableStream<Uint8Array>) {
    for await (const chunk of body) yield* chunksOf(chunk);
  }
  // Without it nginx would buffer a stream until its end.
  const headers = { "content-type": type, "x-accel-buffering": "no" };
  return send(c, pulledBody(chunks(body), senderOf(c)), headers, status);
}
