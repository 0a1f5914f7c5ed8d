/** The name of the MCP server for its handshake, and server.json, by which the MCP registry lists it under that name. */
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

type Json = Readonly<Record<string, unknown>>;

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** server.json, which an operator publishes to the MCP registry. */
export function serverJson(
  { name, base, version }: { name: string; base: string; version: string },
): Json {
  return {
    ...headOf(name, version),
    websiteUrl: `${base}/docs`,
    remotes: [{ type: "streamable-http", url: `${base}/mcp/` }],
  };
}

/** server.json of the npm package, whose `mcpName` must be its name. */
export function packageServerJson(
  { mcpName, name, version, repository }: {
    mcpName: string;
    name: string;
    version: string;
    /** `owner/name` on GitHub. */
    repository: string | undefined;
  },
): Json {
  return {
    ...headOf(mcpName, version),
    ...(repository !== undefined && {
      repository: { url: `https://github.com/${repository}`, source: "github" },
    }),
    packages: [{
      registryType: "npm",
      identifier: name,
      version,
      transport: { type: "stdio" },
      packageArguments: [{ type: "positional", value: "mcp" }],
    }],
  };
}

function headOf(name: string, version: string): Json {
  return { $schema: SCHEMA, name, version, title: MCP_TITLE, description: MCP_DESCRIPTION };
}
