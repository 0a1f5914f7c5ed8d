/**
 * The files of `static/`, read, hashed and compressed once: requests for them are not rate-limited, so each must cost
 * next to nothing. Hono's serveStatic, etag and compress would do all three at each request.
 *
 * The modules are joined to one script: a browser would fetch each of the twenty. Documents name script, styles and icon by
 * the hash of their content, so that browsers keep them.
 */
import { joinModules } from "./join_modules.ts";

/** A file as it is served. */
export interface PageFile {
  readonly type: string;
  /** Weak: the same for the plain and the compressed bytes. */
  readonly etag: string;
  /** What its path has beside its name. */
  readonly hash: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** The module that the page loads. */
const ENTRY = "app.js";

/** The files of the page. */
interface PageFiles {
  /** A file by the last part of its path, with its hash or without, and whether the hash is that of the content. */
  find(path: string): { file: PageFile; isHashed: boolean } | undefined;
}

/** Reads the files of a folder whose type is in `TYPES`; `fillHtml` completes the text of a document. */
export async function loadFiles(
  folder: URL,
  fillHtml: (text: string) => string,
): Promise<PageFiles> {
  const texts = new Map<string, string>();
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile || typeOf(name) === undefined) continue;
    texts.set(name, toBrowser(await Deno.readTextFile(new URL(name, folder)), typeOf(name)));
  }
  const modules = new Map([...texts].filter(([name]) => name.endsWith(".js")));
  for (const name of modules.keys()) texts.delete(name);
  texts.set(ENTRY, joinModules(ENTRY, modules));
  const files = new Map<string, PageFile>();
  const isDocument = (name: string) => name.endsWith(".html");
  const withHashes = (text: string) =>
    text.replaceAll(/"\/static\/(?<name>[\w-]+\.[a-z]+)"/g, (path, name) => {
      const hash = files.get(name)?.hash;
      return hash === undefined ? path : `"/static/${name.replace(".", `.${hash}.`)}"`;
    });
  for (const [name, text] of texts) if (!isDocument(name)) files.set(name, await load(name, text));
  for (const [name, text] of texts) {
    if (isDocument(name)) files.set(name, await load(name, withHashes(fillHtml(text))));
  }
  return {
    find(path) {
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
function toBrowser(text: string, type: string | undefined): string {
  return type === TYPES.js || type === TYPES.css ? text.replaceAll(COMMENT, "") : text;
}

function typeOf(name: string): string | undefined {
  return TYPES[name.slice(name.lastIndexOf(".") + 1)];
}

/** Compresses a file, or a document rendered for a request. */
export async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}
