/** The documents about the API, by path. Each is rendered at its first request, so that a start does not pay for it. */
import { aiCatalog, apiCatalog, serverCard, serverJson } from "./catalogs.ts";
import type { About } from "./openapi.ts";

/** Gives a document's text for the service's base URL. */
export type TextAt = (base: string) => string;

/** The facts that documents contain. */
interface AboutService extends About {
  /** Who runs the service, as escaped HTML; empty if that is not set. */
  readonly operator: string;
}

/** A document. */
export interface Document {
  readonly type: string;
  /** Does the part of the rendering that no base URL changes. */
  render(about: AboutService): Promise<TextAt> | TextAt;
  /** In place of the API's policy, which allows nothing. */
  readonly contentSecurityPolicy?: string;
}

const STATIC = new URL("../../static/", import.meta.url);

/** For the reference page: scripts of this service only; RapiDoc sets styles on its elements. */
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

/** Look-ups are disallowed: a crawler would send queries to the registries. */
const ROBOTS = `User-agent: *
Disallow: /check
Disallow: /register
Disallow: /details
Disallow: /watch
Disallow: /v1/
Disallow: /mcp
Allow: /
`;

const serverCardDocument: Document = {
  type: "application/mcp-server-card+json",
  render: ({ version }) => inJson((base) => serverCard(base, version)),
};

/** Every document. */
export const documents = {
  "/openapi.yaml": {
    type: "application/yaml",
    render: async (about) => {
      const { openapiYaml } = await import("./openapi.ts");
      return fillBase(openapiYaml(about));
    },
  },
  "/openapi.json": {
    type: "application/json; charset=utf-8",
    render: async (about) => {
      const { openapi } = await import("./openapi.ts");
      return fillBase(JSON.stringify(openapi(about)));
    },
  },
  "/docs": {
    type: "text/html; charset=utf-8",
    render: async ({ operator }) => {
      const page = await Deno.readTextFile(new URL("docs/index.html", STATIC));
      return fillBase(page.replace("{operator}", () => operator));
    },
    contentSecurityPolicy: DOCS_POLICY,
  },
  "/llms.txt": {
    type: "text/plain; charset=utf-8",
    render: async (about) => {
      const { llms } = await import("./llms.ts");
      return (base) => llms(base, about);
    },
  },
  "/skill.md": {
    type: "text/markdown; charset=utf-8",
    render: async () => (await import("./skill.ts")).skill,
  },
  "/.well-known/agent-skills/index.json": {
    type: "application/json; charset=utf-8",
    render: async () => inJson((await import("./skill.ts")).skillIndex),
  },
  "/robots.txt": {
    type: "text/plain; charset=utf-8",
    render: () => () => ROBOTS,
  },
  "/.well-known/api-catalog": {
    type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    render: () => inJson(apiCatalog),
  },
  "/.well-known/ai-catalog.json": {
    type: "application/ai-catalog+json",
    render: () => inJson(aiCatalog),
  },
  // The standard's path, and the one where many clients look.
  "/mcp/server-card": serverCardDocument,
  "/.well-known/mcp/server-card.json": serverCardDocument,
  "/server.json": {
    type: "application/json; charset=utf-8",
    render: ({ version }) => inJson((base) => serverJson(base, version)),
  },
} satisfies Readonly<Record<string, Document>>;

/** The script of the reference page. The version is in its name, so that it can be cached for good. */
export const DOCS_SCRIPT = "/docs/rapidoc-9.3.8.min.js";

/** RapiDoc as its npm package has it, compressed. */
export const DOCS_SCRIPT_FILE = new URL(`.${DOCS_SCRIPT}.gz`, STATIC);

/** Every path that this folder serves. */
export type DocumentPath = keyof typeof documents | typeof DOCS_SCRIPT;

function fillBase(template: string): TextAt {
  return (base) => template.replaceAll("{base}", base);
}

function inJson(create: (base: string) => unknown): TextAt {
  return (base) => JSON.stringify(create(base));
}
