import { parseJson } from "../rules/parse_json.ts";

/** A JSON-RPC message, or why there is none. */
export type McpReading =
  | { readonly kind: "message"; readonly message: Readonly<Record<string, unknown>> }
  | { readonly kind: "refused"; readonly code: number; readonly message: string };

/** Codes of JSON-RPC 2.0 §5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** Reads the one message of a body. A batch would be many calls at the price of one: MCP has had none since 2025. */
export function readMcpMessage(text: string): McpReading {
  const message = parseJson(text);
  if (message === undefined) return refused(PARSE_ERROR, "The body is not JSON");
  if (Array.isArray(message)) {
    return refused(INVALID_REQUEST, "Batches are not supported: send one message a request");
  }
  if (typeof message !== "object" || message === null) {
    return refused(INVALID_REQUEST, "Send a JSON-RPC message");
  }
  return { kind: "message", message: { ...message } };
}

function refused(code: number, message: string): McpReading {
  return { kind: "refused", code, message };
}
