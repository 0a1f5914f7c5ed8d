/** Reads JSON-RPC 2.0 messages, from a body or a line. */
import {
  INVALID_REQUEST,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  PARSE_ERROR,
} from "@modelcontextprotocol/server";
import { BODY_LIMITS } from "../api/bodies.ts";
import { ApiError } from "../api/errors.ts";
import { isObject, type JsonObject, parseJson } from "../rules/readers/http_message.ts";

/** A JSON-RPC message, or why there is none. */
type McpReading =
  | { readonly kind: "message"; readonly message: JSONRPCMessage }
  | RefusedMessage;

/** Why a text is no message, and its id, if it has one. */
interface RefusedMessage {
  readonly kind: "refused";
  readonly code: number;
  readonly message: string;
  readonly id?: string | number;
}

/** Reads the one message of a body or a line. A batch would be many calls at the cost of one: MCP has had none since 2025. */
export function readMcpMessage(text: string): McpReading {
  if (text.length > BODY_LIMITS.maxBytes) {
    return refused(INVALID_REQUEST, new ApiError("payload_too_large").message);
  }
  const message = withoutNulls(parseJson(text));
  if (message === undefined) return refused(PARSE_ERROR, "The message is not JSON");
  if (Array.isArray(message)) {
    return refused(INVALID_REQUEST, "Batches are not supported: send one message per request");
  }
  if (
    isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)
  ) return { kind: "message", message };
  const { id } = Object(message);
  const refusal = refused(INVALID_REQUEST, "The message is not a JSON-RPC 2.0 message");
  return isRequestId(id) ? { ...refusal, id } : refusal;
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

function refused(code: number, message: string): RefusedMessage {
  return { kind: "refused", code, message };
}

/** Whether an id is one of a request; notifications have none. */
export function isRequestId(id: unknown): id is string | number {
  return typeof id === "string" || typeof id === "number";
}
