/** Responses of the MCP endpoint, under the headers that every answer has. */
import { headersOf, type RequestContext } from "../api/responses.ts";

/** A JSON-RPC error and the HTTP status that goes with it. */
export interface McpError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** Of the message that it answers, where that was read. */
  readonly id?: unknown;
}

/** Answers with a JSON-RPC error; `extra` are the headers that its status demands. */
export function mcpErrorResponse(
  context: RequestContext,
  { status, code, message, data, id }: McpError,
  extra: Readonly<Record<string, string>> = {},
): Response {
  const error = { code, message, ...(data !== undefined && { data }) };
  const isId = typeof id === "string" || typeof id === "number";
  return new Response(JSON.stringify({ jsonrpc: "2.0", error, id: isId ? id : null }), {
    status,
    headers: { ...headersOf(context), ...extra },
  });
}

/** What the protocol's own server answered, a stream included. */
export function mcpResponse(
  context: RequestContext,
  { body, status, headers: own }: Response,
): Response {
  const type = own.get("content-type");
  return new Response(body, {
    status,
    headers: {
      ...headersOf(context),
      ...(type !== null && { "content-type": type }),
      // A proxy that collected a stream would hold back its first words until its last.
      ...(type === "text/event-stream" && { "x-accel-buffering": "no" }),
    },
  });
}
