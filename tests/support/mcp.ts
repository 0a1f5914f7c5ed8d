import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { fetchText } from "./fetch_text.ts";
import { postJson } from "./post_json.ts";
import type { Json } from "./service.ts";

/** The two eras of MCP, each by one of its revisions. */
export const ERAS = ["2026-07-28", "2025-11-25"] as const;

/** The messages that need no tool. */
export const PING = { jsonrpc: "2.0", id: 7, method: "ping" };
export const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

/** Connects the official client to a URL, or by a transport, with the protocol of an era. */
export async function connectClient(
  to: string | Parameters<Client["connect"]>[0],
  era: typeof ERAS[number],
): Promise<Client & AsyncDisposable> {
  const mode = era === "2025-11-25" ? "legacy" : { pin: era };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const transport = typeof to === "string" ? new StreamableHTTPClientTransport(new URL(to)) : to;
  await client.connect(transport);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** Headers and signal of a POST. */
interface PostOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The POST of a message, or of any text, as a client of the 2025 revision sends it. */
export function mcpPost(message: unknown, { headers, signal }: PostOptions = {}): RequestInit {
  const accept = "application/json, text/event-stream";
  return { ...postJson(message, { accept, ...headers }), ...(signal && { signal }) };
}

/** Sends such a POST and reads the answer from JSON or from an event stream. */
export async function postMcp(url: string, message: unknown, options?: PostOptions) {
  const { text, ...answer } = await fetchText(url, mcpPost(message, options));
  const [data = text] = /(?<=^data: ).+$/m.exec(text) ?? [];
  const body: Json = data === "" ? undefined : JSON.parse(data);
  return { ...answer, body };
}

/** A call of a tool. */
export function toolCall(name: string, input: Json): Json {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } };
}

/** `_meta` of a request of a revision, which carries what was session state. */
export function metaOf(revision: unknown): Json {
  return {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
}
