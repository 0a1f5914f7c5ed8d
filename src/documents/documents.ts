/**
 * The documents about the API, by path, and the script of the reference page. This module is loaded at the first request for
 * one, and each document is rendered at its own first request, so that a start does not pay for them.
 *
 * An operation is declared once (`src/api/operation.ts`). OpenAPI, llms.txt and the skill are rendered from the list of them. The
 * script of `/docs` is in `static/docs` as RapiDoc's npm package has it, compressed: files of the repository can be read wherever the
 * service runs, Deno Deploy included, and the package would add 127 others.
 */
import { type AppContext, type AppHandler, send } from "../api/context.ts";
import { baseUrl, LINK } from "../api/middleware.ts";
import { operatorLine } from "../api/operator.ts";
import { lazy } from "../flow/cache/flight.ts";
import { mcpName, serverJson } from "../mcp/identity.ts";
import type { Services } from "../wiring/services.ts";
import { llms, skill } from "./agent_texts.ts";
import { type About, openapi, openapiYaml } from "./openapi.ts";

interface Document {
  readonly type: string;
  /** Renders its text, with `{base}` in place of the service's base URL, and `{mcpName}` in place of its name for MCP. */
  render(about: About & { readonly operator: string }): Promise<string> | string;
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
Disallow: /search
Disallow: /watch
Disallow: /v1/
Disallow: /mcp
Allow: /
`;

const JSON_TYPE = "application/json; charset=utf-8";

/** Every document. */
export const documents = {
  "/openapi.yaml": { type: "application/yaml", render: openapiYaml },
  "/openapi.json": { type: JSON_TYPE, render: (about) => JSON.stringify(openapi(about)) },
  "/docs": {
    type: "text/html; charset=utf-8",
    render: async ({ operator }) => {
      const page = await Deno.readTextFile(new URL("docs/index.html", STATIC));
      return page.replace("{operator}", () => operator);
    },
    contentSecurityPolicy: DOCS_POLICY,
  },
  "/llms.txt": {
    type: "text/plain; charset=utf-8",
    render: (about) => llms("{base}", about),
  },
  "/skill.md": {
    type: "text/markdown; charset=utf-8",
    render: () => skill("{base}"),
  },
  "/robots.txt": { type: "text/plain; charset=utf-8", render: () => ROBOTS },
  "/server.json": {
    type: JSON_TYPE,
    render: ({ version }) =>
      JSON.stringify(serverJson({ name: "{mcpName}", base: "{base}", version })),
  },
} satisfies Readonly<Record<string, Document>>;

/** The script of the reference page. The version is in its name, so that it can be cached for good. */
export const DOCS_SCRIPT = "/docs/rapidoc-9.3.8.min.js";

/** RapiDoc as its npm package has it, compressed. */
const DOCS_SCRIPT_FILE = new URL(`.${DOCS_SCRIPT}.gz`, STATIC);

/** Every path that this folder serves. */
export type DocumentPath = keyof typeof documents | typeof DOCS_SCRIPT;

/** The handler of the paths of documents. Each is rendered once, but for the service's own address. */
export function openDocuments(
  { version, operator, limits: { perAddress: limit, trustedProxies } }: Pick<
    Services,
    "version" | "operator" | "limits"
  >,
): AppHandler {
  const about = { version, limit, operator: operatorLine(operator) };
  const byPath = new Map(
    Object.entries<Document>(documents).map(([path, document]) => [
      path,
      { ...document, template: lazy(async () => await document.render(about)) },
    ]),
  );
  return async (c) => {
    const found = byPath.get(c.req.path);
    if (found === undefined) return await sendDocsScript(c);
    const { type, template, contentSecurityPolicy } = found;
    const base = baseUrl(c.req.raw, trustedProxies);
    const text = (await template.get()).replaceAll("{base}", base);
    return send(c, text.replaceAll("{mcpName}", mcpName(base)), {
      "content-type": type,
      "vary": "Accept-Encoding",
      "link": LINK,
      ...(contentSecurityPolicy !== undefined &&
        { "content-security-policy": contentSecurityPolicy }),
    });
  };
}

/** Sends the script; every browser that can run it reads gzip. */
async function sendDocsScript(c: AppContext): Promise<Response> {
  return send(c, await Deno.readFile(DOCS_SCRIPT_FILE), {
    "content-type": "text/javascript; charset=utf-8",
    "content-encoding": "gzip",
    // Private, because a shared cache would serve one client's rate-limit headers to others.
    "cache-control": "private, max-age=31536000, immutable",
  });
}
