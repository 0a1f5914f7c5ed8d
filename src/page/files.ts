/**
 * The files of `static/`, read, hashed and compressed once: requests for them are not rate-limited, so each must cost
 * next to nothing. Hono's serveStatic, etag and compress would do all three at each request.
 */

/** A file as it is served. */
export interface PageFile {
  readonly type: string;
  /** Weak: the same for the plain and the compressed bytes. */
  readonly etag: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** Reads the files of a folder whose type is in `TYPES`, by name; `fillHtml` completes the text of a document. */
export async function loadFiles(
  folder: URL,
  fillHtml: (text: string) => string,
): Promise<ReadonlyMap<string, PageFile>> {
  const names: string[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) if (isFile) names.push(name);
  const typed = names.filter((name) => typeOf(name) !== undefined);
  return new Map(
    await Promise.all(
      typed.map(async (name) => [name, await load(new URL(name, folder), fillHtml)] as const),
    ),
  );
}

async function load(file: URL, fillHtml: (text: string) => string): Promise<PageFile> {
  const type = typeOf(file.pathname);
  const text = await Deno.readFile(file);
  const plain = type === TYPES.html ? changed(text, fillHtml) : toBrowser(text, type);
  const hash = await crypto.subtle.digest("SHA-256", plain);
  return {
    type: type ?? "",
    // 96 bits tell the versions of a file apart, and the page has twenty of them.
    etag: `W/"${new Uint8Array(hash, 0, 12).toBase64()}"`,
    plain,
    gzipped: await gzip(plain),
  };
}

/** A block or line comment with nothing else on its lines. Bounded: it is matched once with each of our own files. */
const COMMENT = /^[ \t]*(?:\/\*(?:(?!\*\/).)*\*\/|\/\/[^\n]*)[ \t]*\n/gms;

/** Modules and styles without their comments, which are for readers and the type checker: a third of a module. */
function toBrowser(bytes: Uint8Array<ArrayBuffer>, type?: string): Uint8Array<ArrayBuffer> {
  if (type !== TYPES.js && type !== TYPES.css) return bytes;
  return changed(bytes, (text) => text.replaceAll(COMMENT, ""));
}

function changed(
  bytes: Uint8Array<ArrayBuffer>,
  change: (text: string) => string,
): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(change(new TextDecoder().decode(bytes)));
}

function typeOf(name: string): string | undefined {
  return TYPES[name.slice(name.lastIndexOf(".") + 1)];
}

async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}
