/** Serves the documents and the script of the reference page. */
import { acceptsGzip, LINK, matchesEtag } from "../api/document_headers.ts";
import { baseUrl } from "../api/host.ts";
import { headersOf, type RequestContext } from "../api/responses.ts";
import type { Handler } from "../api/routes.ts";
import { lazy } from "../flow/lazy.ts";
import type { Services } from "../wiring/services.ts";
import { type About, DOCS_SCRIPT_FILE, type Document, documents } from "./documents.ts";

/** A document's text for one base URL. */
export interface RenderedDocument {
  readonly text: string;
  readonly etag: string;
}

/** Answers requests to the paths of documents. */
export function openDocuments(
  { version, limits: { perAddress: limit, trustedProxies } }: Pick<Services, "version" | "limits">,
): Handler {
  const about = { version, limit };
  const byPath = new Map(
    Object.entries<Document>(documents).map(([path, document]) => [
      path,
      { document, render: createRenderer(document, about) },
    ]),
  );
  return async (context, request, path) => {
    const found = byPath.get(path);
    if (found === undefined) return await docsScriptResponse(context, request);
    const rendered = await found.render(baseUrl(request, trustedProxies));
    return documentResponse(context, { ...found.document, ...rendered }, request);
  };
}

/** Renders a document once, and its ETag again when the base URL changes. */
export function createRenderer(
  document: Document,
  about: About,
): (base: string) => Promise<RenderedDocument> {
  const textAt = lazy(async () => await document.render(about));
  let last: { base: string; rendered: RenderedDocument } | undefined;
  return async (base) => {
    if (last?.base !== base) {
      const text = (await textAt.get())(base);
      last = { base, rendered: { text, etag: await etagOf(text) } };
    }
    return last.rendered;
  };
}

async function etagOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `"${new Uint8Array(digest, 0, 12).toBase64({ alphabet: "base64url" })}"`;
}

function documentResponse(
  context: RequestContext,
  { text, etag, type, contentSecurityPolicy }: RenderedDocument & Document,
  request: Request,
): Response {
  const isUnchanged = matchesEtag(request, etag);
  return new Response(isUnchanged ? null : text, {
    status: isUnchanged ? 304 : 200,
    headers: {
      ...headersOf(context),
      "content-type": type,
      etag,
      "link": LINK,
      ...(contentSecurityPolicy !== undefined &&
        { "content-security-policy": contentSecurityPolicy }),
    },
  });
}

/** Answers with the script, unpacked for the few clients that do not accept gzip. */
async function docsScriptResponse(context: RequestContext, request: Request): Promise<Response> {
  const packed = await Deno.readFile(DOCS_SCRIPT_FILE);
  const isPacked = acceptsGzip(request);
  return new Response(isPacked ? packed : unpack(packed), {
    headers: {
      ...headersOf(context),
      "content-type": "text/javascript; charset=utf-8",
      ...(isPacked && { "content-encoding": "gzip" }),
      "vary": "accept-encoding",
      // Private, because a shared cache would serve one client's rate-limit headers to others.
      "cache-control": "private, max-age=31536000, immutable",
    },
  });
}

function unpack(packed: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
}
