/** The name of the MCP server, for its handshake and server.json, which must agree. */
import { parseIpAddress } from "../rules/ip_address.ts";

/** The display name. */
export const MCP_TITLE = "Domain Availability";
/** At most 100 characters, the limit of server.json. */
export const MCP_DESCRIPTION =
  "Checks domain availability in DNS and at each registry; unknown instead of a false available.";
const NAME = "domain-availability";
const HOST_NAME = /^[a-z0-9.-]+$/;

/** The server's name: its host in reverse order and its own name; `local` for IP addresses. */
export function mcpName(base: string): string {
  const { hostname } = new URL(base);
  const isName = HOST_NAME.test(hostname) && parseIpAddress(hostname) === undefined;
  const namespace = isName ? hostname.split(".").reverse().join(".") : "local";
  return `${namespace}/${NAME}`;
}

/** The server's name on this machine's stdin and stdout. */
export const LOCAL_MCP_NAME = `local/${NAME}`;
