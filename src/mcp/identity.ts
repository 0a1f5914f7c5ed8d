/** What the MCP server is called, before and after a client connects: its cards must not contradict it. */
import { parseIpAddress } from "../rules/ip_address.ts";

/** What a person reads of the server. */
export const MCP_TITLE = "Domain Availability";
/** Up to 100 characters, as cards take it. */
export const MCP_DESCRIPTION =
  "Is a name free? Checks domains at DNS and their own registries; never says available wrongly.";
/** The revisions that are served at one address, newest first. */
export const MCP_VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"] as const;

const NAME = "domain-availability";
const HOST_NAME = /^[a-z0-9.-]+$/;

/** The server's name: that of its host backwards, then its own; addresses have no name of their own. */
export function mcpName(base: string): string {
  const { hostname } = new URL(base);
  const isName = HOST_NAME.test(hostname) && parseIpAddress(hostname) === undefined;
  const namespace = isName ? hostname.split(".").reverse().join(".") : "local";
  return `${namespace}/${NAME}`;
}

/** The identifier of the server in an AI Catalog. */
export function mcpIdentifier(base: string): string {
  return `urn:air:${new URL(base).hostname}:mcp:${NAME}`;
}
