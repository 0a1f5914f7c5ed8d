import { readRequestBody } from "@modelcontextprotocol/server";

/** A JSON-RPC message, or why there is none. */
export type McpReading =
  | { readonly kind: "message"; readonly message: Readonly<Record<string, unknown>> }
  | {
    readonly kind: "refused";
    readonly status: 400 | 413;
    readonly code: number;
    readonly message: string;
  };

/** Enough for any call of our tools, many times over. */
const MAX_BODY_BYTES = 65_536;

/** Reads the one message of a request. A batch would be many calls at the price of one: MCP has had none since 2025. */
export async function readMcpMessage(request: Request): Promise<McpReading> {
  try {
    const body = await readRequestBody(request, MAX_BODY_BYTES);
    if (body.tooLarge) {
      await request.body?.cancel();
      return refused(413, -32_600, `Send at most ${MAX_BODY_BYTES} bytes`);
    }
    const message: unknown = JSON.parse(body.text);
    if (Array.isArray(message)) {
      return refused(400, -32_600, "Batches are not supported: send one message a request");
    }
    if (typeof message !== "object" || message === null) {
      return refused(400, -32_600, "Send a JSON-RPC message");
    }
    return { kind: "message", message: { ...message } };
  } catch {
    // Whatever broke the reading, the caller sent it.
    return refused(400, -32_700, "The body is not JSON");
  }
}

function refused(status: 400 | 413, code: number, message: string): McpReading {
  return { kind: "refused", status, code, message };
}
