/** What the MCP server says of itself in its handshake, and server.json, by which the MCP registry lists it. */
import { parseIpAddress } from "../rules/ip_address.ts";

/** The server in its handshake. */
export const MCP_SERVER = {
  name: "domain-availability",
  title: "Domain Availability",
  // At most 100 characters, the limit of server.json.
  description:
    "Checks domain availability in DNS and at each registry; unknown instead of a false available.",
};

const HOST_NAME = /^[a-z0-9.-]+$/;

/** The server's name in the registry: its host in reverse order and its own name; `local` for IP addresses. */
export function mcpName(base: string): string {
  const { hostname } = new URL(base);
  const isName = HOST_NAME.test(hostname) && parseIpAddress(hostname) === undefined;
  const namespace = isName ? hostname.split(".").reverse().join(".") : "local";
  return `${namespace}/${MCP_SERVER.name}`;
}

type Json = Readonly<Record<string, unknown>>;

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** server.json, which an operator publishes to the MCP registry. */
export function serverJson(
  { name, base, version }: { name: string; base: string; version: string },
): Json {
  return {
    $schema: SCHEMA,
    ...MCP_SERVER,
    name,
    version,
    websiteUrl: `${base}/docs`,
    remotes: [{ type: "streamable-http", url: `${base}/mcp/` }],
  };
}
