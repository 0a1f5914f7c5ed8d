/** The documents about the API, as rows. Each is printed when it is first asked for: a start does not pay for it. */

/** A document, and how it is printed. */
export interface Document {
  readonly path: string;
  readonly type: string;
  /** Its text; `{base}` stands where the service's own address belongs. */
  print(version: string): string | Promise<string>;
  /** What its scripts and styles may do; nothing unless told. */
  readonly contentSecurityPolicy?: string;
}

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
    print: async (version) => (await import("./openapi_yaml.ts")).openapiYaml(version),
  },
  {
    path: "/openapi.json",
    type: "application/json; charset=utf-8",
    print: async (version) => JSON.stringify((await import("./openapi.ts")).openapi(version)),
  },
  {
    path: "/docs",
    type: "text/html; charset=utf-8",
    print: () => Deno.readTextFile(new URL("docs/index.html", STATIC)),
    contentSecurityPolicy: DOCS_POLICY,
  },
];
