/** server.json, by which the MCP registry lists a server. */
import { MCP_DESCRIPTION, MCP_TITLE, mcpName } from "../mcp/identity.ts";

type Json = Readonly<Record<string, unknown>>;

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** server.json, which an operator publishes to the MCP registry. */
export function serverJson(base: string, version: string): Json {
  return {
    $schema: SCHEMA,
    ...identity(base, version),
    remotes: [remoteOf(base)],
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
    $schema: SCHEMA,
    name: mcpName,
    version,
    title: MCP_TITLE,
    description: MCP_DESCRIPTION,
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

function identity(base: string, version: string): Json {
  return {
    name: mcpName(base),
    version,
    title: MCP_TITLE,
    description: MCP_DESCRIPTION,
    websiteUrl: `${base}/docs`,
  };
}

function remoteOf(base: string): Json {
  return { type: "streamable-http", url: `${base}/mcp/` };
}
