/** Documents for discovery: of the API, of the MCP server, and for the MCP registry. */
import {
  MCP_DESCRIPTION,
  MCP_TITLE,
  MCP_VERSIONS,
  mcpIdentifier,
  mcpName,
} from "../mcp/identity.ts";

type Json = Readonly<Record<string, unknown>>;

const SCHEMAS = "https://static.modelcontextprotocol.io/schemas";

/** The API catalog (RFC 9727): where the API is described. */
export function apiCatalog(base: string): Json {
  return {
    linkset: [{
      anchor: `${base}/`,
      "service-desc": [
        { href: `${base}/openapi.yaml`, type: "application/yaml" },
        { href: `${base}/openapi.json`, type: "application/json" },
      ],
      "service-doc": [{ href: `${base}/docs`, type: "text/html" }],
      "service-meta": [
        { href: `${base}/llms.txt`, type: "text/plain" },
        { href: `${base}/.well-known/ai-catalog.json`, type: "application/ai-catalog+json" },
      ],
      "status": [{ href: `${base}/health`, type: "application/json" }],
    }],
  };
}

/** The AI Catalog: the MCP server and its card. */
export function aiCatalog(base: string): Json {
  return {
    specVersion: "1.0",
    entries: [{
      identifier: mcpIdentifier(base),
      type: "application/mcp-server-card+json",
      url: `${base}/mcp/server-card`,
    }],
  };
}

/** The MCP server's card (SEP-2127). */
export function serverCard(base: string, version: string): Json {
  const remote = { ...remoteOf(base), supportedProtocolVersions: MCP_VERSIONS };
  return {
    $schema: `${SCHEMAS}/v1/server-card.schema.json`,
    ...identity(base, version),
    remotes: [remote],
  };
}

/** server.json, which an operator publishes to the MCP registry. */
export function serverJson(base: string, version: string): Json {
  return {
    $schema: `${SCHEMAS}/2025-12-11/server.schema.json`,
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
    $schema: `${SCHEMAS}/2025-12-11/server.schema.json`,
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
