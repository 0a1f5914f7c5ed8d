/** The documents about the API, as rows. Each is printed when it is first asked for: a start does not pay for it. */
import { aiCatalog, apiCatalog, serverCard, serverJson } from "./catalogs.ts";
import type { About, Document, Text } from "./document.ts";
import { robots } from "./robots.ts";

const STATIC = new URL("../../static/", import.meta.url);

/** The reference page's: scripts only from here; the package styles its elements in place. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Every document. */
export const documents: readonly Document[] = [
  {
    path: "/openapi.yaml",
    type: "application/yaml",
    print: async (about) => filling((await import("./openapi_yaml.ts")).openapiYaml(about)),
  },
  {
    path: "/openapi.json",
    type: "application/json; charset=utf-8",
    print: async (about) => {
      const { openapi } = await import("./openapi.ts");
      return filling(JSON.stringify(openapi(about)));
    },
  },
  {
    path: "/docs",
    type: "text/html; charset=utf-8",
    print: async () => filling(await Deno.readTextFile(new URL("docs/index.html", STATIC))),
    contentSecurityPolicy: DOCS_POLICY,
  },
  {
    path: "/llms.txt",
    type: "text/plain; charset=utf-8",
    print: async (about) => {
      const { llms } = await import("./llms.ts");
      return (base) => llms(base, about);
    },
  },
  {
    path: "/robots.txt",
    type: "text/plain; charset=utf-8",
    print: () => () => robots,
  },
  {
    path: "/.well-known/api-catalog",
    type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    print: () => inJson(apiCatalog),
  },
  {
    path: "/.well-known/ai-catalog.json",
    type: "application/ai-catalog+json",
    print: () => inJson(aiCatalog),
  },
  // The place of the standard, and the one where many look.
  ...["/mcp/server-card", "/.well-known/mcp/server-card.json"].map((path) => ({
    path,
    type: "application/mcp-server-card+json",
    print: ({ version }: About) => inJson((base) => serverCard(base, version)),
  })),
  {
    path: "/server.json",
    type: "application/json; charset=utf-8",
    print: ({ version }) => inJson((base) => serverJson(base, version)),
  },
];

/** Puts the address where the printing left a place for it. */
function filling(template: string): Text {
  return (base) => template.replaceAll("{base}", base);
}

function inJson(print: (base: string) => unknown): Text {
  return (base) => JSON.stringify(print(base));
}
