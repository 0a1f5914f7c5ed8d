/**
 * The files of `static/`, read, hashed and compressed once: requests for them are not rate-limited, so each must cost
 * next to nothing. Hono's serveStatic, etag and compress would do all three at each request. And the headers of the page.
 *
 * The modules are joined to one script: a browser would fetch each. Documents name script, styles and icon by
 * the hash of their content, so that browsers keep them.
 */
import { getMimeType } from "hono/utils/mime";
import { type AppContext, send } from "../api/context.ts";
import type { ApiError } from "../api/errors.ts";
import { acceptsGzip, LINK } from "../api/middleware.ts";

/** A file as it is served. */
interface PageFile {
  readonly type: string;
  /** What its path has beside its name. */
  readonly hash: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
}

const HTML = "text/html; charset=utf-8";

/** The document, and the module that it loads. */
const INDEX = "index.html";
const ENTRY = "app.js";

/** Reads the files of a folder; `fillIndex` completes the text of its document. */
export async function loadFiles(folder: URL, fillIndex: (text: string) => string) {
  const texts = new Map<string, string>();
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile) continue;
    const text = await Deno.readTextFile(new URL(name, folder));
    texts.set(name, /\.(?:css|js)$/.test(name) ? text.replaceAll(COMMENT, "") : text);
  }
  const files = new Map([[ENTRY, await load(ENTRY, joinModules(ENTRY, texts))]]);
  for (const [name, text] of texts) {
    if (/\.(?:css|svg)$/.test(name)) files.set(name, await load(name, text));
  }
  const html = fillIndex(texts.get(INDEX) ?? "").replaceAll(
    /"\/static\/(?<name>[\w-]+\.[a-z]+)"/g,
    (path, name) => path.replace(".", `.${files.get(name)?.hash}.`),
  );
  const index = await load(INDEX, html);
  files.set(INDEX, index);
  return {
    /** The text of the document. */
    html,
    index,
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
  const compressed = new Blob([plain]).stream().pipeThrough(new CompressionStream("gzip"));
  return {
    type: getMimeType(name) ?? "",
    // 96 bits tell the versions of a file apart.
    hash: digest.slice(0, 12).toBase64({ alphabet: "base64url" }),
    plain,
    gzipped: await new Response(compressed).bytes(),
  };
}

/**
 * A block or line comment of a module or of styles, with nothing else on its lines: they are for readers and the type checker,
 * and a third of a module. Bounded: it is matched once with each of our own files.
 */
const COMMENT = /^[ \t]*(?:\/\*(?:(?!\*\/).)*\*\/|\/\/[^\n]*)[ \t]*\n/gms;

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
  { type, hash, plain, gzipped }: PageFile,
  isHashed = false,
): Response {
  const isPacked = acceptsGzip(c.req.header("accept-encoding"));
  return send(c, isPacked ? gzipped : plain, {
    ...(isHashed ? IMMUTABLE : CACHING),
    ...(type === HTML && DOCUMENT),
    "content-type": type,
    // Weak: the same for the plain and the compressed bytes.
    "etag": `W/"${hash}"`,
    "vary": "Accept-Encoding",
    ...(isPacked && { "content-encoding": "gzip" }),
  });
}

/** Sends a document rendered for this request; not cached by default, because its rate-limit headers are per client. */
export function sendHtml(
  c: AppContext,
  html: string,
  { status = 200, headers = {} }: {
    status?: 200 | ApiError["status"];
    headers?: Readonly<Record<string, string>>;
  } = {},
): Response {
  return send(
    c,
    html,
    { ...DOCUMENT, "content-type": HTML, "vary": "Accept-Encoding", ...headers },
    status,
  );
}
