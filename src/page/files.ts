/**
 * The files of `static/`, read, hashed and compressed once: requests for them are not rate-limited, so each must cost
 * next to nothing. Hono's serveStatic, etag and compress would do all three at each request. And the headers of the page.
 *
 * The modules are joined to one script: a browser would fetch each of the twenty. Documents name script, styles and icon by
 * the hash of their content, so that browsers keep them.
 */
import { type AppContext, send } from "../api/context.ts";
import type { ApiError } from "../api/errors.ts";
import { acceptsGzip, LINK } from "../api/middleware.ts";

/** A file as it is served. */
interface PageFile {
  readonly type: string;
  /** Weak: the same for the plain and the compressed bytes. */
  readonly etag: string;
  /** What its path has beside its name. */
  readonly hash: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
}

const HTML = "text/html; charset=utf-8";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: HTML,
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** The module that the page loads. */
const ENTRY = "app.js";

/** Reads the files of a folder whose type is in `TYPES`; `fillHtml` completes the text of a document. */
export async function loadFiles(folder: URL, fillHtml: (text: string) => string) {
  const modules = new Map<string, string>();
  const documents = new Map<string, string>();
  const files = new Map<string, PageFile>();
  for await (const { name, isFile } of Deno.readDir(folder)) {
    const type = typeOf(name);
    if (!isFile || type === undefined) continue;
    const text = toBrowser(await Deno.readTextFile(new URL(name, folder)), type);
    if (type === TYPES.js) modules.set(name, text);
    else if (type === HTML) documents.set(name, text);
    else files.set(name, await load(name, text));
  }
  files.set(ENTRY, await load(ENTRY, joinModules(ENTRY, modules)));
  const withHashes = (text: string) =>
    text.replaceAll(/"\/static\/(?<name>[\w-]+\.[a-z]+)"/g, (path, name) => {
      const hash = files.get(name)?.hash;
      return hash === undefined ? path : `"/static/${name.replace(".", `.${hash}.`)}"`;
    });
  for (const [name, text] of documents) {
    files.set(name, await load(name, withHashes(fillHtml(text))));
  }
  return {
    /** A file by the last part of its path, with its hash or without, and whether the hash is that of the content. */
    find(path: string): { file: PageFile; isHashed: boolean } | undefined {
      const [stem, hash, type] = path.split(".");
      const file = files.get(type === undefined ? path : `${stem}.${type}`);
      return file && { file, isHashed: type !== undefined && hash === file.hash };
    },
  };
}

async function load(name: string, text: string): Promise<PageFile> {
  const plain = new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", plain));
  // 96 bits tell the versions of a file apart.
  const hash = digest.slice(0, 12).toBase64({ alphabet: "base64url" });
  return {
    type: typeOf(name) ?? "",
    etag: `W/"${hash}"`,
    hash,
    plain,
    gzipped: await gzip(plain),
  };
}

/** A block or line comment with nothing else on its lines. Bounded: it is matched once with each of our own files. */
const COMMENT = /^[ \t]*(?:\/\*(?:(?!\*\/).)*\*\/|\/\/[^\n]*)[ \t]*\n/gms;

/** Modules and styles without their comments, which are for readers and the type checker: a third of a module. */
function toBrowser(text: string, type: string): string {
  return type === TYPES.js || type === TYPES.css ? text.replaceAll(COMMENT, "") : text;
}

function typeOf(name: string): string | undefined {
  return TYPES[name.slice(name.lastIndexOf(".") + 1)];
}

/** Compresses a file, or a document rendered for a request. */
async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

// Bounded: they are matched once with each of our own files.
const IMPORT = /^import \{(?<names>[^}]*)\} from "\.\/(?<module>[\w-]+\.js)";\n/gm;
const EXPORT = /^export (?=(?:async )?(?:function\*?|class|const) (?<name>\w+))/gm;

/**
 * Joins modules to the text of one that does what `entry` does, without a build step: each becomes a block of its own, after those
 * that it imports, and leaves what it exports to the others. It reads the form that our modules have: named imports from `./`,
 * named exports of functions, classes and constants. What it cannot read ends the start.
 */
export function joinModules(entry: string, modules: ReadonlyMap<string, string>): string {
  const blocks = new Map<string, string>();

  function add(name: string): void {
    if (blocks.has(name)) return;
    const text = modules.get(name);
    if (text === undefined) throw new Error(`Cannot join ${entry}: ${name} is missing`);
    for (const { groups } of text.matchAll(IMPORT)) add(groups?.module ?? "");
    blocks.set(name, blockOf(name, text));
  }

  add(entry);
  return ["const modules = {};", ...blocks.values(), ""].join("\n");
}

function blockOf(name: string, text: string): string {
  const names = [...text.matchAll(EXPORT)].map(({ groups }) => groups?.name);
  const body = text
    .replaceAll(
      IMPORT,
      (_, names, module) => `const {${names.replaceAll(" as ", ": ")}} = modules["${module}"];\n`,
    )
    .replaceAll(EXPORT, "");
  const rest = /^(?:import|export)\b.*/m.exec(body);
  if (rest !== null) throw new Error(`Cannot join ${name}: ${rest[0]}`);
  return `{\n${body}modules["${name}"] = { ${names.join(", ")} };\n}`;
}

/** Allows only our own files: nothing inline, no frames, and no script that parses text as HTML. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** For responses that are not rate-limited: a document must not name files of an older version. */
export const CACHING = { "cache-control": "private, no-cache" };

/** For a file whose path has the hash of its content. */
const IMMUTABLE = { "cache-control": "public, max-age=31536000, immutable" };

/** Headers of HTML documents only. */
const DOCUMENT = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "strict-origin-when-cross-origin",
  "link": LINK,
};

/** Sends a static file; `isHashed` is whether its path can only mean this content. */
export function sendFile(
  c: AppContext,
  { type, etag, plain, gzipped }: PageFile,
  isHashed = false,
): Response {
  const isPacked = acceptsGzip(c.req.header("accept-encoding"));
  return send(c, isPacked ? gzipped : plain, {
    ...(isHashed ? IMMUTABLE : CACHING),
    ...(type === HTML && DOCUMENT),
    "content-type": type,
    etag,
    "vary": "Accept-Encoding",
    ...(isPacked && { "content-encoding": "gzip" }),
  });
}

/** Sends a document rendered for this request; not cached by default, because its rate-limit headers are per client. */
export async function sendHtml(
  c: AppContext,
  html: string,
  { status = 200, headers = {} }: {
    status?: 200 | ApiError["status"];
    headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Response> {
  const isPacked = acceptsGzip(c.req.header("accept-encoding"));
  const body = isPacked ? await gzip(new TextEncoder().encode(html)) : html;
  const own = {
    ...DOCUMENT,
    "content-type": HTML,
    "vary": "Accept, Accept-Encoding",
    ...(isPacked && { "content-encoding": "gzip" }),
    ...headers,
  };
  return send(c, body, own, status);
}
